/* SPDX-License-Identifier: BSD-2-Clause */
/* The wire form of endpoints, and the agreement of two of them. */
#define _GNU_SOURCE
#include "segue/endpoint.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "runtime/object/device/device.h"
#include "runtime/object/path/limits.h"
#include "runtime/object/qp/qp.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"

/* "SEGU" */
#define WIRE_MAGIC   0x53454755u
#define WIRE_VERSION 1u
#define WIRE_ECE     2u /* version with ECE options, which version 1 lacks */
#define PSN_MASK     0xffffffu

/* Offsets in the wire form. Unnamed bytes are zero. */
enum wire {
	AT_MAGIC = 0,
	AT_VERSION = 4,
	AT_SIZE = 6,
	AT_LINK = 8,
	AT_TYPE = 9,
	AT_LID = 10,
	AT_QPN = 12,
	AT_PSN = 16,
	AT_MTU = 20,
	AT_QKEY = 24,
	AT_RD_ATOMIC = 28,
	AT_DEST_RD_ATOMIC = 29,
	AT_TIMEOUT = 30,
	AT_MIN_RNR_TIMER = 31,
	AT_GID = 32,
	AT_ECE_VENDOR = 48,
	AT_ECE_OPTIONS = 52,
	AT_ZERO = 56,
	AT_USER = 64,
};

/* 24 bits, not 0. If the kernel has no random numbers, the lowest bits of the clock. */
static uint32_t random_psn(void)
{
	struct timespec now;
	uint32_t psn = 0;

	if (getrandom(&psn, sizeof(psn), GRND_NONBLOCK) != (ssize_t)sizeof(psn) &&
	    !clock_gettime(CLOCK_MONOTONIC, &now))
		psn = (uint32_t)now.tv_nsec;
	psn &= PSN_MASK;
	return psn ? psn : 1;
}

/*
 * Chooses the first PSN after a reset such that no packet from before it is accepted after it. A
 * number that the caller chose stays.
 */
static void choose_psn(struct segue_qp *qp, struct segue_path *path)
{
	const bool new_life = qp->state == SEGUE_QP_STATE_RESET || qp->state == SEGUE_QP_STATE_INIT;

	if (!new_life || (path->sq_psn && !(qp->peer.psn_used && path->sq_psn == qp->peer.psn)))
		return;
	do
		path->sq_psn = random_psn();
	while (path->sq_psn == qp->peer.psn);
	qp->peer.psn = path->sq_psn;
	qp->peer.psn_used = false;
}

int segue_endpoint_describe(struct segue_endpoint *endpoint, struct segue_qp *qp,
			    struct segue_path *path)
{
	struct segue_device *device;
	struct segue_port_info port;
	struct segue_gid_info gid = {0};
	int ret;

	ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind,
				  "segue_endpoint_describe()");
	if (ret)
		return ret;
	if (!segue_qp_number(qp))
		return seguei_fail(
			EINVAL,
			"Endpoint: the queue pair has no number yet; a DCT gets it at RTR.");
	device = seguei_device_of(&qp->object);
	memset(endpoint, 0, sizeof(*endpoint));
	ret = segue_device_query_port(device, path->port, &port);
	if (ret)
		return ret;
	ret = segue_device_query_gid(
		device, path->port,
		path->link == SEGUE_LINK_ROCE ? path->way.roce.route.sgid_index : 0, &gid);
	if (ret && path->link == SEGUE_LINK_ROCE)
		return ret;
	choose_psn(qp, path);
	endpoint->link = path->link;
	endpoint->type = qp->type;
	endpoint->qpn = segue_qp_number(qp);
	endpoint->psn = path->sq_psn;
	endpoint->lid = (uint16_t)(port.lid |
				   (path->link == SEGUE_LINK_IB ? path->way.ib.src_path_bits : 0));
	endpoint->gid = gid.gid;
	endpoint->mtu = path->mtu;
	endpoint->rd_atomic = path->rd_atomic;
	endpoint->dest_rd_atomic = path->dest_rd_atomic;
	endpoint->timeout = path->timeout;
	endpoint->min_rnr_timer = path->min_rnr_timer;
	endpoint->qkey = path->qkey;
	return 0;
}

