/* SPDX-License-Identifier: BSD-2-Clause */
/* What the port counts in sysfs, against what this program did. Nobody else uses this host's port.
 */
#include <inttypes.h>
#include <unistd.h>

#include "tests/softhca/clients/loop.h"

int failures;

#define LEN 5000u /* several packets */

static uint64_t counter(struct ibv_context *ctx, const char *name)
{
	char path[256];
	uint64_t value = UINT64_MAX;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/%s",
		 ibv_get_device_name(ctx->device), name);
	f = fopen(path, "r");
	NEED(f);
	CHECK_EQ(fscanf(f, "%" SCNu64, &value), 1);
	fclose(f);
	return value;
}

static uint64_t hw(struct ibv_context *ctx, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "hw_counters/%s", name);
	return counter(ctx, path);
}

/* Whether as many packets arrived as were sent: what acknowledges or is repeated may be late. */
static bool all_arrived(struct ibv_context *ctx)
{
	for (int i = 0; i < 1000; i++) {
		if (counter(ctx, "counters/port_rcv_packets") ==
		    counter(ctx, "counters/port_xmit_packets"))
			return true;
		usleep(10000);
	}
	return false;
}

static void test_traffic(struct loop *l, char *buf, const struct ibv_mr *mr)
{
	const struct ibv_sge sge = sge_of(buf, LEN, mr->lkey);
	const uint64_t far = (uint64_t)(uintptr_t)buf + LEN;
	const uint64_t data = counter(l->ctx, "counters/port_xmit_data");
	const uint64_t packets = counter(l->ctx, "counters/port_xmit_packets");
	uint64_t sent, again;

	for (int i = 0; i < 3; i++)
		CHECK_EQ(rdma(l, IBV_WR_RDMA_WRITE, sge, far, mr->rkey), IBV_WC_SUCCESS);
	for (int i = 0; i < 2; i++)
		CHECK_EQ(rdma(l, IBV_WR_RDMA_READ, sge, far, mr->rkey), IBV_WC_SUCCESS);
	CHECK_EQ(hw(l->ctx, "rx_write_requests"), 3);
	CHECK_EQ(hw(l->ctx, "rx_read_requests"), 2);
	CHECK_EQ(hw(l->ctx, "rx_atomic_requests"), 0);
	/* All of it went to this port. */
	CHECK(all_arrived(l->ctx));
	/*
	 * Five messages of five packets of 1024 bytes each, and what acknowledges or asks; and once
	 * more a message for each one repeated, on a machine without a processor for us.
	 */
	sent = counter(l->ctx, "counters/port_xmit_packets") - packets;
	again = hw(l->ctx, "local_ack_timeout_err") + hw(l->ctx, "roce_adp_retrans");
	CHECK(sent >= 25 && sent <= 60 + again * 12);
	CHECK((counter(l->ctx, "counters/port_xmit_data") - data) * 4 >= 5 * LEN + sent * 20);
	CHECK((counter(l->ctx, "counters/port_xmit_data") - data) * 4 <=
	      (5 + again) * LEN + sent * 80);
	CHECK(counter(l->ctx, "counters/port_rcv_data") ==
	      counter(l->ctx, "counters/port_xmit_data"));
	CHECK(counter(l->ctx, "counters/unicast_xmit_packets") ==
	      counter(l->ctx, "counters/port_xmit_packets"));
	CHECK_EQ(counter(l->ctx, "counters/multicast_rcv_packets"), 0);
}

static void test_errors(struct loop *l, char *buf, const struct ibv_mr *mr)
{
	const struct ibv_sge sge = sge_of(buf, 8, mr->lkey);

	CHECK_EQ(hw(l->ctx, "req_cqe_error"), 0);
	/* The queue pair's responder half dies first and takes the request with it. */
	CHECK(rdma(l, IBV_WR_RDMA_WRITE, sge, (uint64_t)(uintptr_t)buf, mr->rkey + 0x100) !=
	      IBV_WC_SUCCESS);
	CHECK_EQ(hw(l->ctx, "resp_remote_access_errors"), 1);
	CHECK_EQ(hw(l->ctx, "req_cqe_error"), 1);
	CHECK_EQ(hw(l->ctx, "req_cqe_flush_error"), 1);
	again(l);
	CHECK_EQ(hw(l->ctx, "out_of_buffer"), 0);
	CHECK_EQ(rdma(l, IBV_WR_SEND, sge, 0, 0), IBV_WC_RNR_RETRY_EXC_ERR);
	CHECK_EQ(hw(l->ctx, "out_of_buffer"), 1);
	CHECK(hw(l->ctx, "rnr_nak_retry_err") == 0); /* there was no retry */
	CHECK_EQ(hw(l->ctx, "req_cqe_error"), 2);
	CHECK_EQ(hw(l->ctx, "resp_cqe_error"), 0);
	again(l);
}

int main(void)
{
	struct ibv_context *ctx = open_first();
	static char buf[2 * LEN];
	struct ibv_mr *mr;
	struct loop l;

	loop_open(&l, ctx);
	mr = ibv_reg_mr(l.pd, buf, sizeof(buf), REMOTE);
	NEED(mr);
	test_traffic(&l, buf, mr);
	test_errors(&l, buf, mr);
	CHECK_EQ(counter(ctx, "counters/link_downed"), 0);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	loop_close(&l);
	CHECK_RC(ibv_close_device(ctx), 0);
	printf("%d failures\n", failures);
	return failures != 0;
}
