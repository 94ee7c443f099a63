// SPDX-License-Identifier: Apache-2.0
// Register-to-register part of simd.h: arithmetic, select, compare, integer, insert/extract, shuffle, print.
// The multiply-adds round twice here (the machine once): compare results with a tolerance.
#ifndef SWGEN_ATHREAD_SIMD_OPS_H
#define SWGEN_ATHREAD_SIMD_OPS_H

#include <stdio.h>

#define simd_vaddd(a, b) ((a) + (b))
#define simd_vadds(a, b) ((a) + (b))
#define simd_vsubd(a, b) ((a) - (b))
#define simd_vsubs(a, b) ((a) - (b))
#define simd_vmuld(a, b) ((a) * (b))
#define simd_vmuls(a, b) ((a) * (b))
#define simd_vdivd(a, b) ((a) / (b))
#define simd_vdivs(a, b) ((a) / (b))
#define simd_vmad(a, b, c) ((a) * (b) + (c))
#define simd_vmas(a, b, c) ((a) * (b) + (c))
#define simd_vmsd(a, b, c) ((a) * (b) - (c))
#define simd_vmss(a, b, c) ((a) * (b) - (c))
#define simd_vnmad(a, b, c) ((c) - (a) * (b))
#define simd_vnmas(a, b, c) ((c) - (a) * (b))
#define simd_vnmsd(a, b, c) (-((a) * (b)) - (c))
#define simd_vnmss(a, b, c) (-((a) * (b)) - (c))

#define simd_vsqrtd(a)                                                                                 \
  __extension__({                                                                                      \
    doublev4 swgen_q_ = (a);                                                                           \
    (doublev4){__builtin_sqrt(swgen_q_[0]), __builtin_sqrt(swgen_q_[1]), __builtin_sqrt(swgen_q_[2]),  \
               __builtin_sqrt(swgen_q_[3])};                                                           \
  })
#define simd_vsqrts(a)                                                                                    \
  __extension__({                                                                                         \
    floatv4 swgen_q_ = (a);                                                                               \
    (floatv4){__builtin_sqrtf(swgen_q_[0]), __builtin_sqrtf(swgen_q_[1]), __builtin_sqrtf(swgen_q_[2]),   \
              __builtin_sqrtf(swgen_q_[3])};                                                              \
  })

// Per lane: a OP 0 ? b : c.
#define SWGEN_SELECT_(a, op, b, c)                                                         \
  __extension__({                                                                          \
    SWGEN_TYPE_(b) swgen_b_ = (b), swgen_c_ = (c);                                          \
    __typeof__((a) == (a)) swgen_m_ = ((a)op(SWGEN_TYPE_(a)){0});                           \
    (SWGEN_TYPE_(b))((swgen_m_ & (__typeof__(swgen_m_))swgen_b_) |                          \
                    (~swgen_m_ & (__typeof__(swgen_m_))swgen_c_));                         \
  })
#define simd_vseleq(a, b, c) SWGEN_SELECT_(a, ==, b, c)
#define simd_vselne(a, b, c) SWGEN_SELECT_(a, !=, b, c)
#define simd_vsellt(a, b, c) SWGEN_SELECT_(a, <, b, c)
#define simd_vselle(a, b, c) SWGEN_SELECT_(a, <=, b, c)
#define simd_vselgt(a, b, c) SWGEN_SELECT_(a, >, b, c)

// Floating compares give 2.0 or 0.0 per lane.
#define SWGEN_FCMP_(a, op, b)                                                              \
  __extension__({                                                                          \
    SWGEN_TYPE_(a) swgen_t_ = {2, 2, 2, 2};                                                 \
    __typeof__((a) == (a)) swgen_m_ = ((a)op(b));                                          \
    (SWGEN_TYPE_(a))(swgen_m_ & (__typeof__(swgen_m_))swgen_t_);                            \
  })
#define simd_vfcmpeq(a, b) SWGEN_FCMP_(a, ==, b)
#define simd_vfcmple(a, b) SWGEN_FCMP_(a, <=, b)
#define simd_vfcmplt(a, b) SWGEN_FCMP_(a, <, b)

// Sign of a, the rest of b; vcpysn takes the opposite sign.
#define SWGEN_SIGN_(a, flip, b)                                                                          \
  __extension__({                                                                                        \
    SWGEN_TYPE_(a) swgen_a_ = (a), swgen_b_ = (b), swgen_z_ = -(SWGEN_TYPE_(a)){0};                        \
    __typeof__((a) == (a)) swgen_s_ = (__typeof__((a) == (a)))swgen_z_;                                  \
    __typeof__((a) == (a)) swgen_x_ = flip((__typeof__(swgen_s_))swgen_a_);                              \
    (SWGEN_TYPE_(a))((swgen_x_ & swgen_s_) | ((__typeof__(swgen_s_))swgen_b_ & ~swgen_s_));               \
  })
