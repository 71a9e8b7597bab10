/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Common parts of the smaller examples: a device and its queues, and several clients that meet one
 * server.
 */
#ifndef DEMO_HOST_H
#define DEMO_HOST_H

#include <stdint.h>

#include "segue/cq.h"
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
	uint8_t user[SEGUE_ENDPOINT_USER_SIZE]; /* sent to each peer with the endpoint */
};

/* Prints what failed, and why. Always returns 1. */
int host_complain(const struct host *host, const char *what);

/*
 * Opens the first device that works, and a completion queue. 0, or a negative errno with
 * segue_errmsg(). segue_device_close() frees it.
 */
int host_open(struct host *host, uint32_t completions);

/*
 * Opens an RC queue pair that completes on the host's queue. Type and queues of @options are filled
 * in. host->mine becomes its endpoint.
 */
int host_qp(struct host *host, struct segue_qp_options options, struct segue_qp **qp);

/* Connects to the peer of host->theirs. */
int host_connect(struct host *host, struct segue_qp *qp);

/* Listens, and prints "port N". */
int host_listen(struct host *host, const char *port, int *listener);

/* Opens the queue pair for the next client, as host_qp(). */
typedef int (*host_qp_for)(void *arg, unsigned int client, struct segue_qp **qp);

/*
 * Waits until so many clients have each called so many times: first to connect, then to be sure
 * that both sides are connected, and perhaps once more. A caller is identified by the number of its
 * queue pair.
 */
int host_accept(struct host *host, int listener, unsigned int clients, unsigned int calls,
		host_qp_for qp_for, void *arg);

/* A client's call: exchanges endpoints with the server. */
int host_call(struct host *host, const char *name, const char *port);

/* The commands of a program: PROGRAM serve PORT CLIENTS, and PROGRAM client HOST PORT NUMBER. */
struct host_commands {
	const char *usage;
	int (*serve)(const char *port, unsigned int clients);
	const char *client; /* the client's command */
	int (*use)(const char *name, const char *port, unsigned int number);
};

/* main(): returns the exit status. */
int host_main(int argc, char **argv, const struct host_commands *commands);

/* A client's first calls. */
int host_join(struct host *host, struct segue_qp *qp, const char *name, const char *port);

#endif
