/* runtime/lifecycle/api_error.c: dever.api.Error, its description and its codes in one table each. */
#include "runtime/lifecycle/api_error.h"

#include <dever/api.h>

#include "runtime/task/scope.h"

enum { CODE_ANY_OTHER = 500 };

static const dv_variant variants[] = {
    [dv_api_Error_Invalid] = {"Invalid", true, 0, NULL},
    [dv_api_Error_Unauthorized] = {"Unauthorized", true, 0, NULL},
    [dv_api_Error_Forbidden] = {"Forbidden", true, 0, NULL},
    [dv_api_Error_NotFound] = {"NotFound", true, 0, NULL},
    [dv_api_Error_Conflict] = {"Conflict", true, 0, NULL},
    [dv_api_Error_TooManyRequests] = {"TooManyRequests", true, 0, NULL},
};

static const int codes[] = {
    [dv_api_Error_Invalid] = 400,   [dv_api_Error_Unauthorized] = 401,
    [dv_api_Error_Forbidden] = 403, [dv_api_Error_NotFound] = 404,
    [dv_api_Error_Conflict] = 409,  [dv_api_Error_TooManyRequests] = 429,
};

const dv_type dv_api_Error_type = {
    .kind = DV_CHOICE,
    .size = sizeof(dv_api_Error),
    .name = "dever.api.Error",
    .count = COUNT_OF(variants),
    .variants = variants,
};

int api_error_code(const dv_scope *s) {
    const Failure *failure = &s->failure;
    if (failure->kind != FAILURE_BUSINESS || failure->type != &dv_api_Error_type) {
        return CODE_ANY_OTHER;
    }
    return codes[((const dv_api_Error *)failure->value)->tag];
}
