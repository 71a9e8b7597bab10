/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A key-value store that is used from one side: clients read, lock and change the slots of a server's table by RDMA READ, compare
 * and swap, and WRITE. The server's processor takes no part; at the end it counts whether any change was lost.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "segue/cq_object.h"
#include "segue/device.h"
#include "segue/endpoint.h"
#include "segue/errmsg.h"
#include "segue/explain.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"
#include "segue/qp.h"

#define SLOTS	    16u /* few, so that clients meet */
#define CLIENTS_MAX 16u
#define WAIT_MS	    60000

/* A slot of the table. Whoever puts a number of its own into `owner` by compare and swap may change the rest. */
struct slot {
	uint64_t owner; /* 0: nobody */
	uint64_t changes;
	char value[48];
};

struct host {
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct segue_path path;
	struct segue_endpoint mine, theirs;
	struct segue_remote table; /* the server's */
};

static int complain(const char *what)
{
	fprintf(stderr, "kv: %s: %s\n", what, segue_errmsg());
	return 1;
}

static int open_host(struct host *host)
{
	const struct segue_cq_options cq = {.entries = 64};
	int ret;

	ret = segue_device_open(&host->device, NULL);
	if (!ret && !segue_device_caps(host->device)->atomics) {
		fprintf(stderr, "kv: %s has no atomic operations\n", segue_device_name(host->device));
		return -ENOTSUP;
	}
	if (!ret)
		ret = segue_pd_open(host->device, &host->pd);
	if (!ret)
		ret = segue_cq_open(host->device, &cq, &host->cq);
	if (!ret)
		ret = segue_path_init(&host->path, host->device, 1);
	host->path.timeout = 18; /* a second: a peer that waits for a processor is not a dead one */
	return ret;
}

/* A queue pair, and what the other side must know of it. */
static int open_qp(struct host *host, struct segue_qp **qp)
{
	const struct segue_qp_options options = {
		.type = SEGUE_QP_RC, .send_cq = host->cq, .recv_cq = host->cq, .max_send_wr = 16, .max_send_sge = 1};
	int ret;

	ret = segue_qp_open(host->pd, &options, qp);
	if (!ret)
		ret = segue_endpoint_describe(&host->mine, *qp, &host->path);
	if (!ret && host->table.length)
		segue_remote_write(&host->table, host->mine.user);
	return ret;
}

static int connect_qp(struct host *host, struct segue_qp *qp)
{
	struct segue_path path = host->path;
	int ret;

	ret = segue_path_to(&path, &host->theirs);
	return ret ? ret : segue_qp_connect(qp, &path);
}

/*
 * A client calls three times: to connect, to be sure that both sides are connected, and when it is done. Who calls is known by the
 * number of its queue pair.
 */
static int serve_clients(struct host *host, int listener, unsigned int clients)
{
	uint32_t known[CLIENTS_MAX];
	unsigned int count = 0, calls, i;
	struct segue_qp *next;

	if (open_qp(host, &next))
		return complain("no queue pair");
	for (calls = 0; calls < 3 * clients; calls++) {
		if (segue_exchange_accept(listener, &host->mine, &host->theirs, segue_deadline_in_ms(WAIT_MS)))
			return complain("nobody calls");
		for (i = 0; i < count && known[i] != host->theirs.qpn; i++)
			;
		if (i < count)
			continue; /* not the first time */
		if (count == clients || connect_qp(host, next))
			return complain("cannot connect a client");
		known[count++] = host->theirs.qpn;
		if (count < clients && open_qp(host, &next))
			return complain("no queue pair");
	}
	return 0;
}

static int serve(const char *port, unsigned int clients)
{
	static struct slot table[SLOTS] __attribute__((aligned(64)));
	const struct segue_mr_attr memory = {
		.addr = table,
		.length = sizeof(table),
		.access = SEGUE_ACCESS_FLAGS_REMOTE_READ | SEGUE_ACCESS_FLAGS_REMOTE_WRITE | SEGUE_ACCESS_FLAGS_REMOTE_ATOMIC,
	};
	struct host host = {0};
	struct segue_mr *mr;
	uint64_t changes = 0;
	int listener, ret = 1;
	uint16_t number;

	if (open_host(&host) || segue_mr_open_shared(host.pd, &memory, &mr) || segue_mr_remote(mr, 0, sizeof(table), &host.table))
		complain("cannot open the table");
	else if (segue_exchange_open(port, &listener) || segue_exchange_port(listener, &number))
		complain("cannot listen");
	else {
		printf("port %u\n", number);
		fflush(stdout);
		ret = serve_clients(&host, listener, clients);
		close(listener);
	}
	for (unsigned int i = 0; i < SLOTS; i++)
		changes += table[i].changes;
	if (!ret)
		printf("%llu changes; slot 0 is \"%s\"\n", (unsigned long long)changes, table[0].value);
	segue_device_close(host.device);
	return ret;
}

/* What a client has of its own. */
struct scratch {
	struct slot copy;
	uint64_t found; /* by compare and swap */
};

