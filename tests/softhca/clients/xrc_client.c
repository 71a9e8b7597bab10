/* SPDX-License-Identifier: BSD-2-Clause */
/* XRC targets that several contexts of a program open by number. */
#include <fcntl.h>
#include <unistd.h>

#include "tests/softhca/clients/client.h"

int failures;

static struct ibv_xrcd *domain(struct ibv_context *ctx, int fd)
{
	struct ibv_xrcd_init_attr attr = {.comp_mask = IBV_XRCD_INIT_ATTR_FD |
						       IBV_XRCD_INIT_ATTR_OFLAGS,
					  .fd = fd,
					  .oflags = O_CREAT};

	return ibv_open_xrcd(ctx, &attr);
}

static struct ibv_qp *open_qp(struct ibv_context *ctx, struct ibv_xrcd *xrcd, uint32_t num,
			      enum ibv_qp_type type)
{
	struct ibv_qp_open_attr attr = {.comp_mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD |
						     IBV_QP_OPEN_ATTR_TYPE,
					.qp_num = num,
					.xrcd = xrcd,
					.qp_type = type};

	return ibv_open_qp(ctx, &attr);
}

static int state_of(struct ibv_qp *qp)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	CHECK_RC(ibv_query_qp(qp, &attr, IBV_QP_STATE, &init), 0);
	return attr.qp_state;
}

int main(void)
{
	char path[] = "/tmp/xrc_client.XXXXXX";
	const int fd = mkstemp(path);
	struct ibv_context *a = open_first(), *b = open_first();
	struct ibv_xrcd *xa = domain(a, fd), *xb = domain(b, fd), *other = domain(b, -1);
	struct ibv_qp_init_attr_ex init = {
		.qp_type = IBV_QPT_XRC_RECV, .comp_mask = IBV_QP_INIT_ATTR_XRCD, .xrcd = xa};
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1};
	const int to_init = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
	struct ibv_qp *qp, *again, *third;

	unlink(path); /* the domains hold the file */
	NEED(xa && xb && other);
	qp = ibv_create_qp_ex(a, &init);
	NEED(qp);
	CHECK_NULL(open_qp(b, other, qp->qp_num, IBV_QPT_XRC_RECV), EINVAL);
	CHECK_NULL(open_qp(b, xb, qp->qp_num + 1, IBV_QPT_XRC_RECV), EINVAL);
	CHECK_NULL(open_qp(b, xb, qp->qp_num, IBV_QPT_RC), EINVAL);
	again = open_qp(b, xb, qp->qp_num, IBV_QPT_XRC_RECV);
	third = open_qp(a, xa, qp->qp_num, IBV_QPT_XRC_RECV);
	NEED(again && third);
	CHECK_EQ(again->qp_num, qp->qp_num);
	/* What one does the others see. */
	CHECK_RC(ibv_modify_qp(again, &attr, to_init), 0);
	CHECK(state_of(qp) == IBV_QPS_INIT && state_of(third) == IBV_QPS_INIT);
	/*
	 * It lives as long as one handle of it does. libmlx5 cannot destroy those that were opened
	 * (it looks for a doorbell record that they do not have), so closing the device has to.
	 */
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_EQ(state_of(again), IBV_QPS_INIT);
	CHECK_RC(ibv_close_xrcd(xa), EBUSY);
	CHECK_RC(ibv_close_device(a), 0);
	CHECK_EQ(state_of(again), IBV_QPS_INIT);
	CHECK_RC(ibv_close_xrcd(xb), EBUSY);
	CHECK_RC(ibv_close_xrcd(other), 0);
	CHECK_RC(ibv_close_device(b), 0);
	close(fd);
	printf("%d failures\n", failures);
	return failures != 0;
}
