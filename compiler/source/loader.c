/* compiler/source/loader.c: finds and reads the files of a project.
 *
 * The path decides what a file is; classification works on paths alone, so that it can be tested
 * without a disk. Folders are read in order of bytes, so the files come in order of path. */
#include "compiler/source/loader.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"

enum { FILE_MOST = 4 * 1024 * 1024, DEPTH_MOST = 32, PARTS_MOST = DEPTH_MOST + 2 };

/* ---- names -------------------------------------------------------------------------------- */

static bool is_one_of(Str name, const Str *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (str_equal(name, names[i])) {
            return true;
        }
    }
    return false;
}

/* Names that say nothing; what lands in them belongs to a domain. */
static bool is_bucket(Str name) {
    static const Str names[] = {STR_INIT("common"),  STR_INIT("shared"),  STR_INIT("utils"),
                                STR_INIT("helper"),  STR_INIT("helpers"), STR_INIT("base"),
                                STR_INIT("service"), STR_INIT("services")};
    return is_one_of(name, names, COUNT_OF(names));
}

/* First parts of the names of standard packages. */
static bool is_reserved(Str name) {
    static const Str names[] = {STR_INIT("dever"),   STR_INIT("text"),  STR_INIT("math"),
                                STR_INIT("decimal"), STR_INIT("float"), STR_INIT("int"),
                                STR_INIT("uuid")};
    return is_one_of(name, names, COUNT_OF(names));
}

/* [a-z][a-z0-9]*(_[a-z0-9]+)* */
static bool is_snake_case(Str name) {
    bool after_word = false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool letter = c >= 'a' && c <= 'z';
        if (!letter && !(c >= '0' && c <= '9' && i > 0) && !(c == '_' && after_word)) {
            return false;
        }
        after_word = c != '_';
    }
    return after_word;
}

/* ---- one file ----------------------------------------------------------------------------- */

/* A path without its ending, cut at its slashes. */
typedef struct Parts {
    Str names[PARTS_MOST];
    size_t count;
} Parts;

static Parts split_path(Str path) {
    Parts parts = {0};
    if (str_ends_with(path, STR(".dever"))) {
        path = str_slice(path, 0, path.len - strlen(".dever"));
    }
    size_t at;
    while (parts.count + 1 < PARTS_MOST && str_find_char(path, '/', &at)) {
        parts.names[parts.count++] = str_slice(path, 0, at);
        path = str_slice(path, at + 1, path.len);
    }
    parts.names[parts.count++] = path;
    return parts;
}

static Str join_parts(Arena *arena, const Str *names, size_t count) {
    Str joined = STR("");
    for (size_t i = 0; i < count; i++) {
        joined = i == 0
                     ? names[0]
                     : str_format(arena, STR_FMT "." STR_FMT, STR_ARG(joined), STR_ARG(names[i]));
    }
    return joined;
}

static Span first_place(const SourceFile *file) {
    return (Span){file, 0, 0};
}

static void refuse(Diagnostics *diagnostics, const SourceFile *file, Code code, const char *text,
                   Str name, const char *help) {
    Diagnostic *diagnostic =
        diagnostic_add(diagnostics, code, first_place(file), text, STR_ARG(name));
    diagnostic_help(diagnostics, diagnostic, "%s", help);
}

static const char shape_help[] = "files are `module/<component>/<domain>/<role>.dever` or "
                                 "`module/<component>/<domain>/<role>/<topic>.dever`; "
                                 "the roles are app, domain, model, port, adapter, api and job";
static const char test_help[] = "tests are `test/<component>/<domain>/<topic>.dever`";

/* The names that people chose: component, domain and topic. */
static bool check_names(Diagnostics *diagnostics, const SourceFile *file, const Parts *parts) {
    for (size_t i = 1; i < parts->count; i++) {
        Str name = parts->names[i];
        if (!is_snake_case(name)) {
            refuse(diagnostics, file, CODE_C010, "`%.*s` in the path is not snake case", name,
                   "name folders and files like `order_line`: small letters, digits, single `_`");
            return false;
        }
        if (is_bucket(name)) {
            refuse(diagnostics, file, CODE_C003, "`%.*s` says nothing about what is inside", name,
                   "name the folder or file after its subject");
            return false;
        }
        if (i == 1 && is_reserved(name)) {
            refuse(diagnostics, file, CODE_C003, "`%.*s` is the name of a standard package", name,
                   "choose another name for the component");
            return false;
        }
    }
    return true;
}

static Role find_role(Str name) {
    for (Role role = ROLE_APP; role <= ROLE_JOB; role++) {
        if (str_equal(role_name(role), name)) {
            return role;
        }
    }
    return ROLE_NONE;
}

