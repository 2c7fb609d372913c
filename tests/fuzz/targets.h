/* tests/fuzz/targets.h: what must hold for any text whatsoever. Each target aborts with a line on
 * stderr where it does not. */
#ifndef TESTS_FUZZ_TARGETS_H
#define TESTS_FUZZ_TARGETS_H

#include "compiler/source/source.h"

/* Tokens and comments are in order, inside the text, and leave out only white space. */
void fuzz_lexer(Role role, Str text);
/* Every place is inside the text, every message can be shown; a tree without messages is whole. */
void fuzz_parser(Role role, Str text);
/* Formatting keeps every token and comment, parses again and changes nothing the second time.
 * Returns whether the text could be formatted. */
bool fuzz_formatter(Role role, Str text);

#endif
