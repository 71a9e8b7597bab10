/* SPDX-License-Identifier: BSD-2-Clause */
/* Choices about a queue pair's packets: UDP source port, port of a bond, rate. */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "runtime/object/device/device.h"
#include "runtime/object/qp/cross_channel.h"
#include "segue/base.h"

/*
 * RoCEv2 reserves 0xc000 to 0xffff for senders (rdma-core:libibverbs/verbs.h,
 * IB_ROCE_UDP_ENCAP_VALID_PORT_MIN and _MAX).
 */
#define SOURCE_PORT_MIN 0xc000u

int segue_qp_set_udp_source_port(struct segue_qp *qp, uint16_t port)
{
	int ret = seguei_qp_enter(qp, "segue_qp_set_udp_source_port()");

	if (!ret)
		ret = seguei_qp_need_kernel(qp, "a UDP source port");
	if (ret)
		return ret;
	if (port < SOURCE_PORT_MIN)
		return seguei_fail(EINVAL,
				   "Queue pair 0x%x: UDP source port %u, expected %u to 65535, "
				   "which RoCEv2 leaves to senders.",
				   qp->object.number, port, SOURCE_PORT_MIN);
	if (qp->state != SEGUE_QP_STATE_RTS)
		return seguei_fail(EINVAL,
				   "Queue pair 0x%x is in %s, expected RTS: set its UDP source "
				   "port once it is connected.",
				   qp->object.number, seguei_qp_state_name(qp, qp->state));
	ret = mlx5dv_modify_qp_udp_sport(qp->qp, port);
	return ret ? seguei_fail(ret,
				 "Queue pair 0x%x: UDP source port %u: %s; only RC and UC queue "
				 "pairs on an Ethernet port have one.",
				 qp->object.number, port, strerror(ret))
		   : 0;
}

static int check_bond(struct segue_qp *qp)
{
	const struct segue_device *device = seguei_device_of(&qp->object);

	if (device->caps.lag_ports > 1)
		return seguei_qp_need_kernel(qp, "a port of a bond");
	return seguei_fail(ENOTSUP, "Queue pair 0x%x: the ports of %s are no bond.",
			   qp->object.number, segue_device_name(device));
}

int segue_qp_set_lag_port(struct segue_qp *qp, uint8_t port)
{
	int ret = seguei_qp_enter(qp, "segue_qp_set_lag_port()");
	uint32_t ports;

	if (!ret)
		ret = check_bond(qp);
	if (ret)
		return ret;
	ports = seguei_device_of(&qp->object)->caps.lag_ports;
	if (!port || port > ports)
		return seguei_fail(EINVAL,
				   "Queue pair 0x%x: port %u of the bond, expected 1 to %u.",
				   qp->object.number, port, ports);
	ret = mlx5dv_modify_qp_lag_port(qp->qp, port);
	return ret ? seguei_fail(ret, "Queue pair 0x%x: port %u of the bond: %s; expected RTS.",
				 qp->object.number, port, strerror(ret))
		   : 0;
}

int segue_qp_query_lag_port(struct segue_qp *qp, uint8_t *chosen, uint8_t *active)
{
	int ret = seguei_qp_enter(qp, "segue_qp_query_lag_port()");

	if (!ret)
		ret = check_bond(qp);
	if (ret)
		return ret;
	ret = mlx5dv_query_qp_lag_port(qp->qp, chosen, active);
	return ret ? seguei_fail(ret, "Queue pair 0x%x: its port of the bond: %s; expected RTS.",
				 qp->object.number, strerror(ret))
		   : 0;
}

static int check_rate(struct segue_qp *qp, const struct segue_qp_rate *rate)
{
	const struct segue_device *device = seguei_device_of(&qp->object);
	const struct segue_caps *caps = &device->caps;

	if (!caps->rate_max)
		return seguei_fail(ENOTSUP, "Queue pair 0x%x: %s limits no rate.",
				   qp->object.number, segue_device_name(device));
	if (!qp->qp || qp->qp->qp_type != IBV_QPT_RAW_PACKET || qp->state != SEGUE_QP_STATE_RTS)
		return seguei_fail(EINVAL,
				   "Queue pair 0x%x is %s in %s, expected a raw packet queue pair "
				   "in RTS: no other has a rate.",
				   qp->object.number, segue_qp_transport(qp)->name,
				   seguei_qp_state_name(qp, qp->state));
	if (rate->kbps ? rate->kbps < caps->rate_min || rate->kbps > caps->rate_max
		       : rate->burst_bytes || rate->packet_bytes)
		return seguei_fail(EINVAL,
				   "Queue pair 0x%x: kbps is %u, expected %u to %u, or 0 without a "
				   "burst for no limit.",
				   qp->object.number, rate->kbps, caps->rate_min, caps->rate_max);
	return 0;
}

int segue_qp_set_rate(struct segue_qp *qp, const struct segue_qp_rate *rate)
{
	struct ibv_qp_rate_limit_attr attr = {
		.rate_limit = rate->kbps,
		.max_burst_sz = rate->burst_bytes,
		.typical_pkt_sz = rate->packet_bytes,
	};
	int ret = seguei_qp_enter(qp, "segue_qp_set_rate()");

	if (!ret)
		ret = check_rate(qp, rate);
	if (ret)
		return ret;
	ret = ibv_modify_qp_rate_limit(qp->qp, &attr);
	return ret ? seguei_fail(ret,
				 "Queue pair 0x%x: %u kilobits per second, bursts of %u bytes: %s.",
				 qp->object.number, rate->kbps, rate->burst_bytes, strerror(ret))
		   : 0;
}
