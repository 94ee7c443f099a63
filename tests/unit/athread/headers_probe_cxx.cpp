// SPDX-License-Identifier: Apache-2.0
// The C probe as C++98.
#include "headers_probe.c"
