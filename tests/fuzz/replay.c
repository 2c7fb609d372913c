/* tests/fuzz/replay.c: the fuzz targets as unit tests.
 *
 * Runs in the repository: every .dever file of it goes through every target, then thousands of mutants of them,
 * from a fixed seed, so that a failure comes back. Mutants are made of bytes (for the lexer) and of
 * whole tokens, line ends and comments (so that many of them still parse). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "compiler/source/diagnostic.h"
#include "compiler/syntax/lexer.h"
#include "tests/fuzz/targets.h"

enum { MUTANTS = 4000, MUTATIONS_MOST = 4, SEED_MOST = 6000 };

typedef struct Seed {
    Role role;
    Str text;
} Seed;

typedef VEC(Seed) Seeds;

static Arena *arena;
static Seeds seeds;

/* ---- the corpus --------------------------------------------------------------------------- */

static Role role_of(Str path) {
    if (str_starts_with(path, STR("test/"))) {
        return ROLE_TEST;
    }
    for (Role role = ROLE_APP; role < ROLE_COUNT; role++) {
        Str folder = str_format(arena, "/" STR_FMT "/", STR_ARG(role_name(role)));
        Str file = str_format(arena, "/" STR_FMT ".dever", STR_ARG(role_name(role)));
        if (str_find(path, folder, NULL) || str_ends_with(path, file)) {
            return role;
        }
    }
    return ROLE_APP;
}

static void add_seed(Str path, Str text) {
    Seed seed = {.role = role_of(path), .text = text};
    vec_push(arena, &seeds, seed);
}

/* A golden program holds several files behind lines `# file: path`. */
static void add_file(Str path, Str text) {
    static const Str mark = STR_INIT("\n# file: ");
    size_t at;
    if (!str_find(text, mark, &at)) {
        add_seed(path, text);
        return;
    }
    while (str_find(text, mark, &at)) {
        text = str_slice(text, at + mark.len, text.len);
        if (!str_find_char(text, '\n', &at)) {
            return;
        }
        path = str_slice(text, 0, at);
        text = str_slice(text, at, text.len);
        size_t end = text.len;
        str_find(text, mark, &end);
        add_seed(path, str_slice(text, 0, end));
    }
}

static void collect(const char *folder) {
    FileEntries entries = {0};
    if (!file_list(arena, folder, &entries)) {
        return;
    }
    for (size_t i = 0; i < entries.count; i++) {
        const FileEntry *entry = &entries.items[i];
        const char *path = file_join(arena, folder, str_cstr(arena, entry->name));
        Str text;
        if (entry->is_folder) {
            collect(path);
        } else if (str_ends_with(entry->name, STR(".dever")) &&
                   file_read(arena, path, 1 << 20, &text)) {
            add_file(str_from(path), text);
        }
    }
}

/* ---- mutants ------------------------------------------------------------------------------ */

static uint64_t state;

/* splitmix64 (Steele, Lea, Flood) */
static size_t random_below(size_t limit) {
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (size_t)((z ^ (z >> 31)) % limit);
}

static void replace(Buf *text, size_t from, size_t to, Str by) {
    Buf out = {0};
    buf_add(&out, str_slice(buf_str(text), 0, from));
    buf_add(&out, by);
    buf_add(&out, str_slice(buf_str(text), to, text->len));
    buf_done(text);
    *text = out;
}

static const Seed *random_seed(void) {
    return &seeds.items[random_below(seeds.count)];
}

static void mutate_bytes(Buf *text) {
    size_t from = random_below(text->len + 1);
    size_t to = from + random_below(8);
    to = to < text->len ? to : text->len;
    Str other = random_seed()->text;
    size_t start = random_below(other.len + 1);
    switch (random_below(4)) {
    case 0:
        replace(text, from, to, STR(""));
        break;
    case 1:
        replace(text, from, from, str_slice(other, start, start + random_below(40)));
        break;
    case 2: {
        char byte = (char)random_below(256);
        replace(text, from, to, (Str){&byte, 1});
        break;
    }
    default:
        replace(text, from, text->len, STR(""));
        break;
    }
}

/* Line ends and comments, which are right in many places. */
static Str random_line(void) {
    static const Str lines[] = {
        STR_INIT("\n"),     STR_INIT(" # note\n"), STR_INIT("\n\n# note\n\n"),
        STR_INIT("\r\n"),   STR_INIT("\n\n\n"),    STR_INIT("\n# one\n# two\n"),
        STR_INIT("# x\n\n")};
    return lines[random_below(COUNT_OF(lines))];
}

/* Words and marks that often change what is around them. */
static Str random_piece(void) {
    static const Str words[] = {
        STR_INIT(" and "),       STR_INIT(" or "),   STR_INIT(" + "),       STR_INIT(" not "),
        STR_INIT("("),           STR_INIT(")"),      STR_INIT("{"),         STR_INIT("}"),
        STR_INIT("["),           STR_INIT("]"),      STR_INIT(","),         STR_INIT(" = "),
        STR_INIT("?"),           STR_INIT("."),      STR_INIT(":"),         STR_INIT("-"),
        STR_INIT(" == "),        STR_INIT(" pure "), STR_INIT(" fails X "), STR_INIT("f(a)"),
        STR_INIT("A { b = 1 }"), STR_INIT("{}"),     STR_INIT(" type "),    STR_INIT("\"\\n\""),
        STR_INIT("1.5"),         STR_INIT("null"),   STR_INIT("<"),         STR_INIT(">"),
    };
    return words[random_below(COUNT_OF(words))];
}

