/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A key-value store with one-sided access: clients read, lock and change the slots of a server's
 * table by RDMA READ, compare and swap, and WRITE. The server's processor takes no part. At the end
 * it counts whether any change was lost.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "segue/explain.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"

#define SLOTS 16u /* few, so that clients meet */

/*
 * A slot of the table. A client that has put its own number into `owner` by compare and swap may
 * change the rest.
 */
struct slot {
	uint64_t owner; /* 0: nobody */
	uint64_t changes;
	char value[48];
};

static int open_host(struct host *host)
{
	const int ret = host_open(host, 64);

	if (ret || segue_device_caps(host->device)->atomics)
		return ret;
	fprintf(stderr, "kv: %s has no atomic operations\n", segue_device_name(host->device));
	return -ENOTSUP;
}

static int open_qp(struct host *host, struct segue_qp **qp)
{
	const struct segue_qp_options options = {.max_send_wr = 16, .max_send_sge = 1};

	return host_qp(host, options, qp);
}

static int qp_for(void *arg, unsigned int client, struct segue_qp **qp)
{
	(void)client;
	return open_qp(arg, qp);
}

static int serve(const char *port, unsigned int clients)
{
	static struct slot table[SLOTS] __attribute__((aligned(64)));
	const struct segue_mr_options memory = {
		.addr = table,
		.length = sizeof(table),
		.access = SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_WRITE |
			  SEGUE_ACCESS_REMOTE_ATOMIC,
	};
	struct host host = {.program = "kv"};
	struct segue_remote_buf all;
	struct segue_mr *mr;
	uint64_t changes = 0;
	int listener, ret = 1;

	if (open_host(&host) || segue_mr_open(host.pd, &memory, &mr) ||
	    segue_mr_remote_buf(mr, 0, sizeof(table), &all)) {
		host_complain(&host, "cannot open the table");
	} else if (!host_listen(&host, port, &listener)) {
		segue_remote_buf_pack(&all, host.user);
		/* 0 if it is free */
		ret = host_accept(&host, listener, clients, 3, qp_for, &host);
		close(listener);
	}
	for (unsigned int i = 0; i < SLOTS; i++)
		changes += table[i].changes;
	if (!ret)
		printf("%llu changes; slot 0 is \"%s\"\n", (unsigned long long)changes,
		       table[0].value);
	segue_device_close(host.device);
	return ret;
}

/* The third call means that the client is done. */
struct scratch {
	struct slot copy;
	uint64_t found; /* A client's own memory. */
};

struct client {
	struct host host;
	struct segue_remote_buf table; /* the server's */
	struct segue_rc_sq *sq;
	struct scratch *scratch;
	struct segue_local_buf copy, found; /* pieces of it */
	uint64_t id;
	unsigned int waits;
	bool failed;
};

static void done(const struct segue_wc *wc, void *arg)
{
	struct client *client = arg;
	char line[512];

	if (!wc->syndrome)
		return;
	client->failed = true;
	segue_wc_explain(wc, NULL, line, sizeof(line));
	fprintf(stderr, "kv: %s\n", line);
}

/* Waits for the one posted request. @posted: result of posting it */
static int finish(struct client *client, int posted)
{
	int ret;

	if (posted)
		return host_complain(&client->host, "cannot post");
	do
		ret = segue_cq_poll_each(client->host.cq, 1, done, client);
	while (!ret);
	return ret < 0 ? host_complain(&client->host, "cannot poll") : client->failed;
}

/* Locks a slot for this client. Waits while another client holds it. */
static int lock(struct client *client, struct segue_remote_buf owner)
{
	for (;; client->waits++) {
		const int posted = segue_post(segue_sge_buf(
			segue_compare_swap(
				segue_raddr_buf(segue_atomic_cs(client->sq, 0, SEGUE_SIGNALED),
						owner),
				0, client->id),
			client->found));

		if (finish(client, posted))
			return 1;
		if (client->scratch->found == 0)
			return 0;
	}
}

/*
 * A slot of the server's table, its parts, and those of the copy. They are checked here, before a
 * request could fail for them.
 */
struct pieces {
	struct segue_remote_buf slot, owner, rest;
	struct segue_local_buf owner_copy, rest_copy;
};

