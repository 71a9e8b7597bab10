/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens and closes one of each common object; with an argument it loses 77 bytes. For valgrind. */
#include <stdio.h>
#include <stdlib.h>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/device.h"
#include "segue/pd.h"
#include "segue/pool.h"
#include "segue/qp.h"

static void *volatile lost;

int main(int argc, char **argv)
{
	const struct segue_cq_options cq_options = {.entries = 16};
	const struct segue_pool_options pool_options = {.count = 4, .size = 64};
	struct segue_qp_options options = {.type = SEGUE_QP_RC, .max_send_wr = 4, .max_recv_wr = 4,
					  .max_send_sge = 1, .max_recv_sge = 1};
	struct segue_device *device = NULL;
	struct segue_pool *pool;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct segue_qp *qp;
	int ret;

	(void)argv;
	if (argc > 1) {
		lost = malloc(77);
		lost = NULL;
	}
	ret = segue_device_open(NULL, &device);
	if (!ret)
		ret = segue_pd_open(device, &pd);
	if (!ret)
		ret = segue_cq_open(device, &cq_options, &cq);
	if (!ret)
		ret = segue_pool_open(pd, &pool_options, &pool);
	if (!ret) {
		options.send_cq = options.recv_cq = cq;
		ret = segue_qp_open(pd, &options, &qp);
	}
	if (ret || segue_device_close(device)) {
		fprintf(stderr, "%s\n", segue_errmsg());
		return 1;
	}
	return 0;
}
