/* bench/job_drain.c: how fast one worker drains tasks that do nothing, without compiled code around
 * it.
 *
 *     job_drain [tasks [slots]]        20000 and 4 unless given
 *
 * Prints the time to enqueue, the tasks per second, and what an idle worker needs: memory and CPU.
 * The database is made in a folder of its own under the current one, since /tmp may be in memory,
 * where a flush costs nothing. The log goes nowhere. */
#include <dever/program.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "runtime/database/transaction.h"
#include "runtime/job/job.h"
#include "runtime/process/log.h"
#include "runtime/process/stop.h"
#include "runtime/task/scope.h"

enum { BATCH = 500, IDLE_MS = 2000 };

#define CONNECTION \
    { .explicit_name = "default", .component = "bench" }

static atomic_int done;

static bool run_nothing(dv_scope *s, const void *input) {
    (void)s;
    (void)input;
    atomic_fetch_add(&done, 1);
    return true;
}

static const dv_job nothing = {.target = "bench.queue.job.nothing",
                               .schema = "()",
                               .fingerprint = "v1:00000000000000000000000000000000",
                               .connection = CONNECTION,
                               .max_attempts = 3,
                               .timeout_ms = 10000,
                               .handler = run_nothing,
                               .place = "bench/job_drain.c:1:1"};
static const dv_job *const jobs[] = {&nothing};
static const dv_program program = {
    .abi = DV_ABI, .jobs = jobs, .job_count = 1, .serves_jobs = true};
static const dv_connection_name connection = CONNECTION;

static _Noreturn void give_up(const char *message) {
    fprintf(stderr, "job_drain: %s\n", message);
    exit(1);
}

static double seconds_since(int64_t start_ns) {
    return (double)(clock_monotonic_ns() - start_ns) / 1e9;
}

static void enqueue(int tasks) {
    dv_scope *s = scope_new();
    for (int i = 0; i < tasks;) {
        bool ok = s != NULL && dv_transaction_begin(s, &connection);
        for (int end = i + BATCH < tasks ? i + BATCH : tasks; ok && i < end; i++) {
            char key[16];
            snprintf(key, sizeof key, "%d", i);
            dv_text id;
            ok = dv_job_enqueue(s, &nothing, NULL, (dv_text){key, strlen(key)}, NULL, &id);
        }
        if (!ok || !dv_transaction_end(s, true)) {
            give_up("enqueueing failed");
        }
    }
    scope_free(s);
}

static void *serve(void *unused) {
    (void)unused;
    dv_scope *s = scope_new();
    if (s == NULL || !dv_job_serve(s)) {
        give_up("the worker could not start");
    }
    scope_free(s);
    return NULL;
}

static long resident_kb(void) {
    char line[256];
    long kb = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (sscanf(line, "VmRSS: %ld", &kb) == 1) {
            break;
        }
    }
    if (status != NULL) {
        fclose(status);
    }
    return kb;
}

static double cpu_ms(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e3 +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e3;
}

static void measure_idle(const char *what) {
    double before = cpu_ms();
    usleep(IDLE_MS * 1000);
    printf("%-40s %8ld kB, %.2f ms of CPU a second\n", what, resident_kb(),
           (cpu_ms() - before) * 1000 / IDLE_MS);
}

static void drain(int tasks, int slots) {
    pthread_t worker;
    if (!stop_start(5000, NULL, NULL) || pthread_create(&worker, NULL, serve, NULL) != 0) {
        give_up("the system refuses a thread");
    }
    measure_idle("idle worker");
    int64_t start = clock_monotonic_ns();
    enqueue(tasks);
    printf("%-40s %8.2f s\n", "enqueue, a worker at work beside", seconds_since(start));
    while (atomic_load(&done) < tasks) {
        usleep(1000);
    }
    atomic_store(&done, 0);
    stop_request(clock_boot_ms() + 5000);
    pthread_join(worker, NULL);
    stop_finish();

    start = clock_monotonic_ns();
    enqueue(tasks);
    printf("%-40s %8.2f s\n", "enqueue", seconds_since(start));
    start = clock_monotonic_ns();
    if (!stop_start(5000, NULL, NULL) || pthread_create(&worker, NULL, serve, NULL) != 0) {
        give_up("the system refuses a thread");
    }
    while (atomic_load(&done) < tasks) {
        usleep(1000);
    }
    double took = seconds_since(start);
    printf("drain %d tasks with %-3d slots %12s %8.2f s, %.0f tasks/s\n", tasks, slots, "", took,
           tasks / took);
    measure_idle("idle worker after that");
    stop_request(clock_boot_ms() + 5000);
    pthread_join(worker, NULL);
    stop_finish();
}

int main(int argc, char **argv) {
    int tasks = argc > 1 ? atoi(argv[1]) : 20000;
    int slots = argc > 2 ? atoi(argv[2]) : 4;
    if (tasks < 1 || slots < 1 || slots > 60) {
        give_up("expected: [tasks [slots]], slots from 1 to 60");
    }
    char folder[] = "job_drain-XXXXXX";
    char path[64];
    if (mkdtemp(folder) == NULL) {
        give_up("no folder can be made here");
    }
    snprintf(path, sizeof path, "%s/queue.db", folder);
    log_set_level(LOG_ERROR);
    DbError error = {0};
    DatabaseOptions database_options = {.key = "default",
                                        .path = path,
                                        .max_connections = (uint32_t)slots + 4,
                                        .max_page_size = 100};
    JobOptions options = {.serves = true,
                          .workers = slots,
                          .poll_ms = 250,
                          .lease_ms = 60000,
                          .retry_base_ms = 1000,
                          .retry_max_ms = 60000,
                          .retry_jitter = 10,
                          .deploy_grace_ms = 300000};
    Database *database = database_open(&database_options, &error);
    if (database == NULL || !databases_add(database) || !job_start(&program, &options, &error)) {
        give_up(error.message);
    }
    drain(tasks, slots);
    job_stop();
    databases_clear();
    database_close(database);
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}
