/* SPDX-License-Identifier: BSD-2-Clause */
/* What corpus_client writes and engine_fuzz.cc reads: steps of its little programs, and
 * placeholders. */
#ifndef SOFTHCA_TESTS_CORPUS_H
#define SOFTHCA_TESTS_CORPUS_H

/* The first byte of a program: which queue pairs. */
enum corpus_pair { CORPUS_RC, CORPUS_UC, CORPUS_UD, CORPUS_XRC, CORPUS_DC };

/* Steps. A request is followed by CORPUS_RECORDED, its size in units of 16 bytes, and its bytes. */
#define CORPUS_RECEIVE	0x8c
#define CORPUS_TURNS	14
#define CORPUS_REQUEST	31
#define CORPUS_RECORDED 0x80

/* A key: this and the number of a key of the fuzzer. An address: this and an offset into its
 * memory. */
#define CORPUS_KEY	0xa5eed000u
#define CORPUS_ADDRESS	0x5eed000000000000ull

#endif