struct client {
	struct host host;
	struct segue_rc_sq *sq;
	struct scratch *scratch;
	struct segue_local copy, found; /* pieces of it */
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

/* Waits for the one request that was posted. @posted: what posting it has returned */
static int finish(struct client *client, int posted)
{
	int ret;

	if (posted)
		return complain("cannot post");
	do
		ret = segue_cq_poll(client->host.cq, 1, done, client);
	while (!ret);
	return ret < 0 ? complain("cannot poll") : client->failed;
}

/* Makes a slot this client's, waiting while it is another's. */
static int lock(struct client *client, struct segue_remote owner)
{
	for (;; client->waits++) {
		const int posted = segue_post(segue_sge_piece(
			segue_atomic(segue_raddr_piece(segue_atomic_cs(client->sq, 0, SEGUE_SIGNALED), owner), client->id, 0),
			client->found));

		if (finish(client, posted))
			return 1;
		if (client->scratch->found == 0)
			return 0;
	}
}

/* A slot of the server's table, its parts, and those of the copy. Pieces are checked here, before a request could fail for them. */
struct pieces {
	struct segue_remote slot, owner, rest;
	struct segue_local owner_copy, rest_copy;
};

static int cut(const struct client *client, unsigned int key, struct pieces *p)
{
	const size_t whole = sizeof(struct slot), head = offsetof(struct slot, changes);
	int ret;

	ret = segue_remote_part(&client->host.table, key * whole, whole, &p->slot);
	if (!ret)
		ret = segue_remote_part(&p->slot, 0, head, &p->owner);
	if (!ret)
		ret = segue_remote_part(&p->slot, head, whole - head, &p->rest);
	if (!ret)
		ret = segue_local_part(&client->copy, 0, head, &p->owner_copy);
	return ret ? ret : segue_local_part(&client->copy, head, whole - head, &p->rest_copy);
}

static int write_piece(struct client *client, struct segue_remote to, struct segue_local from, uint32_t flags)
{
	return segue_post(segue_sge_piece(segue_raddr_piece(segue_rdma_write(client->sq, 0, flags), to), from));
}

/* Changes a slot: lock, READ, WRITE, and a WRITE that unlocks, which the device carries out after the other one. */
static int change(struct client *client, unsigned int key, unsigned int round)
{
	struct slot *copy = &client->scratch->copy;
	struct pieces p;
	int posted;

	if (cut(client, key, &p))
		return complain("no such slot");
	if (lock(client, p.owner) ||
	    finish(client, segue_post(segue_sge_piece(segue_raddr_piece(segue_rdma_read(client->sq, 0, SEGUE_SIGNALED), p.slot), client->copy))))
		return 1;
	if (copy->owner != client->id) {
		fprintf(stderr, "kv: slot %u is locked by another client\n", key);
		return 1;
	}
	copy->owner = 0;
	copy->changes++;
	snprintf(copy->value, sizeof(copy->value), "round %u of client %llu", round, (unsigned long long)client->id);
	posted = write_piece(client, p.rest, p.rest_copy, 0);
	return finish(client, posted ? posted : write_piece(client, p.owner, p.owner_copy, SEGUE_SIGNALED));
}

static int call(struct client *client, const char *name, const char *port)
{
	return segue_exchange_connect(name, port, &client->host.mine, &client->host.theirs, segue_deadline_in_ms(WAIT_MS));
}

static int join(struct client *client, const char *name, const char *port)
{
	const struct segue_mr_attr memory = {
		.addr = client->scratch, .length = sizeof(*client->scratch), .access = SEGUE_ACCESS_FLAGS_LOCAL_WRITE};
	struct host *host = &client->host;
	struct segue_mr *mr;
	struct segue_qp *qp;

	if (open_host(host) || segue_mr_open_local(host->pd, &memory, &mr) ||
	    segue_mr_local(mr, offsetof(struct scratch, copy), sizeof(client->scratch->copy), &client->copy) ||
	    segue_mr_local(mr, offsetof(struct scratch, found), sizeof(client->scratch->found), &client->found) || open_qp(host, &qp))
		return complain("cannot open a client");
	client->sq = segue_qp_rc(qp);
	client->id = segue_qp_number(qp);
	if (call(client, name, port) || segue_remote_read(host->theirs.user, SEGUE_REMOTE_WIRE_SIZE, &host->table) || connect_qp(host, qp) ||
	    call(client, name, port))
		return complain("cannot join");
	return 0;
}

static int use(const char *name, const char *port, unsigned int rounds)
{
	static struct scratch scratch __attribute__((aligned(64)));
	struct client client = {.scratch = &scratch};
	unsigned int i;
	int ret;

	ret = join(&client, name, port);
	for (i = 0; !ret && i < rounds; i++)
		ret = change(&client, i % SLOTS, i);
	if (!ret && call(&client, name, port))
		ret = complain("cannot say that it is done");
	if (!ret)
		printf("%u changes, %u times a slot was another client's\n", rounds, client.waits);
	segue_device_close(client.host.device);
	return ret;
}

static const char usage[] = "Usage: kv serve PORT CLIENTS           a table, until so many clients (1 to 16) are done;\n"
			    "                                       PORT 0 takes a free one, and says which\n"
			    "       kv use HOST PORT ROUNDS         a client that changes so many slots of it\n"
			    "\n"
			    "The server says at the end how many changes there were: as many as all clients have made.\n"
			    "Exit status: 0 all well, 1 failure, 2 wrong usage.\n";

int main(int argc, char **argv)
{
	const unsigned long number = argc > 3 ? strtoul(argv[argc - 1], NULL, 10) : 0;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "serve") && number >= 1 && number <= CLIENTS_MAX)
		return serve(argv[2], (unsigned int)number);
	if (argc == 5 && !strcmp(argv[1], "use") && number >= 1 && number <= 1000000)
		return use(argv[2], argv[3], (unsigned int)number);
	fputs(usage, stderr);
	return 2;
}