static int cut(const struct client *client, unsigned int key, struct pieces *p)
{
	const size_t whole = sizeof(struct slot), head = offsetof(struct slot, changes);
	int ret;

	ret = segue_remote_buf_part(&client->table, key * whole, whole, &p->slot);
	if (!ret)
		ret = segue_remote_buf_part(&p->slot, 0, head, &p->owner);
	if (!ret)
		ret = segue_remote_buf_part(&p->slot, head, whole - head, &p->rest);
	if (!ret)
		ret = segue_local_buf_part(&client->copy, 0, head, &p->owner_copy);
	return ret ? ret : segue_local_buf_part(&client->copy, head, whole - head, &p->rest_copy);
}

static int write_piece(struct client *client, struct segue_remote_buf to,
		       struct segue_local_buf from, uint32_t flags)
{
	return segue_post(
		segue_sge_buf(segue_raddr_buf(segue_rdma_write(client->sq, 0, flags), to), from));
}

/*
 * Changes a slot: lock, READ, WRITE, and a WRITE that unlocks, which the device executes after the
 * other one.
 */
static int change(struct client *client, unsigned int key, unsigned int round)
{
	struct slot *copy = &client->scratch->copy;
	struct pieces p;
	int posted;

	if (cut(client, key, &p))
		return host_complain(&client->host, "no such slot");
	if (lock(client, p.owner) ||
	    finish(client,
		   segue_post(segue_sge_buf(
			   segue_raddr_buf(segue_rdma_read(client->sq, 0, SEGUE_SIGNALED), p.slot),
			   client->copy))))
		return 1;
	if (copy->owner != client->id) {
		fprintf(stderr, "kv: slot %u is locked by another client\n", key);
		return 1;
	}
	copy->owner = 0;
	copy->changes++;
	snprintf(copy->value, sizeof(copy->value), "round %u of client %llu", round,
		 (unsigned long long)client->id);
	posted = write_piece(client, p.rest, p.rest_copy, 0);
	return finish(client,
		      posted ? posted : write_piece(client, p.owner, p.owner_copy, SEGUE_SIGNALED));
}

static int join(struct client *client, const char *name, const char *port)
{
	const struct segue_mr_options memory = {.addr = client->scratch,
						.length = sizeof(*client->scratch),
						.access = SEGUE_ACCESS_LOCAL_WRITE};
	struct host *host = &client->host;
	struct segue_mr *mr;
	struct segue_qp *qp;

	if (open_host(host) || segue_mr_open(host->pd, &memory, &mr) ||
	    segue_mr_local_buf(mr, offsetof(struct scratch, copy), sizeof(client->scratch->copy),
			       &client->copy) ||
	    segue_mr_local_buf(mr, offsetof(struct scratch, found), sizeof(client->scratch->found),
			       &client->found) ||
	    open_qp(host, &qp))
		return host_complain(host, "cannot open a client");
	client->sq = segue_qp_rc_sq(qp);
	client->id = segue_qp_number(qp);
	if (host_join(host, qp, name, port))
		return 1;
	return segue_remote_buf_unpack(host->theirs.user, SEGUE_REMOTE_BUF_WIRE_SIZE,
				       &client->table)
		       ? host_complain(host, "no table there")
		       : 0;
}

static int use(const char *name, const char *port, unsigned int rounds)
{
	static struct scratch scratch __attribute__((aligned(64)));
	struct client client = {.host.program = "kv", .scratch = &scratch};
	unsigned int i;
	int ret;

	ret = join(&client, name, port);
	for (i = 0; !ret && i < rounds; i++)
		ret = change(&client, i % SLOTS, i);
	if (!ret && host_call(&client.host, name, port))
		ret = host_complain(&client.host, "cannot say that it is done");
	if (!ret)
		printf("%u changes, %u times a slot was another client's\n", rounds, client.waits);
	segue_device_close(client.host.device);
	return ret;
}

static const char usage[] =
	"Usage: kv serve PORT CLIENTS           a table, until so many clients (1 to 16) are "
	"done;\n"
	"                                       PORT 0 takes a free one, and says which\n"
	"       kv use HOST PORT ROUNDS         a client that changes so many slots of it\n"
	"\n"
	"The server says at the end how many changes there were: as many as all clients have "
	"made.\n"
	"Exit status: 0 all well, 1 failure, 2 wrong usage.\n";

int main(int argc, char **argv)
{
	const struct host_commands commands = {
		.usage = usage, .serve = serve, .client = "use", .use = use};

	return host_main(argc, argv, &commands);
}
