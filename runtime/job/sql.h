/* runtime/job/sql.h: the names of the queue's statements; their texts, and why they are shaped so,
 * stand in sql.c. A statement is known to a connection by the address of its text. */
#ifndef RUNTIME_JOB_SQL_H
#define RUNTIME_JOB_SQL_H

/* The version of the tables that this program knows. */
enum { JOB_SCHEMA_VERSION = 1 };

/* The tables and indexes, in the order in which they are made. */
typedef struct JobObject {
    const char *name;
    const char *sql;
} JobObject;

enum { JOB_OBJECT_COUNT = 7 };
extern const JobObject job_objects[JOB_OBJECT_COUNT];

extern const char sql_object[];
extern const char sql_object_any[];
extern const char sql_version[];
extern const char sql_version_insert[];
extern const char sql_version_seen[];

extern const char sql_enqueue[];
extern const char sql_enqueue_payload[];
extern const char sql_active[];

extern const char sql_due[];
extern const char sql_next_due[];
extern const char sql_candidate[];
extern const char sql_claim[];
extern const char sql_payload[];
extern const char sql_mine[];

extern const char sql_succeed[];
extern const char sql_end_attempt[];
extern const char sql_renew[];
extern const char sql_claim_holds[];
extern const char sql_task_now[];

extern const char sql_expired_any[];
extern const char sql_expired[];
extern const char sql_owners[];
extern const char sql_end_owner[];
extern const char sql_recover[];
extern const char sql_block[];

extern const char sql_pair_after[];
extern const char sql_pair_old[];
extern const char sql_block_old[];

extern const char sql_cursor[];
extern const char sql_cursor_insert[];
extern const char sql_cursor_take[];
extern const char sql_cursor_advance[];
extern const char sql_cursor_seen[];

#endif
