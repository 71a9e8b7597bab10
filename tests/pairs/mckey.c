/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mckey send|receive GROUP SIZE COUNT: the other side of librdmacm's mckey, built on Segue.
 * librdmacm brings the group to this port and says its numbers; queue pair, membership and
 * datagrams are Segue's.
 *
 * mckey sends one buffer over and over, with its queue pair's number as immediate, which must be
 * the number that the datagram comes from. Source: rdma-core librdmacm/examples/mckey.c
 * (addr_handler(), join_handler(), post_sends()).
 */
#define _GNU_SOURCE
#include <rdma/rdma_cma.h>

#include "segue/ah.h"
#include "segue/device.h"
#include "segue/gen/builders.h"
#include "segue/mcast.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "tests/pairs/rendezvous.h"

#define COUNT_MAX 64u

struct side {
	struct rdma_event_channel *events;
	struct rdma_cm_id *id;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct segue_mr *mr;
	struct segue_qp *qp;
	struct segue_path path;
	struct segue_mcast *group;
	uint32_t size, count, each;
	uint8_t *memory; /* what is sent, then the receives */
};

static struct rdma_ud_param wait_for(struct side *s, enum rdma_cm_event_type wanted)
{
	struct rdma_ud_param param = {0};
	struct rdma_cm_event *event;

	if (rdma_get_cm_event(s->events, &event))
		fail("librdmacm has no event");
	if (event->event != wanted)
		fail(rdma_event_str(event->event));
	if (wanted == RDMA_CM_EVENT_MULTICAST_JOIN)
		param = event->param.ud;
	rdma_ack_cm_event(event);
	return param;
}

/* Which device leads there. */
static void find_device(struct side *s, struct sockaddr *group)
{
	s->events = rdma_create_event_channel();
	if (!s->events || rdma_create_id(s->events, &s->id, NULL, RDMA_PS_UDP) ||
	    rdma_resolve_addr(s->id, NULL, group, 5000))
		fail("librdmacm does not resolve the group's address");
	(void)wait_for(s, RDMA_CM_EVENT_ADDR_RESOLVED);
	must(segue_device_adopt(s->id->verbs, &s->device));
}

static void open_side(struct side *s)
{
	struct segue_cq_options cq = {.entries = 4 * COUNT_MAX};
	struct segue_qp_options qp = {.type = SEGUE_QP_UD,
				      .max_send_wr = COUNT_MAX,
				      .max_send_sge = 1,
				      .max_recv_wr = COUNT_MAX,
				      .max_recv_sge = 1};
	struct segue_mr_options attr = {.access = SEGUE_ACCESS_LOCAL_WRITE};

	s->each = s->size + SEGUE_GRH_SIZE;
	attr.length = (size_t)s->each * (1 + COUNT_MAX);
	attr.addr = s->memory = calloc(1, attr.length);
	if (!s->memory)
		fail("no memory");
	must(segue_pd_open(s->device, &s->pd));
	must(segue_cq_open(s->device, &cq, &s->cq));
	must(segue_mr_open(s->pd, &attr, &s->mr));
	qp.send_cq = qp.recv_cq = s->cq;
	must(segue_qp_open(s->pd, &qp, &s->qp));
	must(segue_path_init(&s->path, s->device, s->id->port_num));
}

/* The network brings the group here, and the queue pair takes it. */
static void join(struct side *s, struct sockaddr *address)
{
	struct segue_mcast_options options = {.hop_limit = 1};
	struct rdma_ud_param said;

	if (rdma_join_multicast(s->id, address, NULL))
		fail("librdmacm does not join the group");
	said = wait_for(s, RDMA_CM_EVENT_MULTICAST_JOIN);
	memcpy(options.mgid.bytes, said.ah_attr.grh.dgid.raw, sizeof(options.mgid.bytes));
	options.mlid = said.ah_attr.dlid;
	options.sl = said.ah_attr.sl;
	options.hop_limit = said.ah_attr.grh.hop_limit ? said.ah_attr.grh.hop_limit : 1;
	options.traffic_class = said.ah_attr.grh.traffic_class;
	options.flow_label = said.ah_attr.grh.flow_label;
	s->path.qkey = said.qkey;
	must(segue_qp_connect(s->qp, &s->path));
	must(segue_mcast_join(s->qp, &s->path, &options, &s->group));
}

static struct segue_local_buf piece(struct side *s, uint32_t number, uint32_t length)
{
	struct segue_local_buf local;

	must(segue_mr_local_buf(s->mr, (uint64_t)number * s->each, length, &local));
	return local;
}

static void send_all(struct side *s)
{
	const struct segue_ud_sender to = segue_mcast_sender(s->group);
	uint32_t i;

	for (i = 0; i < s->count; i++) {
		must(segue_post(segue_sge_buf(
			segue_av(segue_send_imm(segue_qp_ud_sq(s->qp), i, SEGUE_SIGNALED,
						segue_qp_number(s->qp)),
				 to.ah, to.qpn, to.qkey),
			piece(s, 0, s->size))));
		(void)next_completion(s->cq, s->qp);
	}
}

/* Of the sender that the immediate names, and each as the one before. */
static void receive_all(struct side *s)
{
	const segue_deadline deadline = segue_deadline_in_ms(60000);
	const uint8_t *before = NULL;
	uint32_t received = 0;

	while (received < s->count) {
		struct segue_wc_details details;
		struct segue_wc wc;
		const int got = segue_cq_poll_details(s->cq, 1, &wc, &details);

		must(got);
		if (segue_deadline_left_ms(deadline) <= 0)
			fail("no datagram came for a minute");
		if (!got)
			continue;
		if (wc.syndrome || wc.byte_len != s->each || !(wc.flags & SEGUE_WC_IMM))
			fail("a datagram of another kind came");
		if (!(details.valid & SEGUE_WC_HAS_SOURCE) || details.src_qp != wc.imm)
			fail("a datagram came from another queue pair than it says");
		if (before &&
		    memcmp(before, s->memory + wc.wr_id * s->each + SEGUE_GRH_SIZE, s->size) != 0)
			fail("two datagrams hold different data");
		before = s->memory + wc.wr_id * s->each + SEGUE_GRH_SIZE;
		received++;
	}
}

int main(int argc, char **argv)
{
	struct side s = {0};
	struct addrinfo *found = NULL;
	uint32_t i;

	if (argc < 5 || getaddrinfo(argv[2], NULL, NULL, &found))
		fail("usage: mckey send|receive GROUP SIZE COUNT");
	s.size = (uint32_t)strtoul(argv[3], NULL, 0);
	s.count = (uint32_t)strtoul(argv[4], NULL, 0);
	if (s.count > COUNT_MAX)
		fail("that is too many");
	find_device(&s, found->ai_addr);
	open_side(&s);
	join(&s, found->ai_addr);
	for (i = 1; i <= s.count; i++)
		must(segue_post(
			segue_sge_buf(segue_recv(segue_qp_rq(s.qp), i), piece(&s, i, s.each))));
	puts("joined");
	fflush(stdout);
	if (!strcmp(argv[1], "send"))
		send_all(&s);
	else
		receive_all(&s);
	printf("%u datagrams of %u bytes\n", s.count, s.size);
	fflush(stdout);
	must(segue_device_close(s.device));
	if (rdma_leave_multicast(s.id, found->ai_addr) || rdma_destroy_id(s.id))
		fail("librdmacm does not leave the group");
	rdma_destroy_event_channel(s.events);
	freeaddrinfo(found);
	free(s.memory);
	return 0;
}