static void classify_test(Diagnostics *diagnostics, SourceFile *file, const Parts *parts) {
    if (parts->count != 4) {
        refuse(diagnostics, file, CODE_C003, "`%.*s` is not where a test can be", file->path,
               test_help);
        return;
    }
    if (!check_names(diagnostics, file, parts)) {
        return;
    }
    file->role = ROLE_TEST;
    file->component = parts->names[1];
    file->domain = parts->names[2];
    file->topic = parts->names[3];
    file->package = join_parts(diagnostics->arena, parts->names, 4);
}

static void classify_module(Diagnostics *diagnostics, SourceFile *file, const Parts *parts) {
    Role role = parts->count >= 4 ? find_role(parts->names[3]) : ROLE_NONE;
    if (role == ROLE_NONE) {
        refuse(diagnostics, file, CODE_C003, "`%.*s` is not where a source file can be", file->path,
               shape_help);
        return;
    }
    if (!check_names(diagnostics, file, parts)) {
        return;
    }
    if (parts->count > 5 && role != ROLE_API) {
        refuse(diagnostics, file, CODE_C003, "`%.*s` is nested below a topic", file->path,
               "only `api` may have folders below it");
        return;
    }
    file->role = role;
    file->component = parts->names[1];
    file->domain = parts->names[2];
    file->topic = join_parts(diagnostics->arena, parts->names + 4, parts->count - 4);
    file->package = join_parts(diagnostics->arena, parts->names + 1, parts->count - 1);
}

void loader_classify(Diagnostics *diagnostics, SourceFile *file, Str path_below_root) {
    Parts parts = split_path(path_below_root);
    file->role = ROLE_NONE;
    file->component = file->domain = file->topic = file->package = STR("");
    if (str_equal(parts.names[0], STR("test"))) {
        classify_test(diagnostics, file, &parts);
    } else if (parts.count == 2 && str_equal(parts.names[1], STR("main"))) {
        file->role = ROLE_MAIN;
        file->package = STR("main");
    } else {
        classify_module(diagnostics, file, &parts);
    }
}

/* ---- rules between files ------------------------------------------------------------------ */

/* Models and api lines may be cut as one likes; the others either are one file or have topics. */
static bool is_exclusive(Role role) {
    return role == ROLE_APP || role == ROLE_DOMAIN || role == ROLE_PORT || role == ROLE_ADAPTER ||
           role == ROLE_JOB;
}

static bool same_role(const SourceFile *a, const SourceFile *b) {
    return a->role == b->role && str_equal(a->component, b->component) &&
           str_equal(a->domain, b->domain);
}

/* The files of one role of one domain: the role file, if any, and its topics. */
static void check_group(Diagnostics *diagnostics, SourceFile *const *files, size_t count) {
    const SourceFile *whole = NULL;
    const SourceFile *topic = NULL;
    size_t topics = 0;
    for (size_t i = 0; i < count; i++) {
        if (files[i]->topic.len == 0) {
            whole = files[i];
        } else {
            topic = topics++ == 0 ? files[i] : topic;
        }
    }
    if (topic == NULL) {
        return;
    }
    Str role = role_name(topic->role);
    if (whole != NULL) {
        Diagnostic *diagnostic =
            diagnostic_add(diagnostics, CODE_C003, first_place(whole),
                           "`" STR_FMT ".dever` and the folder `" STR_FMT "/` stand side by side",
                           STR_ARG(role), STR_ARG(role));
        diagnostic_note(diagnostics, diagnostic, first_place(topic), "a file of the folder");
        diagnostic_help(diagnostics, diagnostic,
                        "move `" STR_FMT ".dever` into the folder as a topic", STR_ARG(role));
    } else if (topics == 1) {
        Diagnostic *diagnostic =
            diagnostic_add(diagnostics, CODE_C003, first_place(topic),
                           "the folder `" STR_FMT "/` has a single topic", STR_ARG(role));
        diagnostic_help(diagnostics, diagnostic,
                        "make it `module/" STR_FMT "/" STR_FMT "/" STR_FMT ".dever`",
                        STR_ARG(topic->component), STR_ARG(topic->domain), STR_ARG(role));
    }
}

/* Each group is gathered by its first file. */
void loader_check_layout(Diagnostics *diagnostics, const Project *project) {
    VEC(SourceFile *) group = {0};
    VEC(bool) seen = {0};
    for (size_t i = 0; i < project->files.count; i++) {
        vec_push(diagnostics->arena, &seen, false);
    }
    for (size_t i = 0; i < project->files.count; i++) {
        SourceFile *first = project->files.items[i];
        if (seen.items[i] || !is_exclusive(first->role)) {
            continue;
        }
        group.count = 0;
        for (size_t k = i; k < project->files.count; k++) {
            SourceFile *file = project->files.items[k];
            bool same_domain = str_equal(file->domain, first->domain) &&
                               str_equal(file->component, first->component);
            if (!same_domain && file->role != ROLE_NONE) {
                break; /* the files of one domain are neighbours */
            }
            if (same_role(first, file)) {
                seen.items[k] = true;
                vec_push(diagnostics->arena, &group, file);
            }
        }
        check_group(diagnostics, group.items, group.count);
    }
}

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct Walk {
    Diagnostics *diagnostics;
    Project *project;
    Buf *problem;
} Walk;

