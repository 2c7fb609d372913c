/* runtime/job/sql.c: all SQL of the queue, each statement with the reason for its shape.
 *
 * "Guarded" (J6.7) is the group of conditions id, claim_token, state = 'running' and an unexpired
 * lease: a worker that has lost a task matches no row and changes nothing. ?now is always the clock
 * of J5.1, read while the write lock is held. Times are epoch milliseconds. */
#include "runtime/job/sql.h"

/* ---- tables (version 1) ----
 *
 * STRICT keeps a text out of a number. WITHOUT ROWID saves a second tree for each table, since
 * every look-up is by id. The payload has a table of its own because SQLite rewrites a whole row at
 * every change: with 1 MiB in the row, a claim would write 2 MiB. A task without input has no
 * payload row.
 *
 * _dever_jobs_active decides J2.3: at most one pending or running task for each target and key.
 * _dever_jobs_due is what claims walk: the pending rows of one target and fingerprint in their
 * order, so that neither the backlog, nor finished rows, nor rows of other programs cost a claim
 * anything. _dever_jobs_running holds the few running rows by worker; lease_until is left out, so
 * that a renewal changes no index. */
#define JOB_OBJECT(name, kind, rest) \
    { name, "CREATE " kind " " name " " rest }

const JobObject job_objects[JOB_OBJECT_COUNT] = {
    JOB_OBJECT("_dever_job_version", "TABLE",
               "(\n"
               "  singleton INTEGER PRIMARY KEY CHECK (singleton = 1),\n"
               "  version INTEGER NOT NULL,\n"
               "  seen_at INTEGER NOT NULL\n"
               ") STRICT"),
    JOB_OBJECT("_dever_jobs", "TABLE",
               "(\n"
               "  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),\n"
               "  target TEXT NOT NULL,\n"
               "  schema TEXT NOT NULL,\n"
               "  dedupe_key TEXT NOT NULL,\n"
               "  state TEXT NOT NULL CHECK (state IN"
               " ('pending', 'running', 'succeeded', 'dead', 'blocked')),\n"
               "  run_at INTEGER NOT NULL,\n"
               "  attempt INTEGER NOT NULL CHECK (attempt >= 0),\n"
               "  max_attempts INTEGER NOT NULL,\n"
               "  timeout_ms INTEGER NOT NULL,\n"
               "  claim_token TEXT,\n"
               "  lease_until INTEGER,\n"
               "  worker TEXT,\n"
               "  error TEXT,\n"
               "  error_detail TEXT CHECK (length(CAST(error_detail AS BLOB)) <= 512),\n"
               "  created_at INTEGER NOT NULL,\n"
               "  started_at INTEGER,\n"
               "  updated_at INTEGER NOT NULL,\n"
               "  finished_at INTEGER,\n"
               "  CHECK (state <> 'running' OR"
               " (claim_token IS NOT NULL AND lease_until IS NOT NULL AND worker IS NOT NULL))\n"
               ") STRICT, WITHOUT ROWID"),
    JOB_OBJECT("_dever_job_payload", "TABLE",
               "(\n"
               "  id TEXT NOT NULL PRIMARY KEY,\n"
               "  payload TEXT NOT NULL\n"
               ") STRICT, WITHOUT ROWID"),
    JOB_OBJECT("_dever_job_schedule", "TABLE",
               "(\n"
               "  identity TEXT NOT NULL PRIMARY KEY,\n"
               "  fingerprint TEXT NOT NULL,\n"
               "  build INTEGER NOT NULL,\n"
               "  last_minute INTEGER NOT NULL,\n"
               "  seen_at INTEGER NOT NULL\n"
               ") STRICT, WITHOUT ROWID"),
    JOB_OBJECT("_dever_jobs_active", "UNIQUE INDEX",
               "ON _dever_jobs (target, dedupe_key) WHERE state IN ('pending', 'running')"),
    JOB_OBJECT("_dever_jobs_due", "INDEX",
               "ON _dever_jobs (target, schema, run_at, id) WHERE state = 'pending'"),
    JOB_OBJECT("_dever_jobs_running", "INDEX", "ON _dever_jobs (worker) WHERE state = 'running'"),
};

/* The text an object was made with: SQLite keeps it as written, so equal text is an equal table. */
const char sql_object[] = "SELECT sql FROM sqlite_schema WHERE name = ?1";

/* Is there any object of ours, whatever its name in a later version? */
const char sql_object_any[] =
    "SELECT name FROM sqlite_schema WHERE name GLOB '_dever_job*' AND name <> '_dever_job_version'"
    " LIMIT 1";

const char sql_version[] = "SELECT version FROM _dever_job_version";

const char sql_version_insert[] =
    "INSERT INTO _dever_job_version (singleton, version, seen_at) VALUES (1, ?1, ?2)";

/* Tells when some worker lived: schedules judge by it how long a cursor was left alone (J8.7). */
const char sql_version_seen[] = "UPDATE _dever_job_version SET seen_at = max(seen_at, ?1)";