bool segue_endpoint_equal(const struct segue_endpoint *a, const struct segue_endpoint *b)
{
	return a->link == b->link && a->qpn == b->qpn && a->lid == b->lid &&
	       !memcmp(&a->gid, &b->gid, sizeof(a->gid));
}

void segue_endpoint_pack(const struct segue_endpoint *endpoint,
			 uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE])
{
	memset(wire, 0, SEGUE_ENDPOINT_WIRE_SIZE);
	segue_put_be32(wire + AT_MAGIC, WIRE_MAGIC);
	segue_put_be16(wire + AT_VERSION, endpoint->ece.vendor_id ? WIRE_ECE : WIRE_VERSION);
	segue_put_be16(wire + AT_SIZE, SEGUE_ENDPOINT_WIRE_SIZE);
	wire[AT_LINK] = (uint8_t)endpoint->link;
	wire[AT_TYPE] = (uint8_t)endpoint->type;
	segue_put_be16(wire + AT_LID, endpoint->lid);
	segue_put_be32(wire + AT_QPN, endpoint->qpn);
	segue_put_be32(wire + AT_PSN, endpoint->psn);
	segue_put_be32(wire + AT_MTU, endpoint->mtu);
	segue_put_be32(wire + AT_QKEY, endpoint->qkey);
	wire[AT_RD_ATOMIC] = endpoint->rd_atomic;
	wire[AT_DEST_RD_ATOMIC] = endpoint->dest_rd_atomic;
	wire[AT_TIMEOUT] = endpoint->timeout;
	wire[AT_MIN_RNR_TIMER] = endpoint->min_rnr_timer;
	memcpy(wire + AT_GID, endpoint->gid.bytes, sizeof(endpoint->gid.bytes));
	segue_put_be32(wire + AT_ECE_VENDOR, endpoint->ece.vendor_id);
	segue_put_be32(wire + AT_ECE_OPTIONS, endpoint->ece.vendor_id ? endpoint->ece.options : 0);
	memcpy(wire + AT_USER, endpoint->user, sizeof(endpoint->user));
}

static int bad(const char *field, uint64_t value, const char *expected)
{
	return seguei_value_refuse(EPROTO, "Endpoint of the peer", field, value, expected);
}

static bool all_zero(const uint8_t *bytes, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (bytes[i])
			return false;
	return true;
}

static int check_frame(const uint8_t *wire, size_t size)
{
	uint16_t version;
	size_t from;

	if (size != SEGUE_ENDPOINT_WIRE_SIZE)
		return bad("size", size, "128 bytes; the frame is cut or too long");
	if (segue_get_be32(wire + AT_MAGIC) != WIRE_MAGIC)
		return bad("magic", segue_get_be32(wire + AT_MAGIC),
			   "\"SEGU\"; the peer does not speak Segue");
	version = segue_get_be16(wire + AT_VERSION);
	from = version == WIRE_ECE ? AT_ZERO : AT_ECE_VENDOR;
	if (version != WIRE_VERSION && version != WIRE_ECE)
		return bad("version", version, "1 or 2; both sides need the same Segue");
	if (segue_get_be16(wire + AT_SIZE) != SEGUE_ENDPOINT_WIRE_SIZE)
		return bad("announced size", segue_get_be16(wire + AT_SIZE), "128");
	if (!all_zero(wire + from, AT_USER - from))
		return bad("reserved", 1, "all zero");
	if (version == WIRE_ECE && !segue_get_be32(wire + AT_ECE_VENDOR))
		return bad("ECE vendor", 0, "a PCI vendor, in a frame of version 2");
	return 0;
}

