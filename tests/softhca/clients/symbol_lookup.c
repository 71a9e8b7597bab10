/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program that writes to itself: symbol_lookup HOW. It finds libibverbs' functions by dlsym(), as
 * NCCL does, or by its linker. Writes what it has seen.
 */
#include <dlfcn.h>
#include <infiniband/verbs.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUESTS 100

static char memory[256];
static void *library; /* NULL: by the linker */

/* A function of libibverbs, in a variable of its name. */
#define FIND(name)                                                        \
	__typeof__(&name) own_##name = name;                              \
	do {                                                              \
		void *found_ = library ? dlsym(library, #name) : NULL;    \
		if (found_)                                               \
			memcpy(&own_##name, &found_, sizeof(own_##name)); \
	} while (0)

static void check(int right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "symbol_lookup: %s fails\n", what);
	exit(1);
}

static void connect_to_itself(struct ibv_qp *qp)
{
	FIND(ibv_modify_qp);
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = qp->qp_num,
		.timeout = 14,
		.retry_cnt = 7,
		.ah_attr = {.port_num = 1},
	};
	struct ibv_port_attr port;

	check(!ibv_query_port(qp->context, 1, &port), "ibv_query_port()");
	attr.ah_attr.dlid = port.lid;
	check(!own_ibv_modify_qp(qp, &attr,
				 IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
					 IBV_QP_ACCESS_FLAGS),
	      "INIT");
	attr.qp_state = IBV_QPS_RTR;
	check(!own_ibv_modify_qp(qp, &attr,
				 IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
					 IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
					 IBV_QP_MIN_RNR_TIMER),
	      "RTR");
	attr.qp_state = IBV_QPS_RTS;
	check(!own_ibv_modify_qp(qp, &attr,
				 IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
					 IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
					 IBV_QP_MAX_QP_RD_ATOMIC),
	      "RTS");
}

static void write_and_wait(struct ibv_qp *qp, const struct ibv_mr *mr, uint64_t id)
{
	struct ibv_sge sge = {(uintptr_t)memory, 64, mr->lkey};
	struct ibv_send_wr wr = {
		.wr_id = id,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = {(uintptr_t)memory + 128, mr->rkey},
	};
	struct ibv_send_wr *bad;
	struct ibv_wc wc;

	check(!ibv_post_send(qp, &wr, &bad), "ibv_post_send()");
	while (!ibv_poll_cq(qp->send_cq, 1, &wc))
		sched_yield();
	check(!wc.status && wc.wr_id == id && wc.qp_num == qp->qp_num, "a completion");
}

static void end(struct ibv_qp *qp, struct ibv_mr *mr)
{
	struct ibv_context *context = qp->context;
	struct ibv_pd *pd = qp->pd;
	struct ibv_cq *cq = qp->send_cq;
	FIND(ibv_destroy_qp);
	FIND(ibv_destroy_cq);
	FIND(ibv_dereg_mr);
	FIND(ibv_dealloc_pd);
	FIND(ibv_close_device);

	check(!own_ibv_destroy_qp(qp) && !own_ibv_destroy_cq(cq) && !own_ibv_dereg_mr(mr) &&
		      !own_ibv_dealloc_pd(pd) && !own_ibv_close_device(context),
	      "an end");
}

int main(int argc, char **argv)
{
	struct ibv_qp_init_attr attr = {.qp_type = IBV_QPT_RC, .cap = {16, 16, 1, 1, 0}};
	struct ibv_device **list;
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct ibv_qp *qp;
	uint64_t i;

	if (argc > 1 && !strcmp(argv[1], "dlsym"))
		library = dlopen("libibverbs.so.1", RTLD_NOW);
	FIND(ibv_get_device_list);
	FIND(ibv_open_device);
	FIND(ibv_alloc_pd);
	FIND(ibv_create_cq);
	FIND(ibv_create_qp);
#undef ibv_reg_mr
	FIND(ibv_reg_mr);
	list = own_ibv_get_device_list(NULL);
	context = list && list[0] ? own_ibv_open_device(list[0]) : NULL;
	check(!!context, "ibv_open_device()");
	pd = own_ibv_alloc_pd(context);
	mr = own_ibv_reg_mr(pd, memory, sizeof(memory),
			    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	attr.send_cq = attr.recv_cq = own_ibv_create_cq(context, 16, NULL, NULL, 0);
	qp = own_ibv_create_qp(pd, &attr);
	check(mr && qp, "creation");
	connect_to_itself(qp);
	strcpy(memory, "written");
	for (i = 0; i < REQUESTS; i++)
		write_and_wait(qp, mr, i);
	printf("%s %d times\n", memory + 128, REQUESTS);
	end(qp, mr);
	return 0;
}