/* ---- enqueue (J2) ---- */

/* ?1 id ?2 target ?3 schema ?4 dedupe_key ?5 run_at ?6 max_attempts ?7 timeout_ms ?8 now.
 * The unique index decides: no row changes when an active task has the key. */
const char sql_enqueue[] =
    "INSERT INTO _dever_jobs (id, target, schema, dedupe_key, state, run_at, attempt, max_attempts,"
    " timeout_ms, created_at, updated_at)"
    " VALUES (?1, ?2, ?3, ?4, 'pending', ?5, 0, ?6, ?7, ?8, ?8)"
    " ON CONFLICT (target, dedupe_key) WHERE state IN ('pending', 'running') DO NOTHING";

const char sql_enqueue_payload[] = "INSERT INTO _dever_job_payload (id, payload) VALUES (?1, ?2)";

/* The task that was in the way: the write lock is held, so it is still there. */
const char sql_active[] =
    "SELECT id FROM _dever_jobs INDEXED BY _dever_jobs_active"
    " WHERE target = ?1 AND dedupe_key = ?2 AND state IN ('pending', 'running')";

/* ---- claim (J6.4) ---- */

/* ?1 target ?2 schema ?3 now ?4 limit. The head of one target, from the index alone; the heads of
 * all targets are merged by (run_at, id) outside, so that the cost is one short descent for each.
 */
const char sql_due[] = "SELECT run_at, id FROM _dever_jobs INDEXED BY _dever_jobs_due"
                       " WHERE target = ?1 AND schema = ?2 AND state = 'pending' AND run_at <= ?3"
                       " ORDER BY run_at, id LIMIT ?4";

/* ?1 target ?2 schema. What an idle worker reads, to sleep exactly until then. */
const char sql_next_due[] =
    "SELECT run_at FROM _dever_jobs INDEXED BY _dever_jobs_due"
    " WHERE target = ?1 AND schema = ?2 AND state = 'pending' ORDER BY run_at, id LIMIT 1";

/* What must be right before a row is claimed. A look of its own instead of RETURNING in sql_claim:
 * that would make SQLite keep a statement journal (64 kB of memory, taken and given back) for every
 * claim. */
const char sql_candidate[] =
    "SELECT attempt, max_attempts, timeout_ms FROM _dever_jobs WHERE id = ?1 AND state = 'pending'";

/* ?1 id ?2 token ?3 worker ?4 lease_until ?5 now. `error` stays: the next expiry must see a
 * lease_expired. */
const char sql_claim[] =
    "UPDATE _dever_jobs SET state = 'running', attempt = attempt + 1, claim_token = ?2, worker = "
    "?3,"
    " lease_until = ?4, started_at = ?5, updated_at = ?5 WHERE id = ?1 AND state = 'pending'";

const char sql_payload[] = "SELECT payload FROM _dever_job_payload WHERE id = ?1";

/* ?1 worker. After a commit whose end is unknown: what this worker holds according to the table. */
const char sql_mine[] =
    "SELECT id, target, schema, claim_token, attempt, max_attempts, timeout_ms, lease_until"
    " FROM _dever_jobs INDEXED BY _dever_jobs_running"
    " WHERE state = 'running' AND worker = ?1 ORDER BY id";

/* ---- the end of an attempt (J7), all guarded ---- */

/* ?1 id ?2 token ?3 now. Token and worker stay, so that an unknown commit can be read back. */
const char sql_succeed[] =
    "UPDATE _dever_jobs SET state = 'succeeded', error = NULL, error_detail = NULL, finished_at = "
    "?3,"
    " updated_at = ?3"
    " WHERE id = ?1 AND claim_token = ?2 AND state = 'running' AND lease_until > ?3";

/* ?1 id ?2 token ?3 now ?4 state ?5 run_at ?6 error ?7 error_detail. Every end but success; a
 * pending task is not finished. */
const char sql_end_attempt[] =
    "UPDATE _dever_jobs SET state = ?4, run_at = ?5, error = ?6, error_detail = ?7,"
    " finished_at = CASE ?4 WHEN 'pending' THEN NULL ELSE ?3 END, updated_at = ?3"
    " WHERE id = ?1 AND claim_token = ?2 AND state = 'running' AND lease_until > ?3";

/* ?1 id ?2 token ?3 now ?4 lease_until. An expired lease is never revived (J5.2). */
const char sql_renew[] =
    "UPDATE _dever_jobs SET lease_until = ?4"
    " WHERE id = ?1 AND claim_token = ?2 AND state = 'running' AND lease_until > ?3";

/* ?1 id ?2 token ?3 now. Before the commit of a handler's transaction (J7.3). */
const char sql_claim_holds[] =
    "SELECT 1 FROM _dever_jobs"
    " WHERE id = ?1 AND claim_token = ?2 AND state = 'running' AND lease_until > ?3";

/* What became of a task whose guarded write matched nothing. */
const char sql_task_now[] = "SELECT claim_token, state, lease_until FROM _dever_jobs WHERE id = ?1";