/* Behind these a line may end, so that comments and breaks there keep the text right. */
static bool allows_line(TokenKind kind) {
    return kind == TOKEN_OPEN_PAREN || kind == TOKEN_OPEN_BRACE || kind == TOKEN_OPEN_BRACKET ||
           kind == TOKEN_COMMA || kind == TOKEN_CLOSE_BRACE;
}

/* A longer name in place of one, which moves where lines break. */
static Str longer_name(Arena *scratch, Str text, const Token *token) {
    Str name = str_slice(text, token->from, token->to);
    return str_format(scratch, STR_FMT "_%s", STR_ARG(name),
                      random_below(2) == 0 ? "x" : "that_is_long_enough_to_fill_a_line");
}

static void mutate_tokens(Buf *text, Role role) {
    Arena *scratch = arena_new_unlimited();
    Diagnostics diagnostics = {.arena = scratch};
    SourceFile *file = source_file_new(scratch, STR("mutant"), buf_str(text));
    file->role = role;
    TokenList list;
    lexer_scan(&diagnostics, file, &list);
    const Token *token = &list.tokens.items[random_below(list.tokens.count)];
    const Token *other = &list.tokens.items[random_below(list.tokens.count)];
    Str copy = str_dup(scratch, str_slice(buf_str(text), other->from, other->to));
    for (int tries = 0; tries < 8 && !allows_line((TokenKind)token->kind); tries++) {
        token = &list.tokens.items[random_below(list.tokens.count)];
    }
    switch (random_below(12)) {
    case 0:
        replace(text, token->from, token->to, copy);
        break;
    case 1:
        replace(text, token->from, token->to, STR(""));
        break;
    case 2:
        replace(text, token->from, token->from, copy);
        break;
    case 3:
        replace(text, token->from, token->from, random_piece());
        break;
    case 4:
        replace(text, token->from, token->from, random_line());
        break;
    case 5:
    case 6:
    case 7:
        if (other->kind == TOKEN_NAME) {
            Str name = longer_name(scratch, buf_str(text), other);
            replace(text, other->from, other->to, name);
        }
        break;
    default:
        replace(text, token->to, token->to, random_line());
        break;
    }
    arena_free(scratch);
}

typedef struct Mutant {
    Role role;
    Buf text;
} Mutant;

static Mutant next_mutant(bool of_bytes) {
    const Seed *seed = random_seed();
    Mutant mutant = {.role = seed->role};
    buf_add(&mutant.text, str_slice(seed->text, 0, SEED_MOST));
    for (size_t count = 1 + random_below(MUTATIONS_MOST); count > 0; count--) {
        if (of_bytes) {
            mutate_bytes(&mutant.text);
        } else {
            mutate_tokens(&mutant.text, mutant.role);
        }
    }
    return mutant;
}

/* ---- tests -------------------------------------------------------------------------------- */

static void corpus_when_replayed_holds_all_properties(void **unused) {
    (void)unused;
    size_t formatted = 0;
    for (size_t i = 0; i < seeds.count; i++) {
        const Seed *seed = &seeds.items[i];
        fuzz_lexer(seed->role, seed->text);
        fuzz_parser(seed->role, seed->text);
        formatted += fuzz_formatter(seed->role, seed->text);
    }
    assert_true(seeds.count > 20);
    assert_true(formatted * 2 > seeds.count);
}

static void mutants_of_bytes_when_replayed_hold_all_properties(void **unused) {
    (void)unused;
    state = 1;
    for (int i = 0; i < MUTANTS; i++) {
        Mutant mutant = next_mutant(true);
        fuzz_lexer(mutant.role, buf_str(&mutant.text));
        fuzz_parser(mutant.role, buf_str(&mutant.text));
        buf_done(&mutant.text);
    }
}

static void mutants_of_tokens_when_replayed_hold_all_properties(void **unused) {
    (void)unused;
    state = 2;
    size_t formatted = 0;
    for (int i = 0; i < MUTANTS; i++) {
        Mutant mutant = next_mutant(false);
        fuzz_parser(mutant.role, buf_str(&mutant.text));
        formatted += fuzz_formatter(mutant.role, buf_str(&mutant.text));
        buf_done(&mutant.text);
    }
    assert_true(formatted > MUTANTS / 10); /* else the mutants prove little */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corpus_when_replayed_holds_all_properties),
        cmocka_unit_test(mutants_of_bytes_when_replayed_hold_all_properties),
        cmocka_unit_test(mutants_of_tokens_when_replayed_hold_all_properties),
    };
    static const char *const folders[] = {"examples", "library", "tests/language", "tests/apps",
                                          "tests/fuzz/corpus"};
    arena = arena_new_unlimited();
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        collect(folders[i]);
    }
    int failed = cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
    arena_free(arena);
    return failed;
}