#define simd_vcpys(a, b) SWGEN_SIGN_(a, , b)
#define simd_vcpysn(a, b) SWGEN_SIGN_(a, ~, b)

#define simd_vaddw(a, b) ((a) + (b))
#define simd_vsubw(a, b) ((a) - (b))
#define simd_vandw(a, b) ((a) & (b))
#define simd_vbicw(a, b) ((a) & ~(b))
#define simd_vbisw(a, b) ((a) | (b))
#define simd_vornotw(a, b) ((a) | ~(b))
#define simd_vxorw(a, b) ((a) ^ (b))
#define simd_veqvw(a, b) (~((a) ^ (b)))
#define simd_vsllw(a, n) ((intv8)((uintv8)(a) << (n)))
#define simd_vsrlw(a, n) ((intv8)((uintv8)(a) >> (n)))
#define simd_vsraw(a, n) ((intv8)(a) >> (n))
#define simd_vaddl(a, b) ((SWGEN_TYPE_(a))((swgen_longv4)(a) + (swgen_longv4)(b)))

// Lane n of b replaced by a (a scalar sits in lane 0 of its register).
#define SWGEN_INSERT_(a, b, n)       \
  __extension__({                    \
    SWGEN_TYPE_(b) swgen_i_ = (b);    \
    swgen_i_[n] = (a);               \
    swgen_i_;                        \
  })
#define simd_vinsf0(a, b) SWGEN_INSERT_(a, b, 0)
#define simd_vinsf1(a, b) SWGEN_INSERT_(a, b, 1)
#define simd_vinsf2(a, b) SWGEN_INSERT_(a, b, 2)
#define simd_vinsf3(a, b) SWGEN_INSERT_(a, b, 3)
#define simd_vinsw0(a, b) SWGEN_INSERT_(a, b, 0)
#define simd_vinsw1(a, b) SWGEN_INSERT_(a, b, 1)
#define simd_vinsw2(a, b) SWGEN_INSERT_(a, b, 2)
#define simd_vinsw3(a, b) SWGEN_INSERT_(a, b, 3)
#define simd_vinsw4(a, b) SWGEN_INSERT_(a, b, 4)
#define simd_vinsw5(a, b) SWGEN_INSERT_(a, b, 5)
#define simd_vinsw6(a, b) SWGEN_INSERT_(a, b, 6)
#define simd_vinsw7(a, b) SWGEN_INSERT_(a, b, 7)
#define simd_vextf0(a) ((a)[0])
#define simd_vextf1(a) ((a)[1])
#define simd_vextf2(a) ((a)[2])
#define simd_vextf3(a) ((a)[3])
#define simd_vextw0(a) ((a)[0])
#define simd_vextw1(a) ((a)[1])
#define simd_vextw2(a) ((a)[2])
#define simd_vextw3(a) ((a)[3])
#define simd_vextw4(a) ((a)[4])
#define simd_vextw5(a) ((a)[5])
#define simd_vextw6(a) ((a)[6])
#define simd_vextw7(a) ((a)[7])
#define simd_vcpyf(a) simd_vshff(a, a, 0)

// doublev4 and floatv4: lanes 0,1 from vb (rc<1:0>, rc<3:2>), lanes 2,3 from va (rc<5:4>, rc<7:6>).
#define simd_vshff(va, vb, rc)                                                                     \
  __extension__({                                                                                  \
    SWGEN_TYPE_(va) swgen_va_ = (va), swgen_vb_ = (vb);                                             \
    (SWGEN_TYPE_(va)){swgen_vb_[(rc)&3], swgen_vb_[((rc) >> 2) & 3], swgen_va_[((rc) >> 4) & 3],    \
                     swgen_va_[((rc) >> 6) & 3]};                                                  \
  })

#define simd_print_doublev4(v) \
  printf("[ %.12e, %.12e, %.12e, %.12e ]\n", (v)[0], (v)[1], (v)[2], (v)[3])
#define simd_print_floatv4(v) \
  printf("[ %.7e, %.7e, %.7e, %.7e ]\n", (double)(v)[0], (double)(v)[1], (double)(v)[2], (double)(v)[3])
#define simd_print_intv8(v)                                                                              \
  printf("[ %d, %d, %d, %d, %d, %d, %d, %d ]\n", (v)[0], (v)[1], (v)[2], (v)[3], (v)[4], (v)[5], (v)[6], \
         (v)[7])

#endif