/* ---- recovery (J6.4, J6.12) ---- */

/* ?1 now. Read by a worker with nothing else to do; a write lock is taken only if there is a row.
 */
const char sql_expired_any[] = "SELECT 1 FROM _dever_jobs INDEXED BY _dever_jobs_running"
                               " WHERE state = 'running' AND lease_until <= ?1 LIMIT 1";

/* ?1 now ?2 limit. Running rows are few, whatever else the table holds. */
const char sql_expired[] = "SELECT id, target, attempt, max_attempts, error FROM _dever_jobs "
                           "INDEXED BY _dever_jobs_running"
                           " WHERE state = 'running' AND lease_until <= ?1 LIMIT ?2";

/* ?1 this worker. The other workers that hold something. */
const char sql_owners[] = "SELECT DISTINCT worker FROM _dever_jobs INDEXED BY _dever_jobs_running"
                          " WHERE state = 'running' AND worker <> ?1 LIMIT 1024";

/* ?1 worker ?2 now. Its process is proved dead: its leases end now. */
const char sql_end_owner[] =
    "UPDATE _dever_jobs INDEXED BY _dever_jobs_running SET lease_until = ?2"
    " WHERE state = 'running' AND worker = ?1 AND lease_until > ?2";

/* ?1 id ?2 now ?3 state ?4 run_at ?5 error. The lease is looked at again: it is the same
 * transaction, but a statement that changes a running row without its token should say why it may.
 */
const char sql_recover[] =
    "UPDATE _dever_jobs SET state = ?3, run_at = ?4, error = ?5, error_detail = NULL,"
    " finished_at = CASE ?3 WHEN 'pending' THEN NULL ELSE ?2 END, updated_at = ?2"
    " WHERE id = ?1 AND state = 'running' AND lease_until <= ?2";

/* ?1 id ?2 now ?3 error. A pending row that this program must not run. */
const char sql_block[] =
    "UPDATE _dever_jobs SET state = 'blocked', error = ?3, error_detail = NULL, finished_at = ?2,"
    " updated_at = ?2 WHERE id = ?1 AND state = 'pending'";

/* ---- pending tasks of other programs (J7.5) ---- */

/* ?1 target ?2 schema. The next pair in the index: one descent for each kind of task that waits,
 * however many tasks of it there are. */
const char sql_pair_after[] =
    "SELECT target, schema FROM _dever_jobs INDEXED BY _dever_jobs_due"
    " WHERE state = 'pending' AND (target, schema) > (?1, ?2) ORDER BY target, schema LIMIT 1";

/* ?1 target ?2 schema ?3 moment ?4 rows to look at ?5 rows to return: due and unchanged since then.
 */
const char sql_pair_old[] =
    "SELECT id, attempt, max_attempts FROM (SELECT id, attempt, max_attempts, updated_at FROM "
    "_dever_jobs INDEXED BY _dever_jobs_due"
    " WHERE target = ?1 AND schema = ?2 AND state = 'pending' AND run_at <= ?3"
    " ORDER BY run_at, id LIMIT ?4) WHERE updated_at <= ?3 LIMIT ?5";

/* ?1 id ?2 now ?3 error ?4 moment. Found without the write lock, so everything is asked again. */
const char sql_block_old[] =
    "UPDATE _dever_jobs SET state = 'blocked', error = ?3, error_detail = NULL, finished_at = ?2,"
    " updated_at = ?2"
    " WHERE id = ?1 AND state = 'pending' AND run_at <= ?4 AND updated_at <= ?4";

/* ---- schedules (J8) ---- */

/* The cursor, and how long ago any worker lived. */
const char sql_cursor[] =
    "SELECT fingerprint, build, last_minute, seen_at, (SELECT max(seen_at) FROM _dever_job_version)"
    " FROM _dever_job_schedule WHERE identity = ?1";

/* ?1 identity ?2 fingerprint ?3 build ?4 last_minute ?5 now */
const char sql_cursor_insert[] =
    "INSERT INTO _dever_job_schedule (identity, fingerprint, build, last_minute, seen_at)"
    " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (identity) DO NOTHING";

/* The same numbers. last_minute never goes back, so a window that was made stays made. */
const char sql_cursor_take[] =
    "UPDATE _dever_job_schedule SET fingerprint = ?2, build = ?3,"
    " last_minute = max(last_minute, ?4), seen_at = max(seen_at, ?5) WHERE identity = ?1";

/* ?1 identity ?2 last_minute */
const char sql_cursor_advance[] =
    "UPDATE _dever_job_schedule SET last_minute = max(last_minute, ?2) WHERE identity = ?1";

/* ?1 identity ?2 fingerprint ?3 now. Only of a schedule that this program serves. */
const char sql_cursor_seen[] = "UPDATE _dever_job_schedule SET seen_at = max(seen_at, ?3) WHERE "
                               "identity = ?1 AND fingerprint = ?2";
