// SPDX-License-Identifier: Apache-2.0
#include "peak_kernel.h"

namespace swgen::bench {

float peak_256(long steps, float scale, float offset) {
    typedef float Vector __attribute__((vector_size(32)));
    return peak_loop<Vector>(steps, scale, offset);
}

}  // namespace swgen::bench
