/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * multicast: one datagram, and every member of the group has it.
 *
 * When to use it: the same small message to many (an invalidation, a heartbeat, a market price):
 * the sender posts once, and the switches make the copies. What the card must have: nothing but UD.
 * The network has to bring the group's packets to each member's port: rdma_join_multicast(3) sees
 * to that, and says the numbers that are written out here (segue/mcast.h). What it costs: datagrams
 * may be lost, and nobody tells; they are at most a packet long, and come behind 40 bytes of
 * header. On RoCE the slowest link of the group sets the pace, or loses.
 */
#include <string.h>

#include "pair.h"
#include "segue/ah.h"
#include "segue/mcast.h"

#define MEMBERS 3
#define QKEY	0x11111111u
#define SIZE	256u

/* What is sent, then a receive of each member. */
static char memory[(1 + MEMBERS) * (SEGUE_GRH_SIZE + SIZE)];

static struct segue_local_buf piece(struct pair *p, unsigned int number, uint32_t length)
{
	struct segue_local_buf local;

	must(segue_mr_local_buf(p->mr, number * (SEGUE_GRH_SIZE + SIZE), length, &local));
	return local;
}

static struct segue_mcast_options the_group(const struct segue_path *path)
{
	struct segue_mcast_options group = {.hop_limit = 1};

	if (path->link == SEGUE_LINK_IB) {
		group.mgid.bytes[0] = 0xff; /* as the subnet manager has given it out */
		group.mgid.bytes[1] = 0x12;
		group.mgid.bytes[15] = 0x77;
		group.mlid = 0xc077;
	} else {
		/* ::ffff:239.1.2.119 */
		memcpy(group.mgid.bytes + 10, "\xff\xff\xef\x01\x02\x77", 6);
	}
	return group;
}

int main(void)
{
	struct segue_qp *members[1 + MEMBERS]; /* the first one only sends */
	struct segue_mcast_options options;
	struct segue_mcast *groups[1 + MEMBERS];
	struct segue_ud_sender to;
	struct segue_qp_options qp;
	struct segue_path path;
	struct pair p;
	unsigned int i;

	pair_begin(&p, memory, sizeof(memory));
	path = path_here(&p, 0);
	path.qkey = QKEY;
	options = the_group(&path);
	qp = pair_options(&p);
	qp.type = SEGUE_QP_UD;
	for (i = 0; i <= MEMBERS; i++) {
		must(segue_qp_open(p.pd, &qp, &members[i]));
		must(segue_qp_connect(members[i], &path));
		options.send_only = !i;
		must(segue_mcast_join(members[i], &path, &options, &groups[i]));
		if (i)
			must(segue_post(segue_sge_buf(segue_recv(segue_qp_rq(members[i]), i),
						      piece(&p, i, SEGUE_GRH_SIZE + SIZE))));
	}
	to = segue_mcast_sender(groups[0]);
	memset(memory, 'x', SIZE);
	memcpy(memory, "to all of you", 13);
	must(segue_post(
		segue_sge_buf(segue_av(segue_send(segue_qp_ud_sq(members[0]), 0, SEGUE_SIGNALED),
				       to.ah, to.qpn, to.qkey),
			      piece(&p, 0, SIZE))));
	pair_complete(&p, 1 + MEMBERS);
	for (i = 1; i <= MEMBERS; i++) {
		if (memcmp(memory + i * (SEGUE_GRH_SIZE + SIZE) + SEGUE_GRH_SIZE, memory, SIZE) !=
		    0) {
			fprintf(stderr, "Member %u has something else.\n", i);
			return 1;
		}
	}
	printf("One datagram has come to %d members.\n", MEMBERS);
	for (i = 0; i <= MEMBERS; i++)
		must(segue_mcast_leave(groups[i]));
	pair_close(&p);
	return 0;
}
