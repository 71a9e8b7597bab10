/* SPDX-License-Identifier: BSD-2-Clause */
/* Framed, non-blocking connection between a rank and the rendezvous. */
#define _GNU_SOURCE
#include "runtime/peers/world/connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/base/socket.h"
#include "segue/base.h"

#define OUT_MIN 512u

void seguei_pipe_init(struct seguei_pipe *pipe, int fd)
{
	memset(pipe, 0, sizeof(*pipe));
	pipe->fd = fd;
}

void seguei_pipe_close(struct seguei_pipe *pipe)
{
	if (pipe->fd >= 0)
		close(pipe->fd);
	free(pipe->body);
	free(pipe->out);
	seguei_pipe_init(pipe, -1);
}

static int closed(struct seguei_pipe *pipe, int err)
{
	pipe->ended |= !err || err == ECONNRESET || err == EPIPE;
	pipe->cut |= !pipe->ended;
	return seguei_fail(ECONNRESET, "the control connection is closed%s%s", err ? ": " : "",
			   err ? strerror(err) : "");
}

/* Reads up to `count` bytes: 1 if all have arrived, otherwise 0. */
static int receive(struct seguei_pipe *pipe, uint8_t *to, uint32_t from, uint32_t count)
{
	while (pipe->have < from + count) {
		const ssize_t got = recv(pipe->fd, to + (pipe->have - from),
					 from + count - pipe->have, MSG_DONTWAIT);

		if (got > 0)
			pipe->have += (uint32_t)got;
		else if (got < 0 && errno == EINTR)
			continue;
		else if (got < 0 && seguei_socket_try_again(errno))
			return 0;
		else
			return closed(pipe, got ? errno : 0);
	}
	return 1;
}

static int take_head(struct seguei_pipe *pipe)
{
	int ret;

	if (pipe->have >= SEGUEI_HEAD_SIZE)
		return 1;
	ret = receive(pipe, pipe->head, 0, SEGUEI_HEAD_SIZE);
	if (ret <= 0)
		return ret;
	ret = seguei_frame_read_head(pipe->head, &pipe->frame);
	return ret ? ret : 1;
}

static int take_key(struct seguei_pipe *pipe)
{
	const uint32_t size = pipe->frame.key_size;
	int ret;

	if (pipe->have >= SEGUEI_HEAD_SIZE + size)
		return 1;
	ret = receive(pipe, pipe->head + SEGUEI_HEAD_SIZE, SEGUEI_HEAD_SIZE, size);
	if (ret <= 0)
		return ret;
	ret = seguei_frame_read_key(pipe->head + SEGUEI_HEAD_SIZE, &pipe->frame);
	return ret ? ret : 1;
}

static int take_body(struct seguei_pipe *pipe)
{
	const uint32_t size = pipe->frame.body_size;

	if (!pipe->body && size) {
		pipe->body = malloc(size + 1); /* room for the end of a sentence */
		if (!pipe->body)
			return seguei_fail(ENOMEM, "World: no memory for a frame of %u bytes.",
					   size);
		pipe->body[size] = 0;
	}
	return receive(pipe, pipe->body, SEGUEI_HEAD_SIZE + pipe->frame.key_size, size);
}

int seguei_pipe_take(struct seguei_pipe *pipe, struct seguei_frame *out)
{
	int ret;

	if (pipe->handed_out) {
		free(pipe->body);
		pipe->body = NULL;
		pipe->have = 0;
		pipe->handed_out = false;
	}
	ret = take_head(pipe);
	if (ret > 0)
		ret = take_key(pipe);
	if (ret > 0)
		ret = take_body(pipe);
	if (ret <= 0)
		return ret;
	pipe->frame.body = pipe->body;
	pipe->handed_out = true;
	*out = pipe->frame;
	return 1;
}

static int make_room(struct seguei_pipe *pipe, size_t bytes)
{
	size_t capacity = pipe->out_capacity ? pipe->out_capacity : OUT_MIN;
	uint8_t *out;

	if (pipe->out_end + bytes <= pipe->out_capacity)
		return 0;
	if (pipe->out_at) {
		memmove(pipe->out, pipe->out + pipe->out_at, pipe->out_end - pipe->out_at);
		pipe->out_end -= pipe->out_at;
		pipe->out_at = 0;
	}
	if (pipe->out_end + bytes > SEGUEI_PIPE_WAITING_MAX)
		return seguei_fail(ENOBUFS,
				   "World: %zu bytes wait to be sent, and the peer does not read.",
				   pipe->out_end);
	while (capacity < pipe->out_end + bytes)
		capacity *= 2;
	if (capacity == pipe->out_capacity)
		return 0;
	out = realloc(pipe->out, capacity);
	if (!out)
		return seguei_fail(ENOMEM, "World: no memory for %zu bytes to be sent.", capacity);
	pipe->out = out;
	pipe->out_capacity = capacity;
	return 0;
}

int seguei_pipe_add(struct seguei_pipe *pipe, const struct seguei_frame *frame)
{
	const int ret = make_room(pipe, SEGUEI_HEAD_SIZE + SEGUE_WORLD_KEY_MAX +
						(size_t)frame->body_size);

	if (ret)
		return ret;
	pipe->out_end += seguei_frame_write(frame, pipe->out + pipe->out_end);
	if (frame->body_size)
		memcpy(pipe->out + pipe->out_end, frame->body, frame->body_size);
	pipe->out_end += frame->body_size;
	return 0;
}

int seguei_pipe_flush(struct seguei_pipe *pipe)
{
	while (seguei_pipe_waiting(pipe)) {
		const ssize_t sent = send(pipe->fd, pipe->out + pipe->out_at,
					  pipe->out_end - pipe->out_at,
					  MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent > 0)
			pipe->out_at += (size_t)sent;
		else if (sent < 0 && errno == EINTR)
			continue;
		else if (sent < 0 && seguei_socket_try_again(errno))
			return 0;
		else
			return closed(pipe, errno);
	}
	return 0;
}
