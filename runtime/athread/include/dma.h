// SPDX-License-Identifier: Apache-2.0
// Descriptor interface of the DMA engine (slave side). Compiles as C99 and C++98.
#ifndef SWGEN_ATHREAD_DMA_H
#define SWGEN_ATHREAD_DMA_H

#include "swgen_athread_abi.h"

typedef enum { PE_MODE = 0, BCAST_MODE = 1, ROW_MODE = 2, BROW_MODE = 3, RANK_MODE = 4 } dma_mode;
typedef enum { DMA_PUT = 0, DMA_GET = 1, DMA_PUT_P = 2, DMA_GET_P = 3, DMA_BARRIER = 5 } dma_op;

// 128 bits, low to high: size 24, pad 8, bsize 20, pad 4, op 4, mode 4, reply offset 16, pad 8, mask 8, stepsize 32.
// A scalar rather than a vector, so that the usual "dma_desc d = 0" is C99 and C++98.
__extension__ typedef unsigned __int128 dma_desc;

#ifdef __cplusplus
extern "C" {
#endif

void dma_set_size(dma_desc *d, long bytes);      // total bytes for this CPE, multiple of 4, below 2^24
void dma_set_bsize(dma_desc *d, long bytes);     // bytes per block; 0 = contiguous
void dma_set_stepsize(dma_desc *d, long bytes);  // gap between blocks in memory (not the pitch)
void dma_set_op(dma_desc *d, int op);
void dma_set_mode(dma_desc *d, int mode);
void dma_set_mask(dma_desc *d, int rows);        // BCAST_MODE: one bit per row
void dma_barrier(void);                          // waits for all requests of this CPE

void swgen_athread_dma_set_reply(dma_desc *d, volatile void *reply);
void swgen_athread_dma_init(dma_desc *d, volatile void *reply);
void swgen_athread_dma(dma_desc d, long mem, long ldm);
void swgen_athread_dma_wait(volatile void *reply, int count);

#ifdef __cplusplus
}
#endif

// Macros accept both int and unsigned reply words, and addresses as pointers or as long.
#define dma_set_reply(d, reply) swgen_athread_dma_set_reply((d), (volatile void *)(reply))
#define dma_descriptor_init(d, reply) swgen_athread_dma_init((d), (volatile void *)(reply))
#define dma(desc, mem, ldm) swgen_athread_dma((desc), (long)(mem), (long)(ldm))
#define dma_wait(reply, count) swgen_athread_dma_wait((volatile void *)(reply), (count))

#endif
