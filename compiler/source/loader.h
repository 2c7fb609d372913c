/* compiler/source/loader.h: finds and reads the files of a project. */
#ifndef COMPILER_SOURCE_LOADER_H
#define COMPILER_SOURCE_LOADER_H

#include "base/buf.h"
#include "compiler/source/diagnostic.h"

/* Reads module/ (and test/ when asked for) below `root`: every file that ends in .dever, no symbolic
 * links. Wrong paths are reported as C003 at the file. Returns NULL and a one-line text in *problem
 * when there is no project to speak of: root or module/ missing, a file unreadable, too large (4 MiB)
 * or not UTF-8. All memory is in diagnostics->arena. */
Project *loader_load(Diagnostics *diagnostics, Str root, bool with_tests, Buf *problem);

/* Decides role, component, domain, topic and package from a path below module/ or test/; reports
 * C003 (shape, bucket names, reserved names) and C010 (casing of path parts). Pure but for messages. */
void loader_classify(Diagnostics *diagnostics, SourceFile *file, Str path_below_root);
/* The rules between files: a role file beside a role folder, a folder with one topic (C003). */
void loader_check_layout(Diagnostics *diagnostics, const Project *project);

#endif
