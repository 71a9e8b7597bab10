/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xrc: one connection to a host, and each message goes to the receive queue of whom it is meant for
 * there.
 *
 * When to use it: many processes on each of many hosts. With RC everybody has a queue pair for
 * every process elsewhere; with XRC one for every host, as the receives belong to no queue pair: a
 * message names the shared receive queue (XRC SRQ) of its receiver. WRITEs, READs and atomics as on
 * RC. What the card must have: segue_caps.xrc. What to mind: the processes of a host open one XRC
 * domain by a file (segue_xrcd_open()), and one of them opens the target for all. Requests are 16
 * bytes longer. A request that the target refuses fails the connection of all of them.
 */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "pair.h"
#include "segue/srq.h"

#define RECEIVERS 2
#define SIZE	  128u

/* A message for each, then their receives. */
static char memory[2 * RECEIVERS * SIZE];

int main(void)
{
	/* of all processes of this program on the host */
	char domain_file[] = "/tmp/segue-xrc-XXXXXX";
	const int file = mkstemp(domain_file);
	struct segue_srq_options srq = {.max_wr = 4, .max_sge = 1};
	struct segue_srq *receivers[RECEIVERS];
	struct segue_qp_options options;
	struct segue_xrcd *domain;
	struct segue_local_buf piece;
	struct pair p;
	unsigned int i;

	pair_begin(&p, memory, sizeof(memory));
	must(segue_xrcd_open(p.device, file, &domain));
	for (i = 0; i < RECEIVERS; i++) {
		srq.xrcd = domain;
		srq.cq = p.cq; /* each process has its own */
		must(segue_srq_open(p.pd, &srq, &receivers[i]));
		must(segue_mr_local_buf(p.mr, (RECEIVERS + i) * SIZE, SIZE, &piece));
		must(segue_post(segue_sge_buf(segue_recv(receivers[i], 100 + i), piece)));
	}

	/* The connection: an initiator here, a target there. */
	options = pair_options(&p);
	options.type = SEGUE_QP_XRC_INITIATOR;
	options.recv_cq = NULL;
	options.max_recv_wr = options.max_recv_sge = 0;
	must(segue_qp_open(p.pd, &options, &p.a));
	memset(&options, 0, sizeof(options));
	options.type = SEGUE_QP_XRC_TARGET;
	options.xrcd = domain;
	must(segue_qp_open(p.pd, &options, &p.b));
	pair_connect(&p);

	for (i = 0; i < RECEIVERS; i++) {
		snprintf(memory + i * SIZE, SIZE, "for receiver %u", i);
		must(segue_mr_local_buf(p.mr, i * SIZE, SIZE, &piece));
		must(segue_post(segue_sge_buf(
			segue_xrc(segue_send(segue_qp_xrc_initiator_sq(p.a), i, SEGUE_SIGNALED),
				  segue_srq_number(receivers[i])),
			piece)));
	}
	pair_complete(&p, 2 * RECEIVERS);
	for (i = 0; i < RECEIVERS; i++) {
		if (memcmp(memory + (RECEIVERS + i) * SIZE, memory + i * SIZE, SIZE) != 0) {
			fprintf(stderr, "Receiver %u has got something else.\n", i);
			return 1;
		}
	}
	printf("One connection, and each of %d receivers has its message.\n", RECEIVERS);
	pair_close(&p);
	close(file);
	unlink(domain_file);
	return 0;
}
