/* tests/fuzz/libfuzzer.c: the entry of libFuzzer. FUZZ_TARGET names the target; the first byte of an
 * input is the role of the file. */
#include "tests/fuzz/targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0) {
        FUZZ_TARGET((Role)(data[0] % ROLE_COUNT), (Str){(const char *)data + 1, size - 1});
    }
    return 0;
}
