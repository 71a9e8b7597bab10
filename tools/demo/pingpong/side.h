/* SPDX-License-Identifier: BSD-2-Clause */
/* One side of the game: a device, memory and a queue pair, and the meeting of two sides. */
#ifndef PINGPONG_SIDE_H
#define PINGPONG_SIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/device.h"
#include "segue/endpoint.h"
#include "segue/mr.h"
#include "segue/pool.h"
#include "segue/qp.h"

#define MESSAGE_MAX (1u << 20) /* bytes of a message written into the peer's memory */
#define INLINE_MAX  256u       /* bytes of a message sent inside of its request */
#define RECEIVES    64u
#define SENDS	    64u

/* Options of the user. */
struct choice {
	const char *device; /* NULL for the first that works */
	uint8_t port;
	int gid_index; /* RoCE. -1 for the best one */
	uint32_t rounds;
	uint32_t timeout_ms; /* for every wait */
	bool corrupt;	     /* damage one byte, to see that this is found */
};

struct side {
	struct choice choice;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct segue_pool *receives;
	struct segue_mr *mr;
	struct segue_qp *qp;
	struct segue_rc_sq *sq;
	struct segue_rq *rq;

	uint8_t *memory; /* the outbox, then the inbox */
	struct segue_local_buf outbox;
	uint8_t *inbox;

	struct segue_path path;
	struct segue_endpoint mine, theirs;
	struct segue_remote_buf target; /* the peer's inbox */
	uint32_t rounds;	    /* the caller's choice, on both sides */

	uint32_t checked, wrong;	   /* messages checked, and messages with wrong content */
	uint32_t peer_checked, peer_wrong; /* the same of the peer, known after the last meeting */
	char why[1024];			   /* the error, unless segue_errmsg() has it */
};

/*
 * Opens all objects, up to a queue pair in its first state. 0, or a negative errno with
 * segue_errmsg(). side_close() frees what was opened in both cases.
 */
int side_open(struct side *side, const struct choice *choice);
void side_close(struct side *side);

/* Two sides meet by a connection: one listens, the other calls. */
struct meeting {
	int listener; /* -1 to call */
	const char *host;
	const char *service;
};

/* Exchanges endpoints and notes with the peer. */
int side_meet(struct side *side, const struct meeting *meeting);

/* After the first meeting: posts the receives and connects the queue pair to the peer's. */
int side_connect(struct side *side);

/* A point in time that a wait may last to. */
segue_deadline side_deadline(const struct side *side);

#endif
