/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames over a non-blocking stream socket, with a partly received frame and unsent bytes. */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_CONNECTION_H
#define SEGUE_RUNTIME_PEERS_WORLD_CONNECTION_H

#include <stdbool.h>

#include "runtime/peers/world/frames.h"

/* Limit of unsent bytes for one peer. They would grow for ever if the peer did not read. */
#define SEGUEI_PIPE_WAITING_MAX (256u << 20)

struct seguei_pipe {
	int fd;
	struct seguei_frame frame; /* the current frame, once its head has arrived */
	uint8_t head[SEGUEI_HEAD_SIZE + SEGUE_WORLD_KEY_MAX];
	uint32_t have; /* of head, key and body */
	uint8_t *body;
	bool handed_out; /* the frame is complete, and the caller has it */
	bool ended;	 /* the kernel at the other end has closed the connection */
	bool cut;	 /* the connection broke without that */
	uint8_t *out;
	size_t out_at, out_end, out_capacity;
};

void seguei_pipe_init(struct seguei_pipe *pipe, int fd);

/* Closes the socket and frees the current frame. */
void seguei_pipe_close(struct seguei_pipe *pipe);

/*
 * Reads on: 1 and a frame, whose body stays valid until the next call, or 0 if no frame is
 * complete, or a negative errno with a sentence: -ECONNRESET if the peer has closed, -EPROTO if its
 * bytes are invalid, -ENOMEM.
 */
int seguei_pipe_take(struct seguei_pipe *pipe, struct seguei_frame *out);

/* Queues a frame for sending. 0, -ENOMEM, or -ENOBUFS above the limit of unsent bytes. */
int seguei_pipe_add(struct seguei_pipe *pipe, const struct seguei_frame *frame);

/* Sends as much as possible: 0 or a negative errno. */
int seguei_pipe_flush(struct seguei_pipe *pipe);

static inline bool seguei_pipe_waiting(const struct seguei_pipe *pipe)
{
	return pipe->out_at != pipe->out_end;
}

#endif