static int check_values(const struct segue_endpoint *e)
{
	const struct seguei_value values[] = {
		{SEGUEI_VALUE_QPN, "qpn", e->qpn},
		{SEGUEI_VALUE_PSN, "psn", e->psn},
		{SEGUEI_VALUE_MTU, "mtu", e->mtu},
		{SEGUEI_VALUE_TIMEOUT, "timeout", e->timeout},
		{SEGUEI_VALUE_RNR_TIMER, "min_rnr_timer", e->min_rnr_timer},
	};

	if (e->link != SEGUE_LINK_IB && e->link != SEGUE_LINK_ROCE)
		return bad("link", e->link, "1 (InfiniBand) or 2 (RoCE)");
	if (!seguei_qp_info(e->type))
		return bad("type", e->type, "one of enum segue_qp_type");
	if (!e->qpn)
		return bad("qpn", 0, "24 bits, not 0");
	if (e->link == SEGUE_LINK_IB && !e->lid)
		return bad("lid", 0, "a LID; is the port up?");
	if (e->link == SEGUE_LINK_ROCE && all_zero(e->gid.bytes, sizeof(e->gid.bytes)))
		return bad("gid", 0, "a GID; has the interface an address?");
	return seguei_values_check(EPROTO, "Endpoint of the peer", values,
				   sizeof(values) / sizeof(values[0]));
}

int segue_endpoint_unpack(const void *bytes, size_t size, struct segue_endpoint *out)
{
	const uint8_t *wire = bytes;
	struct segue_endpoint e = {0};
	int ret;

	ret = check_frame(wire, size);
	if (ret)
		return ret;
	e.link = (enum segue_link)wire[AT_LINK];
	e.type = (enum segue_qp_type)wire[AT_TYPE];
	e.lid = segue_get_be16(wire + AT_LID);
	e.qpn = segue_get_be32(wire + AT_QPN);
	e.psn = segue_get_be32(wire + AT_PSN);
	e.mtu = segue_get_be32(wire + AT_MTU);
	e.qkey = segue_get_be32(wire + AT_QKEY);
	e.rd_atomic = wire[AT_RD_ATOMIC];
	e.dest_rd_atomic = wire[AT_DEST_RD_ATOMIC];
	e.timeout = wire[AT_TIMEOUT];
	e.min_rnr_timer = wire[AT_MIN_RNR_TIMER];
	memcpy(e.gid.bytes, wire + AT_GID, sizeof(e.gid.bytes));
	e.ece.vendor_id = segue_get_be32(wire + AT_ECE_VENDOR);
	e.ece.options = segue_get_be32(wire + AT_ECE_OPTIONS);
	memcpy(e.user, wire + AT_USER, sizeof(e.user));
	ret = check_values(&e);
	if (!ret)
		*out = e;
	return ret;
}

static uint8_t smaller(uint8_t a, uint8_t b)
{
	return a < b ? a : b;
}

int segue_path_set_peer(struct segue_path *path, const struct segue_endpoint *peer)
{
	int ret = check_values(peer);

	if (ret)
		return ret;
	if (peer->link != path->link)
		return seguei_fail(
			EINVAL, "The peer is on %s, this side on %s; choose ports of one network.",
			peer->link == SEGUE_LINK_IB ? "InfiniBand" : "RoCE",
			path->link == SEGUE_LINK_IB ? "InfiniBand" : "RoCE");
	path->dest_qpn = peer->qpn;
	path->rq_psn = peer->psn;
	if (peer->mtu < path->mtu)
		path->mtu = peer->mtu;
	path->rd_atomic = smaller(path->rd_atomic, peer->dest_rd_atomic);
	path->dest_rd_atomic = smaller(path->dest_rd_atomic, peer->rd_atomic);
	/* 0 waits for ever, so it is the longest. */
	if (path->timeout && (!peer->timeout || peer->timeout > path->timeout))
		path->timeout = peer->timeout;
	if (path->link == SEGUE_LINK_ROCE) {
		path->way.roce.route.dgid = peer->gid;
		return 0;
	}
	path->way.ib.dlid = peer->lid;
	if (path->way.ib.global)
		path->way.ib.route.dgid = peer->gid;
	return 0;
}
