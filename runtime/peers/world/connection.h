/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames over a stream socket that does not block: what has come in part, and what could not be
 * sent yet.
 */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_CONNECTION_H
#define SEGUE_RUNTIME_PEERS_WORLD_CONNECTION_H

#include <stdbool.h>

#include "runtime/peers/world/frames.h"

/*
 * Bytes that may wait to be sent to one peer: without a limit they would grow for a peer that does
 * not read.
 */
#define SEGUEI_PIPE_WAITING_MAX (256u << 20)

struct seguei_pipe {
	int fd;
	struct seguei_frame frame; /* under way, once its head is there */
	uint8_t head[SEGUEI_HEAD_SIZE + SEGUE_WORLD_KEY_MAX];
	uint32_t have; /* bytes of head, key and body */
	uint8_t *body;
	bool handed_out; /* it is whole, and the reader has it */
	bool ended;	 /* the kernel at the other end says so */
	bool cut;	 /* or nobody there says anything */
	uint8_t *out;
	size_t out_at, out_end, out_capacity;
};

void seguei_pipe_init(struct seguei_pipe *pipe, int fd);

/* Closes the socket and frees what was under way. */
void seguei_pipe_close(struct seguei_pipe *pipe);

/*
 * What is read of the network goes on with this call: 1 and a frame, whose body stays until the
 * next call; 0 if nothing whole is there yet; or a negative errno with a sentence: -ECONNRESET if
 * the peer has closed, -EPROTO if it sends nonsense, -ENOMEM.
 */
int seguei_pipe_take(struct seguei_pipe *pipe, struct seguei_frame *out);

/* Keeps a frame for sending. 0, -ENOMEM, or -ENOBUFS if too much waits. */
int seguei_pipe_add(struct seguei_pipe *pipe, const struct seguei_frame *frame);

/* Sends what can be sent: 0 or a negative errno. */
int seguei_pipe_flush(struct seguei_pipe *pipe);

static inline bool seguei_pipe_waiting(const struct seguei_pipe *pipe)
{
	return pipe->out_at != pipe->out_end;
}

#endif
