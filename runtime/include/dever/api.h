/* dever/api.h: failures that an entry answers with a code of their own. */
#ifndef DEVER_API_H
#define DEVER_API_H

#include <dever/type.h>

/* The choice dever.api.Error, without payloads; the names are those that generated code writes. */
typedef enum dv_api_error_tag {
    dv_api_Error_Invalid,
    dv_api_Error_Unauthorized,
    dv_api_Error_Forbidden,
    dv_api_Error_NotFound,
    dv_api_Error_Conflict,
    dv_api_Error_TooManyRequests
} dv_api_error_tag;

typedef struct dv_api_Error {
    int32_t tag;
} dv_api_Error;

extern const dv_type dv_api_Error_type;

#endif
