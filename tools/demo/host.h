/* SPDX-License-Identifier: BSD-2-Clause */
/* What the smaller examples have in common: a device and its queues, and several clients that meet
 * one server. */
#ifndef DEMO_HOST_H
#define DEMO_HOST_H

#include <stdint.h>

#include "segue/cq_object.h"
#include "segue/device.h"
#include "segue/endpoint.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "segue/qp.h"

#define HOST_CLIENTS_MAX 16u

struct host {
	const char *program; /* for messages */
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct segue_path path;
	struct segue_endpoint mine, theirs;
	uint8_t user[SEGUE_ENDPOINT_USER_SIZE]; /* goes to each peer along with the endpoint */
};

/* Says what failed, and why. Always 1. */
int host_complain(const struct host *host, const char *what);

/* The first device that works, and a completion queue. 0, or a negative errno with segue_errmsg();
 * segue_device_close() frees it. */
int host_open(struct host *host, uint32_t completions);

/* An RC queue pair that completes on the host's queue; type and queues of @options are filled.
 * host->mine describes it. */
int host_qp(struct host *host, struct segue_qp_options options, struct segue_qp **qp);

/* To the peer that host->theirs describes. */
int host_connect(struct host *host, struct segue_qp *qp);

/* Listens, and prints "port N". */
int host_listen(struct host *host, const char *port, int *listener);

/* Makes the queue pair for the next client, as host_qp(). */
typedef int (*host_qp_for)(void *arg, unsigned int client, struct segue_qp **qp);

/*
 * Waits until so many clients have each called so many times: first to connect, then to be sure
 * that both sides are connected, and perhaps once more. Who calls is known by the number of its
 * queue pair.
 */
int host_accept(struct host *host, int listener, unsigned int clients, unsigned int calls,
		host_qp_for qp_for, void *arg);

/* A client's call: swaps endpoints with the server. */
int host_call(struct host *host, const char *name, const char *port);

/* What a program does: PROGRAM serve PORT CLIENTS, and PROGRAM client HOST PORT NUMBER. */
struct host_commands {
	const char *usage;
	int (*serve)(const char *port, unsigned int clients);
	const char *client; /* its word */
	int (*use)(const char *name, const char *port, unsigned int number);
};

/* main(): returns the exit status. */
int host_main(int argc, char **argv, const struct host_commands *commands);

/* The calls that a client begins with. */
int host_join(struct host *host, struct segue_qp *qp, const char *name, const char *port);

#endif
