/* runtime/lifecycle/api_error.h: the code that a failure is answered with. */
#ifndef RUNTIME_LIFECYCLE_API_ERROR_H
#define RUNTIME_LIFECYCLE_API_ERROR_H

#include <dever/scope.h>

/* 400 to 429 for the variants of dever.api.Error, 500 for every other failure in the scope. */
int api_error_code(const dv_scope *s);

#endif
