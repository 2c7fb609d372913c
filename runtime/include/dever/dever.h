/* dever/dever.h: the door between generated C and the runtime: the one header that generated code
 * includes. */
#ifndef DEVER_DEVER_H
#define DEVER_DEVER_H

#include <dever/api.h>
#include <dever/collection.h>
#include <dever/database.h>
#include <dever/job.h>
#include <dever/number.h>
#include <dever/package.h>
#include <dever/program.h>
#include <dever/scope.h>
#include <dever/type.h>
#include <dever/value.h>

#endif
