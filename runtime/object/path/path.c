/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths to a peer: defaults, checks, and the attributes that verbs take. */
#include "runtime/object/path/path.h"

#include <errno.h>
#include <string.h>

#include "runtime/object/memory/access.h"
#include "runtime/object/path/limits.h"
#include "segue/base.h"
#include "segue/gen/enums.h"

#define FLOW_LABEL_MAX 0xfffffu
#define SL_MAX         15
#define PRIORITY_MAX   7
#define TIMER_MAX      31
#define RETRY_MAX      7
#define RATE_CODES_MAX	  31 /* the field has 5 bits */

/* Defaults of segue_path_init(). */
#define DEFAULT_RD_ATOMIC 16
#define DEFAULT_TIMEOUT   14
#define DEFAULT_RNR_TIMER 12
#define DEFAULT_HOP_LIMIT 64

/*
 * Meanings of the codes 0 to 31, in units of 10 us. Source: IBTA specification, volume 1, table 45;
 * ibv_modify_qp(3).
 */
static const uint32_t rnr_tens[] = {65536, 1,	 2,    3,     4,     6,	    8,	   12,
				    16,	   24,	 32,   48,    64,    96,    128,   192,
				    256,   384,	 512,  768,   1024,  1536,  2048,  3072,
				    4096,  6144, 8192, 12288, 16384, 24576, 32768, 49152};

uint32_t segue_rnr_timer_us(uint8_t code)
{
	return code <= SEGUE_RNR_TIMER_655_MS ? rnr_tens[code & TIMER_MAX] * 10 : 0;
}

uint8_t segue_rnr_timer_for_us(uint32_t us)
{
	uint8_t code;

	for (code = 1; code <= TIMER_MAX; code++)
		if (segue_rnr_timer_us(code) >= us)
			return code;
	return SEGUE_RNR_TIMER_655_MS;
}

static bool is_zero(const struct segue_gid *gid)
{
	static const struct segue_gid zero;

	return !memcmp(gid, &zero, sizeof(zero));
}

static uint8_t at_most(uint32_t value, uint32_t limit)
{
	return (uint8_t)(value < limit ? value : limit);
}

int segue_path_init(struct segue_path *path, struct segue_device *device, uint8_t port)
{
	const struct segue_caps *caps;
	struct segue_port_info info;
	struct segue_gid_info gid;
	int ret;

	memset(path, 0, sizeof(*path));
	ret = segue_device_query_port(device, port, &info);
	if (ret)
		return ret;
	path->link = info.link;
	path->port = port;
	path->mtu = info.mtu;
	path->access_flags = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_READ |
			     SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_REMOTE_ATOMIC;
	caps = segue_device_caps(device);
	path->rd_atomic = at_most(caps->max_qp_init_rd_atom, DEFAULT_RD_ATOMIC);
	path->dest_rd_atomic = at_most(caps->max_qp_rd_atom, DEFAULT_RD_ATOMIC);
	path->timeout = DEFAULT_TIMEOUT;
	path->retry_cnt = RETRY_MAX;
	path->rnr_retry = RETRY_MAX;
	path->min_rnr_timer = DEFAULT_RNR_TIMER;
	if (info.link != SEGUE_LINK_ROCE)
		return 0;
	ret = segue_device_find_gid(device, port, NULL, &gid);
	if (ret)
		return ret;
	path->way.roce.route.sgid_index = (uint8_t)gid.index;
	path->way.roce.route.hop_limit = DEFAULT_HOP_LIMIT;
	return 0;
}

static int bad(const char *field, uint64_t value, const char *expected)
{
	return seguei_value_refuse(EINVAL, "Path", field, value, expected);
}

static int check_route(const struct segue_global_route *route, bool connected)
{
	if (connected && is_zero(&route->dgid))
		return seguei_fail(EINVAL, "Path: dgid is all zero, expected the peer's GID.");
	if (route->flow_label > FLOW_LABEL_MAX)
		return bad("flow_label", route->flow_label, "20 bits");
	return 0;
}

static int check_way(const struct segue_path *path, bool connected)
{
	if (path->link == SEGUE_LINK_IB) {
		const struct segue_path_ib *ib = &path->way.ib;

		if (ib->sl > SL_MAX)
			return bad("sl", ib->sl, "0 to 15");
		if (connected && !ib->dlid)
			return bad("dlid", 0, "the peer's LID (or its router's)");
		return ib->global ? check_route(&ib->route, connected) : 0;
	}
	if (path->link != SEGUE_LINK_ROCE)
		return bad("link", path->link,
			   "SEGUE_LINK_IB or SEGUE_LINK_ROCE; start from segue_path_init()");
	if (path->way.roce.sl > PRIORITY_MAX)
		return bad("sl", path->way.roce.sl, "0 to 7");
	if (connected && !path->way.roce.route.hop_limit)
		return bad("hop_limit", 0, "1 to 255 on RoCE");
	return check_route(&path->way.roce.route, connected);
}

