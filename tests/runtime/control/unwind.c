/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opens one of everything, and at the first failure closes what there is. Exits 0 if every failure came with a sentence and
 * everything could be closed. unwind.sh lets each command fail in turn.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "segue/ah.h"
#include "segue/cq_object.h"
#include "segue/device.h"
#include "segue/errmsg.h"
#include "segue/gen/enums.h"
#include "segue/mr.h"
#include "segue/qp.h"
#include "segue/srq_object.h"

static uint8_t memory[4096];

static int open_queues(struct segue_device *device, struct segue_pd *pd, struct segue_qp **qp)
{
	const struct segue_srq_options srqs = {.max_wr = 8, .max_sge = 1};
	struct segue_cq_options cqs = {.entries = 16};
	struct segue_qp_options qps = {.type = SEGUE_QP_RC, .max_send_wr = 8, .max_send_sge = 1};
	struct segue_srq *srq;
	struct segue_cq *cq;
	int ret;

	ret = segue_channel_open(device, &cqs.channel);
	if (!ret)
		ret = segue_cq_open(device, &cqs, &cq);
	if (!ret)
		ret = segue_srq_open(pd, &srqs, &srq);
	if (ret)
		return ret;
	qps.send_cq = cq;
	qps.recv_cq = cq;
	qps.srq = srq;
	return segue_qp_open(pd, &qps, qp);
}

static int open_all(struct segue_device *device)
{
	struct segue_mr_attr mrs = {.addr = memory, .length = sizeof(memory)};
	struct segue_address *address;
	struct segue_port_info port;
	struct segue_gid_info gid;
	struct segue_path path;
	struct segue_mw *mw;
	struct segue_mr *mr;
	struct segue_pd *pd;
	struct segue_qp *qp;
	int ret;

	mrs.access = SEGUE_ACCESS_FLAGS_REMOTE_WRITE;
	ret = segue_pd_open(device, &pd);
	if (!ret)
		ret = segue_mr_open_shared(pd, &mrs, &mr);
	if (!ret)
		ret = segue_mw_open(pd, 2, &mw);
	if (!ret)
		ret = open_queues(device, pd, &qp);
	if (!ret)
		ret = segue_path_init(&path, device, 1);
	if (!ret)
		ret = segue_device_port(device, 1, &port);
	if (!ret)
		ret = segue_device_best_gid(device, 1, &gid);
	if (ret)
		return ret;
	path.dest_qpn = segue_qp_number(qp);
	if (path.link == SEGUE_LINK_IB)
		path.way.ib.dlid = port.lid;
	else
		path.way.roce.route.dgid = gid.gid;
	ret = segue_address_open(pd, &path, &address);
	return ret ? ret : segue_qp_connect(qp, &path);
}

int main(void)
{
	struct segue_device *device;
	int ret;

	ret = segue_device_open(&device, NULL);
	if (!ret) {
		ret = open_all(device);
		if (ret)
			printf("%s\n", segue_errmsg());
		if (segue_device_close(device)) {
			printf("close: %s\n", segue_errmsg());
			return 1;
		}
	} else {
		printf("%s\n", segue_errmsg());
	}
	return ret && !*segue_errmsg();
}