static bool read_source(Walk *walk, const char *disk_path, Str shown_path) {
    Arena *arena = walk->diagnostics->arena;
    Str text;
    if (!file_read(arena, disk_path, FILE_MOST, &text)) {
        if (errno == EFBIG) {
            buf_format(walk->problem, STR_FMT " is larger than 4 MiB", STR_ARG(shown_path));
        } else {
            buf_format(walk->problem, "cannot read " STR_FMT ": %s", STR_ARG(shown_path),
                       strerror(errno));
        }
        return false;
    }
    size_t bad;
    if (!utf8_valid(text, &bad)) {
        buf_format(walk->problem, STR_FMT " is not UTF-8 (byte %zu)", STR_ARG(shown_path), bad + 1);
        return false;
    }
    SourceFile *file = source_file_new(arena, shown_path, text);
    if (str_ends_with(shown_path, STR(".dever.md"))) {
        Diagnostic *diagnostic = diagnostic_add(walk->diagnostics, CODE_C020, first_place(file),
                                                "Markdown sources are not supported yet");
        diagnostic_help(walk->diagnostics, diagnostic, "write the program in a .dever file");
        return true;
    }
    loader_classify(walk->diagnostics, file, shown_path);
    file->index = (uint32_t)walk->project->files.count;
    vec_push(arena, &walk->project->files, file);
    return true;
}

static bool is_source(Str name) {
    return str_ends_with(name, STR(".dever")) || str_ends_with(name, STR(".dever.md"));
}

/* Reads a folder; `shown` is its path below the root. */
static bool walk_folder(Walk *walk, const char *disk_path, Str shown, int depth) {
    Arena *arena = walk->diagnostics->arena;
    FileEntries entries = {0};
    if (!file_list(arena, disk_path, &entries)) {
        buf_format(walk->problem, "cannot read " STR_FMT "/: %s", STR_ARG(shown), strerror(errno));
        return false;
    }
    for (size_t i = 0; i < entries.count; i++) {
        const FileEntry *entry = &entries.items[i];
        if (!entry->is_folder && !entry->is_link && !is_source(entry->name)) {
            continue;
        }
        Str path = str_format(arena, STR_FMT "/" STR_FMT, STR_ARG(shown), STR_ARG(entry->name));
        if (!utf8_valid(entry->name, NULL)) {
            buf_format(walk->problem, "a name in " STR_FMT "/ is not UTF-8", STR_ARG(shown));
            return false;
        }
        if (entry->is_link) {
            buf_format(walk->problem, STR_FMT " is a symbolic link; sources are read without",
                       STR_ARG(path));
            return false;
        }
        if (depth == DEPTH_MOST) {
            buf_format(walk->problem, STR_FMT " is nested too deeply", STR_ARG(path));
            return false;
        }
        const char *disk = file_join(arena, disk_path, str_cstr(arena, entry->name));
        bool good = entry->is_folder ? walk_folder(walk, disk, path, depth + 1)
                                     : read_source(walk, disk, path);
        if (!good) {
            return false;
        }
    }
    return true;
}

Project *loader_load(Diagnostics *diagnostics, Str root, bool with_tests, Buf *problem) {
    Arena *arena = diagnostics->arena;
    Project *project = arena_make(arena, Project);
    project->root = root;
    Walk walk = {.diagnostics = diagnostics, .project = project, .problem = problem};
    char *folder = str_cstr(arena, root);
    if (folder == NULL || !file_is_folder(folder)) {
        buf_format(problem, "there is no folder " STR_FMT, STR_ARG(root));
        return NULL;
    }
    char *module = file_join(arena, folder, "module");
    char *test = file_join(arena, folder, "test");
    if (!file_is_folder(module)) {
        buf_format(problem, STR_FMT " has no folder module/, so it is no project of Dever",
                   STR_ARG(root));
        return NULL;
    }
    if (!walk_folder(&walk, module, STR("module"), 0)) {
        return NULL;
    }
    if (project->files.count == 0 && diagnostics->errors == 0) {
        buf_format(problem, STR_FMT "/module holds no file that ends in .dever", STR_ARG(root));
        return NULL;
    }
    if (with_tests && file_is_folder(test) && !walk_folder(&walk, test, STR("test"), 0)) {
        return NULL;
    }
    loader_check_layout(diagnostics, project);
    return project;
}
