// SPDX-License-Identifier: Apache-2.0
// SIMD types, memory access, arithmetic and register communication of the CPE, emulated with vector extensions.
// Everything is a macro: 32-byte vectors by value through functions would depend on the x86 ISA flags.
// floatv4 takes 16 bytes in memory; in a register message it travels widened to four doubles, as on the machine.
#ifndef SWGEN_ATHREAD_SIMD_H
#define SWGEN_ATHREAD_SIMD_H

#include "swgen_athread_abi.h"

typedef double doublev4 __attribute__((vector_size(32)));
typedef float floatv4 __attribute__((vector_size(16)));
typedef int intv8 __attribute__((vector_size(32)));
typedef unsigned int uintv8 __attribute__((vector_size(32)));
typedef long swgen_longv4 __attribute__((vector_size(32)));

// Type of a vector expression without its qualifiers.
#define SWGEN_TYPE_(v) __typeof__((v) + (v))

#define SWGEN_LOAD_(v, p, align)                                                                             \
  __extension__({                                                                                            \
    SWGEN_TYPE_(v) swgen_l_;                                                                                  \
    __builtin_memcpy(&swgen_l_, swgen_athread_vector_load((p), sizeof(swgen_l_), (align)), sizeof(swgen_l_)); \
    (v) = swgen_l_;                                                                                          \
    (void)0;                                                                                                 \
  })
#define SWGEN_STORE_(v, p, align)                                                                             \
  __extension__({                                                                                             \
    SWGEN_TYPE_(v) swgen_s_ = (v);                                                                             \
    __builtin_memcpy(swgen_athread_vector_store((p), sizeof(swgen_s_), (align)), &swgen_s_, sizeof(swgen_s_)); \
    (void)0;                                                                                                  \
  })

// Destination first. Aligned forms want 32 bytes (floatv4: 16); unaligned ones the element size.
#define simd_load(v, p) SWGEN_LOAD_(v, p, sizeof(v))
#define simd_loadu(v, p) SWGEN_LOAD_(v, p, sizeof((v)[0]))
#define simd_store(v, p) SWGEN_STORE_(v, p, sizeof(v))
#define simd_storeu(v, p) SWGEN_STORE_(v, p, sizeof((v)[0]))
// One element replicated. x - 0 keeps every x, including -0.0.
#define simd_loade(v, p)                                                                               \
  __extension__({                                                                                      \
    __typeof__((v)[0]) swgen_e_;                                                                       \
    __builtin_memcpy(&swgen_e_, swgen_athread_vector_load((p), sizeof(swgen_e_), sizeof(swgen_e_)),    \
                     sizeof(swgen_e_));                                                                \
    (v) = swgen_e_ - (SWGEN_TYPE_(v)){0};                                                               \
    (void)0;                                                                                           \
  })

// Widening and splatting: on the machine casts do this, which is neither C99 nor C++98.
#define simd_splat_doublev4(s) ((double)(s) - (doublev4){0})
#define simd_splat_floatv4(s) ((float)(s) - (floatv4){0})
#define simd_splat_intv8(s) ((int)(s) - (intv8){0})
#define simd_widen(f) __builtin_convertvector((f), doublev4)
#define simd_narrow(d) __builtin_convertvector((d), floatv4)

#define simd_set_doublev4(a, b, c, d) ((doublev4){(double)(a), (double)(b), (double)(c), (double)(d)})
#define simd_set_floatv4(a, b, c, d) ((floatv4){(float)(a), (float)(b), (float)(c), (float)(d)})
#define simd_set_intv8(a, b, c, d, e, f, g, h) \
  ((intv8){(int)(a), (int)(b), (int)(c), (int)(d), (int)(e), (int)(f), (int)(g), (int)(h)})

// Register communication. A get gives the next message of this CPE's row or column FIFO: x = simd_getr(x).
#define SWGEN_PUT_(direction, v, dst)                                            \
  __extension__({                                                                \
    SWGEN_TYPE_(v) swgen_p_ = (v);                                                \
    swgen_athread_rlc_put((direction), &swgen_p_, sizeof(swgen_p_), (dst));      \
  })
#define SWGEN_GET_(direction, v)                                        \
  __extension__({                                                       \
    SWGEN_TYPE_(v) swgen_g_;                                             \
    swgen_athread_rlc_get((direction), &swgen_g_, sizeof(swgen_g_));    \
    swgen_g_;                                                           \
  })
#define simd_putr(v, dst) SWGEN_PUT_(0, v, dst)
#define simd_putc(v, dst) SWGEN_PUT_(1, v, dst)
#define simd_getr(v) SWGEN_GET_(0, v)
#define simd_getc(v) SWGEN_GET_(1, v)

// Load and broadcast to the seven others; double and int only.
#define SWGEN_LOAD_SEND_(load, direction, v, p)                                                              \
  __extension__({                                                                                            \
    typedef char swgen_no_float_load_and_send_[sizeof(v) == 32 ? 1 : -1] __attribute__((unused));             \
    load(v, p);                                                                                              \
    SWGEN_PUT_(direction, v, 8);                                                                             \
  })
#define simd_loadr(v, p) SWGEN_LOAD_SEND_(simd_load, 0, v, p)
#define simd_loadc(v, p) SWGEN_LOAD_SEND_(simd_load, 1, v, p)
#define simd_loader(v, p) SWGEN_LOAD_SEND_(simd_loade, 0, v, p)
#define simd_loadec(v, p) SWGEN_LOAD_SEND_(simd_loade, 1, v, p)

#include "simd_ops.h"
#endif