/*
 * The lowest rate of enum ibv_rate from `mbps` to a sixteenth above it: 50 Gb/s are 53,125 Mb/s on
 * the wire. libibverbs returns IBV_RATE_MAX, no limit, for values that it does not know. Source:
 * rdma-core libibverbs/verbs.c, ibv_rate_to_mbps(), mbps_to_ibv_rate().
 */
static enum ibv_rate rate_of(uint32_t mbps)
{
	enum ibv_rate code, best = IBV_RATE_MAX;
	uint32_t wire, least = mbps + mbps / 16;

	for (code = IBV_RATE_2_5_GBPS; code <= RATE_CODES_MAX; code = (enum ibv_rate)(code + 1)) {
		wire = (uint32_t)ibv_rate_to_mbps(code);
		if (ibv_rate_to_mbps(code) > 0 && wire >= mbps && wire <= least) {
			best = code;
			least = wire;
		}
	}
	return best;
}

int segue_path_check(const struct segue_path *path, bool connected)
{
	const struct seguei_value values[] = {
		{SEGUEI_VALUE_PORT, "port", path->port},
		{SEGUEI_VALUE_MTU, "mtu", path->mtu},
		{SEGUEI_VALUE_QPN, "dest_qpn", path->dest_qpn},
		{SEGUEI_VALUE_PSN, "sq_psn", path->sq_psn},
		{SEGUEI_VALUE_PSN, "rq_psn", path->rq_psn},
		{SEGUEI_VALUE_TIMEOUT, "timeout", path->timeout},
		{SEGUEI_VALUE_RNR_TIMER, "min_rnr_timer", path->min_rnr_timer},
		{SEGUEI_VALUE_RETRY, "retry_cnt", path->retry_cnt},
		{SEGUEI_VALUE_RETRY, "rnr_retry", path->rnr_retry},
	};
	int ret = check_way(path, connected);

	if (!ret)
		ret = seguei_access_check("Path", "access_flags", path->access_flags);
	if (!ret && path->rate_mbps && rate_of(path->rate_mbps) == IBV_RATE_MAX)
		ret = bad("rate_mbps", path->rate_mbps,
			  "0 (no limit) or what a link can be slowed down to, as 10000, 25000, "
			  "50000, 100000 or 200000");
	return ret ? ret
		   : seguei_values_check(EINVAL, "Path", values,
					 sizeof(values) / sizeof(values[0]));
}

static void fill_route(const struct segue_global_route *route, struct ibv_ah_attr *attr)
{
	attr->is_global = 1;
	memcpy(attr->grh.dgid.raw, route->dgid.bytes, sizeof(attr->grh.dgid.raw));
	attr->grh.sgid_index = route->sgid_index;
	attr->grh.hop_limit = route->hop_limit;
	attr->grh.traffic_class = route->traffic_class;
	attr->grh.flow_label = route->flow_label;
}

void seguei_path_ah(const struct segue_path *path, struct ibv_ah_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->port_num = path->port;
	attr->static_rate = path->rate_mbps ? (uint8_t)rate_of(path->rate_mbps) : IBV_RATE_MAX;
	if (path->link == SEGUE_LINK_ROCE) {
		attr->sl = path->way.roce.sl;
		fill_route(&path->way.roce.route, attr);
		return;
	}
	attr->dlid = path->way.ib.dlid;
	attr->sl = path->way.ib.sl;
	attr->src_path_bits = path->way.ib.src_path_bits;
	if (path->way.ib.global)
		fill_route(&path->way.ib.route, attr);
}

/* Converts bytes to enum ibv_mtu, where 1 is 256. */
static enum ibv_mtu verbs_mtu(uint32_t bytes)
{
	return bytes >= 4096   ? IBV_MTU_4096
	       : bytes >= 2048 ? IBV_MTU_2048
	       : bytes >= 1024 ? IBV_MTU_1024
	       : bytes >= 512  ? IBV_MTU_512
			       : IBV_MTU_256;
}

void seguei_path_attributes(const struct segue_path *path, struct ibv_qp_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	seguei_path_ah(path, &attr->ah_attr);
	attr->port_num = path->port;
	attr->pkey_index = path->pkey_index;
	attr->qp_access_flags = seguei_access_flags(path->access_flags);
	attr->qkey = path->qkey;
	attr->dest_qp_num = path->dest_qpn;
	attr->path_mtu = verbs_mtu(path->mtu);
	attr->sq_psn = path->sq_psn;
	attr->rq_psn = path->rq_psn;
	attr->max_rd_atomic = path->rd_atomic;
	attr->max_dest_rd_atomic = path->dest_rd_atomic;
	attr->timeout = path->timeout;
	attr->retry_cnt = path->retry_cnt;
	attr->rnr_retry = path->rnr_retry;
	/* SEGUE_RNR_TIMER_655_MS is code 0 */
	attr->min_rnr_timer = path->min_rnr_timer & TIMER_MAX;
}
