/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the tests of the connection manager share: checks, events with a deadline, and one
 * connection, step by step. They know librdmacm and nothing of softhca, except that 127.77.a.b
 * are hosts.
 */
#ifndef TESTS_SOFTHCA_RDMACM_LIB_H
#define TESTS_SOFTHCA_RDMACM_LIB_H

#include <errno.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/softhca/clients/check.h"

#define DEADLINE_MS 60000 /* for what takes milliseconds on a quiet machine */
#define RESOLVE_MS  2000

/* What is left of an event when it is acknowledged. */
struct seen {
	struct rdma_cm_id *id;
	enum rdma_cm_event_type type;
	int status;
	struct rdma_conn_param conn;
	struct rdma_ud_param ud;
	uint8_t data[256];
};

/* The next event of a channel, acknowledged; a failure if there is none or another one. */
bool expect(struct rdma_event_channel *ch, enum rdma_cm_event_type type, int status,
	    struct seen *seen);
#define EXPECT(ch, type, status, seen) CHECK(expect(ch, RDMA_CM_EVENT_##type, status, seen))
/* Is an event waiting? */
bool ready(struct rdma_event_channel *ch, int timeout_ms);

struct sockaddr_in address(const char *ip, uint16_t port);
static inline struct sockaddr *sa(struct sockaddr_in *a)
{
	return (struct sockaddr *)a;
}

struct rdma_cm_id *new_id(struct rdma_event_channel *ch, enum rdma_port_space ps);
/* A listener on any address and some port, which it gives. */
struct rdma_cm_id *listener(struct rdma_event_channel *ch, enum rdma_port_space ps, int backlog,
			    uint16_t *port);
/* Up to a resolved route. */
struct rdma_cm_id *routed(struct rdma_event_channel *ch, enum rdma_port_space ps, const char *ip,
			  uint16_t port);
int make_qp(struct rdma_cm_id *id);

/* Both ends of a connection in this process. */
struct link {
	struct rdma_event_channel *active_ch, *passive_ch;
	struct rdma_cm_id *listen, *active, *passive;
	uint16_t port;
};

void link_open(struct link *l, enum rdma_port_space ps);
/* The request has been made and seen; `passive` is set. */
void link_request(struct link *l, const char *ip);
void link_establish(struct link *l);
void link_close(struct link *l);

#endif /* TESTS_SOFTHCA_RDMACM_LIB_H */
