/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program outside of Bazel, as C and as C++: a request through a ring in plain memory, read back
 * with the validator. Asks for the devices, too, so that libibverbs is linked.
 */
#include "app.h"

#include <stdio.h>
#include <string.h>

#include "segue/base.h"
#include "segue/device.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"

#define BLOCKS 16u

static int build(void)
{
	static uint64_t ring[BLOCKS * 8] __attribute__((aligned(64)));
	static uint64_t uar[128] __attribute__((aligned(512)));
	static struct segue_sq_slot slots[BLOCKS];
	static uint32_t dbrec[2];
	struct segue_rc_sq rc;
	struct segue_sq_init_options attr;
	struct segue_remote_buf there;
	struct segue_local_buf here;

	memset(&there, 0, sizeof(there));
	memset(&here, 0, sizeof(here));
	here.length = 64;
	memset(&attr, 0, sizeof(attr));
	attr.buf = ring;
	attr.wqe_cnt = BLOCKS;
	attr.max_wqe_units = 16;
	attr.dbrec = dbrec;
	attr.bf_reg = uar;
	attr.qpn = 0x1234;
	attr.slots = slots;
	if (segue_sq_init(&rc.sq, &attr)) {
		fprintf(stderr, "app: %s\n", segue_errmsg());
		return 1;
	}
	if (segue_post(segue_sge(segue_raddr(segue_rdma_write(&rc, 7, SEGUE_SIGNALED), 0x1000, 1),
				 0x2000, 64, 2))) {
		fprintf(stderr, "app: %s\n", segue_errmsg());
		return 1;
	}
	if (segue_post(segue_sge_buf(
		    segue_raddr_buf(segue_rdma_read(&rc, 8, SEGUE_SIGNALED), there), here))) {
		fprintf(stderr, "app: %s\n", segue_errmsg());
		return 1;
	}
	return !read_back(ring, sizeof(ring));
}

int main(void)
{
	const int devices = segue_device_list(NULL, 0);

	if (build())
		return 1;
	printf("built and read back; %s\n", devices > 0 ? "there is a device" : "no device here");
	return 0;
}
