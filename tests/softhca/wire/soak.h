/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared by the files of soak_verbs: soak_verbs.c (reliable traffic), soak_lossy.c (UC and UD),
 * soak_setup.c (queues and their connection).
 */
#ifndef SOFTHCA_TESTS_SOAK_H
#define SOFTHCA_TESTS_SOAK_H

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

#define DEPTH	   64u
#define SLOT	   131072u
#define DC_KEY	   0x1234abcd
#define Q_KEY	   0x11111111u
#define GRH	   40u
#define MTU	   1024u
#define MAX_INLINE 64u
#define WINDOWS	   8u
#define DEADLINE   600 /* seconds without any completion */

/* SRQ: reliable connections on a shared receive queue. */
enum soak_mode { RC, SRQ, XRC, DC, UC, UD };
/* What UC and UD have to expect. */
enum soak_wire { WIRE_LOSES, WIRE_DUPLICATES, WIRE_PERFECT };
enum kind {
	SEND,
	SEND_IMM,
	WRITE,
	WRITE_IMM,
	READ,
	ADD,
	SWAP,
	MASKED_ADD,
	MASKED_SWAP,
	SEND_INV,
	BIND, /* makes a memory window for the peer to invalidate; not part of the stream */
};

struct op {
	enum kind kind;
	bool is_inline;
	uint32_t len, window;
	uint64_t id; /* place in the stream */
	uint64_t expect;
};

/* What both processes see of one side: its registered memory. */
struct memory {
	uint8_t local[DEPTH][SLOT];
	uint8_t written[DEPTH][SLOT]; /* target of the peer's writes */
	uint8_t received[DEPTH][SLOT];
	uint8_t fixed[2 * SLOT]; /* source of the peer's reads */
	uint64_t cells[4];
	uint32_t windows[WINDOWS]; /* keys that the peer may invalidate; 0: none at present */
	uint64_t newest; /* unreliable modes: the newest of the peer's messages that came, plus 1 */
	bool over;	 /* and: everything was sent */
};

struct hello {
	uint64_t base;
	uint32_t rkey, qpn, tgt_qpn, srqn, psn;
	uint16_t lid;
	union ibv_gid gid;
};

struct side {
	enum soak_mode mode;
	struct memory *mine, *peers;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct ibv_cq *send_cq, *recv_cq;
	struct ibv_srq *srq;
	struct ibv_xrcd *xrcd;
	struct ibv_qp *qp, *tgt;
	struct ibv_ah *ah;
	bool roce;
	struct hello me, peer;
	uint64_t my_random, peer_random;
	struct op ops[DEPTH];
	struct ibv_mw *mw[WINDOWS];
	struct op waiting; /* drawn, and not posted yet */
	bool is_waiting;
	uint64_t next, done, drawn; /* next and done count what was posted, drawn the stream */
	uint64_t added, swapped, masked_added, masked_swapped, invalidated, bound;
	uint64_t recv_posted, recv_done, recv_stream, recv_invalidated;
};

/* soak_die: ends the program with errno's text. soak_check: the same if !ok, about operation n. */
_Noreturn void soak_die(const char *what);
void soak_check(bool ok, const char *what, uint64_t n);
/* soak_draw: the next of a side's stream of operations; both processes draw the same. */
struct op soak_draw(enum soak_mode mode, uint64_t *random);
uint64_t soak_random(uint64_t *state);
/* soak_fill, soak_filled: bytes that follow from `id`. */
void soak_fill(uint8_t *p, uint32_t len, uint64_t id);
bool soak_filled(const uint8_t *p, uint32_t len, uint64_t id);

/* soak_setup.c */
void soak_exchange(int fd, const void *mine, void *theirs, size_t size);
void soak_open(struct side *s);
void soak_create(struct side *s);
void soak_connect(struct side *s, int fd);
void soak_post_receives(struct side *s);
uint64_t soak_remote(const struct side *s, const void *in_peers_memory);

/* soak_lossy.c */
void soak_lossy(struct side *s, uint64_t count, enum soak_wire wire);

#endif
