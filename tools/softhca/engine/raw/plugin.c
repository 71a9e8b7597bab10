/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw packets and steering as a plug-in. */
#include "raw.h"
#include "tools/softhca/engine/plugins.h"

/* Destroys queue pairs with tables, which refer to other queues. */
static void drop_spreading(struct softhca_dev *dev)
{
	struct softhca_qp *qp;
	uint32_t n = 0;

	while ((qp = softhca_table_iter(&dev->qps, &n)))
		if (qp->rss.table)
			softhca_qp_destroy(qp);
}

static void forget(struct softhca_dev *dev)
{
	softhca_steer_drop_all(dev);
	drop_spreading(dev);
	SOFTHCA_DRAIN(dev, rwq_tables, struct softhca_rwq_table, softhca_rwq_table_destroy);
	for (unsigned i = 1; i <= dev->cfg.nports; i++)
		softhca_pause_forget(&dev->port[i]);
}

static const struct softhca_raw_plugin plugin = {
	.ready = softhca_raw_ready,
	.send = softhca_raw_send,
	.wanted = softhca_steer_wanted,
	.receive = softhca_frame_receive,
	.run = softhca_pause_run,
	.forget = forget,
};

__attribute__((constructor)) static void join(void)
{
	the_engine.raw = &plugin;
}
