/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/builders/instructions/shapes.h"

#define SHAPE(name)                                                   \
	int generated_##name(struct segue_sq *queue, SHAPE_PARAMETERS)

#define UNUSED()           \
	do {               \
		(void)addr;   \
		(void)length; \
		(void)lkey;   \
		(void)remote_addr; \
		(void)rkey;   \
	} while (0)

#define RC ((struct segue_rc_sq *)queue)

SHAPE(write_1)
{
	return segue_post(segue_sge(
		segue_raddr(segue_rdma_write(RC, wr_id, SEGUE_SIGNALED), remote_addr, rkey), addr,
		length, lkey));
}

SHAPE(write_1_commit)
{
	return segue_commit(segue_sge(
		segue_raddr(segue_rdma_write(RC, wr_id, SEGUE_SIGNALED), remote_addr, rkey), addr,
		length, lkey));
}

SHAPE(write_16)
{
	for (uint32_t i = 0; i < 15; i++)
		if (segue_commit(segue_sge(
			    segue_raddr(segue_rdma_write(RC, wr_id + i, 0), remote_addr, rkey),
			    addr, length, lkey)))
			return -1;
	return segue_post(segue_sge(
		segue_raddr(segue_rdma_write(RC, wr_id, SEGUE_SIGNALED), remote_addr, rkey), addr,
		length, lkey));
}

SHAPE(write_16_batch)
{
	struct segue_rc_batch batch = segue_batch_begin(RC);

	for (uint32_t i = 0; i < 15; i++)
		if (segue_commit(segue_sge(
			    segue_raddr(segue_rdma_write(&batch, wr_id + i, 0), remote_addr, rkey),
			    addr, length, lkey)))
			return -1;
	if (segue_commit(segue_sge(
		    segue_raddr(segue_rdma_write(&batch, wr_id, SEGUE_SIGNALED), remote_addr, rkey),
		    addr, length, lkey)))
		return -1;
	segue_batch_end(&batch);
	return 0;
}

SHAPE(write_1_silent)
{
	return segue_post(segue_sge(segue_raddr(segue_rdma_write(RC, wr_id, 0), remote_addr, rkey),
				    addr, length, lkey));
}

SHAPE(write_blueflame)
{
	return segue_post_blueflame(segue_sge(
		segue_raddr(segue_rdma_write(RC, wr_id, SEGUE_SIGNALED), remote_addr, rkey), addr,
		length, lkey));
}

SHAPE(write_2)
{
	return segue_post(
		segue_sge(segue_sge(segue_raddr(segue_rdma_write(RC, wr_id, SEGUE_SIGNALED),
						remote_addr, rkey),
				    addr, length, lkey),
			  addr + 4096, length, lkey));
}

SHAPE(write_4)
{
	struct segue_rc_rdma_write_may_take_sge w = segue_sge(
		segue_sge(
			segue_raddr(segue_rdma_write(RC, wr_id, SEGUE_SIGNALED), remote_addr, rkey),
			addr, length, lkey),
		addr + 4096, length, lkey);

	return segue_post(
		segue_sge(segue_sge(w, addr + 8192, length, lkey), addr + 12288, length, lkey));
}

SHAPE(write_args)
{
	const struct segue_seg_data sge = {length, lkey, addr};
	const struct segue_rc_rdma_write_args args = {.wr_id = wr_id,
						      .flags = shape_flags,
						      .remote_addr = remote_addr,
						      .rkey = rkey,
						      .sges = &sge,
						      .sge_count = shape_count};

	return segue_post_rdma_write(RC, &args);
}

SHAPE(write_imm_1)
{
	return segue_post(segue_sge(
		segue_raddr(segue_rdma_write_imm(RC, wr_id, SEGUE_SIGNALED | SEGUE_SOLICITED, lkey),
			    remote_addr, rkey),
		addr, length, lkey));
}

SHAPE(write_inline_28)
{
	(void)length;
	(void)lkey;
	return segue_post(segue_inline_data(
		segue_raddr(segue_rdma_write(RC, wr_id, SEGUE_SIGNALED), remote_addr, rkey),
		(const void *)(uintptr_t)addr, 28));
}

/* Of a length that the compiler does not know. */
SHAPE(write_inline_any)
{
	(void)lkey;
	return segue_post(segue_inline_data(
		segue_raddr(segue_rdma_write(RC, wr_id, SEGUE_SIGNALED), remote_addr, rkey),
		(const void *)(uintptr_t)addr, length));
}

SHAPE(read_1)
{
	return segue_post(segue_sge(
		segue_raddr(segue_rdma_read(RC, wr_id, SEGUE_SIGNALED), remote_addr, rkey), addr,
		length, lkey));
}

SHAPE(send_1)
{
	(void)remote_addr;
	(void)rkey;
	return segue_post(segue_sge(segue_send(RC, wr_id, SEGUE_SIGNALED), addr, length, lkey));
}

SHAPE(send_inline_12)
{
	(void)length;
	(void)lkey;
	(void)remote_addr;
	(void)rkey;
	return segue_post(segue_inline_data(segue_send(RC, wr_id, SEGUE_SIGNALED),
					    (const void *)(uintptr_t)addr, 12));
}

SHAPE(atomic_cs)
{
	return segue_post(
		segue_sge(segue_compare_swap(segue_raddr(segue_atomic_cs(RC, wr_id, SEGUE_SIGNALED),
							 remote_addr, rkey),
					     addr, wr_id),
			  addr, length, lkey));
}

SHAPE(atomic_fa)
{
	return segue_post(
		segue_sge(segue_atomic_add(segue_raddr(segue_atomic_fa(RC, wr_id, SEGUE_SIGNALED),
						       remote_addr, rkey),
					   wr_id),
			  addr, length, lkey));
}

SHAPE(masked_fa64)
{
	return segue_post(segue_sge(
		segue_masked_fa64(segue_raddr(segue_masked_atomic_fa64(RC, wr_id, SEGUE_SIGNALED),
					      remote_addr, rkey),
				  wr_id, addr),
		addr, length, lkey));
}

SHAPE(nop)
{
	UNUSED();
	return segue_post(segue_nop(RC, wr_id, SEGUE_SIGNALED));
}

SHAPE(uc_write_1)
{
	return segue_post(segue_sge(
		segue_raddr(segue_rdma_write((struct segue_uc_sq *)queue, wr_id, SEGUE_SIGNALED),
			    remote_addr, rkey),
		addr, length, lkey));
}

SHAPE(ud_send_1)
{
	(void)remote_addr;
	return segue_post(
		segue_sge(segue_av(segue_send((struct segue_ud_sq *)queue, wr_id, SEGUE_SIGNALED),
				   &shape_ah, rkey, lkey),
			  addr, length, lkey));
}

SHAPE(xrc_send_1)
{
	(void)remote_addr;
	return segue_post(segue_sge(
		segue_xrc(segue_send((struct segue_xrc_initiator_sq *)queue, wr_id, SEGUE_SIGNALED),
			  rkey),
		addr, length, lkey));
}

SHAPE(dci_write_1)
{
	return segue_post(
		segue_sge(segue_raddr(segue_av(segue_rdma_write((struct segue_dci_sq *)queue, wr_id,
								SEGUE_SIGNALED),
					       &shape_ah, rkey, SHAPE_DC_KEY),
				      remote_addr, rkey),
			  addr, length, lkey));
}

int generated_recv_1(struct segue_rq *rq, SHAPE_PARAMETERS)
{
	(void)remote_addr;
	(void)rkey;
	return segue_post(segue_sge(segue_recv(rq, wr_id), addr, length, lkey));
}
