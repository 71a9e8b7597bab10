/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Receive side scaling: a queue pair that spreads frames over several receive queues by their hash.
 *
 * Each of the receive queues has its own completion queue, because the usual use is one queue per
 * thread.
 */
#include "segue/raw_packet.h"

#include <errno.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/pd.h"
#include "runtime/object/wq/flow.h"
#include "runtime/object/wq/wq.h"
#include "segue/base.h"

#define IPS	(SEGUE_RSS_SRC_IP | SEGUE_RSS_DST_IP)
#define PORTS	(SEGUE_RSS_SRC_PORT | SEGUE_RSS_DST_PORT)

/* Source: Microsoft, "Verifying the RSS Hash Calculation". */
static const uint8_t usual_key[SEGUE_RSS_KEY_SIZE] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
	0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
	0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

const struct seguei_kind seguei_rss_kind = {"spread", SEGUEI_RANK_QP, seguei_spread_release};

/* ---- checks ---- */

static int check_table(const struct segue_rss_options *options, uint32_t most)
{
	const uint32_t entries = options->table_entries;
	uint32_t i;

	if (entries & (entries - 1) || entries > most)
		return seguei_fail(
			EINVAL, "A spread: table_entries is %u, expected a power of two up to %u.",
			entries, most);
	if (options->table && !entries)
		return seguei_fail(EINVAL, "A spread: there is a table, but table_entries is 0.");
	for (i = 0; options->table && i < entries; i++)
		if (options->table[i] >= options->queues)
			return seguei_fail(
				EINVAL,
				"A spread: table[%u] is %u, expected one of the queues, 0 to %u.",
				i, options->table[i], options->queues - 1);
	return 0;
}

static int check_fields(const struct segue_rss_options *options)
{
	if (!options->fields || options->fields & ~(uint32_t)(IPS | PORTS))
		return seguei_fail(
			EINVAL,
			"A spread: fields is 0x%x, expected members of enum segue_rss_field.",
			options->fields);
	if (options->ip != 4 && options->ip != 6)
		return seguei_fail(EINVAL, "A spread: ip is %u, expected 4 or 6.", options->ip);
	if (options->fields & PORTS && options->protocol != IPPROTO_UDP &&
	    options->protocol != IPPROTO_TCP)
		return seguei_fail(EINVAL,
				   "A spread: ports are hashed, but protocol is %u; expected "
				   "IPPROTO_UDP or IPPROTO_TCP.",
				   options->protocol);
	if (!(options->fields & PORTS) && options->protocol)
		return seguei_fail(EINVAL,
				   "A spread: protocol is %u, but no ports are hashed; leave it 0.",
				   options->protocol);
	return 0;
}

static int check_options(const struct segue_device *device, const struct segue_rss_options *options)
{
	const uint32_t most = device->caps.rss_max_table;
	int ret;

	if (!most)
		return seguei_fail(ENOTSUP,
				   "A spread: %s has none, or its ports are no Ethernet ports.",
				   segue_device_name(device));
	if (seguei_check_reserved(options->reserved, "A spread"))
		return -EINVAL;
	if (!options->queues || options->queues > most)
		return seguei_fail(EINVAL, "A spread: queues is %u, expected 1 to %u.",
				   options->queues, most);
	if (!options->cqs)
		return seguei_fail(
			EINVAL,
			"A spread: cqs is NULL, expected a completion queue for each of %u queues.",
			options->queues);
	ret = check_table(options, most);
	return ret ? ret : check_fields(options);
}

/* ---- queues ---- */

static struct seguei_wq_options options_of(const struct segue_rss_options *options, uint32_t queue)
{
	const struct seguei_wq_options wq = {
		.what = "queue of a spread",
		.cq = options->cqs[queue],
		.max_wr = options->max_wr,
		.max_sge = options->max_sge,
		.log_stride = options->log_stride,
		.log_strides = options->log_strides,
		.shift = options->shift,
		.context = options->contexts ? options->contexts[queue] : NULL,
	};

	return wq;
}

static uint64_t verbs_fields(const struct segue_rss_options *options)
{
	const bool v4 = options->ip == 4, tcp = options->protocol == IPPROTO_TCP;
	uint64_t fields = 0;

	if (options->fields & SEGUE_RSS_SRC_IP)
		fields |= v4 ? IBV_RX_HASH_SRC_IPV4 : IBV_RX_HASH_SRC_IPV6;
	if (options->fields & SEGUE_RSS_DST_IP)
		fields |= v4 ? IBV_RX_HASH_DST_IPV4 : IBV_RX_HASH_DST_IPV6;
	if (options->fields & SEGUE_RSS_SRC_PORT)
		fields |= tcp ? IBV_RX_HASH_SRC_PORT_TCP : IBV_RX_HASH_SRC_PORT_UDP;
	if (options->fields & SEGUE_RSS_DST_PORT)
		fields |= tcp ? IBV_RX_HASH_DST_PORT_TCP : IBV_RX_HASH_DST_PORT_UDP;
	return fields;
}

static int make_spread(struct seguei_spread *made, struct segue_pd *pd,
		       const struct segue_rss_options *options)
{
	struct seguei_spread_options spread = {.fields = verbs_fields(options),
					       .key = options->key ? options->key : usual_key};
	const uint32_t wanted = options->table_entries ? options->table_entries : options->queues;
	uint32_t i;
	int ret;

	while (1u << spread.log_entries < wanted)
		spread.log_entries++;
	spread.table = calloc((size_t)1 << spread.log_entries, sizeof(*spread.table));
	if (!spread.table)
		return seguei_fail(ENOMEM, "A spread: no memory for a table of %u entries.",
				   1u << spread.log_entries);
	for (i = 0; i < 1u << spread.log_entries; i++)
		spread.table[i] =
			made->wqs[options->table ? options->table[i] : i % made->queues].verbs;
	ret = seguei_spread_make(made, pd, &spread);
	free(spread.table);
	if (ret)
		return seguei_fail(-ret, "No spread over %u queues by a table of %u entries: %s%s.",
				   made->queues, 1u << spread.log_entries, strerror(-ret),
				   ret == -EPERM ? "; it takes CAP_NET_RAW" : "");
	return 0;
}

int segue_rss_open(struct segue_pd *pd, const struct segue_rss_options *options,
		   struct segue_rss **out)
{
	struct seguei_spread *spread;
	uint32_t i;
	int ret;

	ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind, "segue_rss_open()");
	if (!ret)
		ret = check_options(seguei_device_of(&pd->object), options);
	if (ret)
		return ret;
	spread = seguei_spread_alloc("A spread", options->queues);
	if (!spread)
		return -ENOMEM;
	for (i = 0; !ret && i < options->queues; i++) {
		const struct seguei_wq_options wq = options_of(options, i);

		ret = seguei_spread_add(spread, pd, &wq);
	}
	if (!ret)
		ret = make_spread(spread, pd, options);
	if (ret) {
		seguei_spread_undo(spread);
		return ret;
	}
	seguei_spread_open(spread, pd, &seguei_rss_kind, spread->table->ind_tbl_num);
	*out = (struct segue_rss *)spread;
	return 0;
}

int segue_rss_close(struct segue_rss *rss)
{
	return seguei_object_close((struct seguei_object *)rss, &seguei_rss_kind);
}

static struct seguei_wq *queue_of(struct segue_rss *rss, uint32_t queue, bool striding)
{
	struct seguei_spread *spread = (struct seguei_spread *)rss;

	if (queue >= spread->queues)
		seguei_fail(EINVAL, "The spread 0x%x: queue is %u, expected 0 to %u.",
			    spread->object.number, queue, spread->queues - 1);
	else if (spread->wqs[queue].striding != striding)
		seguei_fail(EINVAL,
			    "The spread 0x%x: its queues have %s strides; see segue_rss_%s().",
			    spread->object.number, striding ? "no" : "", striding ? "rq" : "mprq");
	else
		return &spread->wqs[queue];
	return NULL;
}

struct segue_rq *segue_rss_rq(struct segue_rss *rss, uint32_t queue)
{
	struct seguei_wq *wq = queue_of(rss, queue, false);

	return wq ? &wq->rq : NULL;
}

struct segue_mprq *segue_rss_mprq(struct segue_rss *rss, uint32_t queue)
{
	struct seguei_wq *wq = queue_of(rss, queue, true);

	return wq ? &wq->strides.mprq : NULL;
}

struct ibv_qp *segue_rss_ibv(struct segue_rss *rss)
{
	return ((struct seguei_spread *)rss)->qp;
}
