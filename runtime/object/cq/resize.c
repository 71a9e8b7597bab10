/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Resizing of a completion queue that is in use.
 *
 * ibv_resize_cq() does not work here, because it copies entries from libmlx5's own consumer index
 * on, which does not move while Segue polls. The kernel command is called directly instead. The
 * device writes a last entry, RESIZE, to the old ring, and goes on in the new ring after that
 * index. The entries before RESIZE are moved here.
 */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/ring_domain.h"
#include "runtime/object/device/uverbs.h"
#include "runtime/ring/cq/geometry.h"
#include "segue/base.h"

/* Number of written entries from the consumer index up to RESIZE, which is not counted. */
static uint32_t count_waiting(const struct segue_cq *cq, bool *resized)
{
	uint32_t n;

	*resized = false;
	for (n = 0; n < cq->ring.cqe_cnt && seguei_cq_ring_is_new(&cq->ring, seguei_cq_ci(cq) + n);
	     n++) {
		seguei_order_memory_loads(); /* the owner bit is read before the rest of the
						entry */
		*resized = seguei_cq_ring_entry(&cq->ring,
						seguei_cq_ci(cq) + n)[SEGUEI_CQE_OP_OWN] >>
				   4 ==
			   SEGUE_CQE_OPCODE_RESIZE_CQ;
		if (*resized)
			break;
	}
	return n;
}

static size_t bytes_of(const struct seguei_cq_ring *ring)
{
	return (size_t)ring->cqe_cnt * ring->entry_size;
}

/* Makes a ring without new entries. The device's first entry follows RESIZE. */
static int new_ring(const struct seguei_cq_object *object, uint32_t cnt,
		    struct seguei_cq_ring *ring)
{
	const struct segue_cq *cq = &object->cq;
	uint32_t i;

	*ring = cq->ring;
	ring->cqe_cnt = cnt;
	ring->log_cnt = 0;
	while (1u << ring->log_cnt < cnt)
		ring->log_cnt++;
	ring->buf = seguei_ring_domain_take(object->rings, "Completion queue", bytes_of(ring));
	if (!ring->buf)
		return -errno;
	for (i = 1; i <= cnt; i++)
		seguei_cq_ring_make_old(ring, seguei_cq_ci(cq) + i);
	return 0;
}

/* The command for the kernel: header, the part of verbs, the part of the driver. */
static int ask_kernel(const struct seguei_cq_object *cq, const struct seguei_cq_ring *ring)
{
	uint64_t bytes[(sizeof(struct ib_uverbs_cmd_hdr) + sizeof(struct ib_uverbs_resize_cq) +
			sizeof(struct mlx5_ib_resize_cq)) /
		       sizeof(uint64_t)];
	struct ib_uverbs_resize_cq_resp answer;
	const struct mlx5_ib_resize_cq driver = {
		.buf_addr = (uintptr_t)ring->buf,
		.cqe_size = (uint16_t)ring->entry_size,
	};
	const struct ib_uverbs_resize_cq verbs = {
		.response = (uintptr_t)&answer,
		.cq_handle = cq->verbs->handle,
		.cqe = ring->cqe_cnt - 1, /* the kernel adds one and rounds up */
	};
	const struct ib_uverbs_cmd_hdr header = {
		.command = IB_USER_VERBS_CMD_RESIZE_CQ,
		.in_words = sizeof(bytes) / 4,
		.out_words = sizeof(answer) / 4,
	};
	uint8_t *at = (uint8_t *)bytes;
	int err;

	memset(&answer, 0, sizeof(answer));
	memcpy(at, &header, sizeof(header));
	memcpy(at + sizeof(header), &verbs, sizeof(verbs));
	memcpy(at + sizeof(header) + sizeof(verbs), &driver, sizeof(driver));
	err = seguei_uverbs_write(cq->verbs->context, bytes, sizeof(bytes));
	if (err)
		return seguei_fail(err,
				   "Completion queue 0x%x: a ring of %u entries is refused: %s.",
				   cq->cq.cqn, ring->cqe_cnt, strerror(err));
	cq->verbs->cqe = (int)answer.cqe;
	return 0;
}

static int check(const struct seguei_cq_object *cq, const struct segue_device *device,
		 uint32_t entries)
{
	if (cq->adopted)
		return seguei_fail(ENOTSUP,
				   "Completion queue 0x%x: an adopted queue is not resized; resize "
				   "it with ibv_resize_cq() before it is adopted.",
				   cq->cq.cqn);
	if (cq->compresses || cq->cq.ring.enhanced)
		return seguei_fail(ENOTSUP,
				   "Completion queue 0x%x: it compresses, so it cannot be resized.",
				   cq->cq.cqn);
	if (!entries || entries > device->caps.max_cqe)
		return seguei_fail(EINVAL,
				   "Completion queue 0x%x: entries is %u, expected 1 to %u.",
				   cq->cq.cqn, entries, device->caps.max_cqe);
	if (entries < cq->budget.reserved)
		return seguei_fail(EINVAL,
				   "Completion queue 0x%x: entries is %u, but %llu are reserved "
				   "for its queue pairs; close some first.",
				   cq->cq.cqn, entries, (unsigned long long)cq->budget.reserved);
	return 0;
}

/*
 * Switches to the ring, which new_ring() has made and the device uses. Unpolled entries of the old
 * ring move there, after the index of RESIZE.
 */
static int take_over(struct seguei_cq_object *object, const struct seguei_cq_ring *ring)
{
	struct segue_cq *cq = &object->cq;
	bool resized;
	const uint32_t waiting = count_waiting(cq, &resized);
	uint32_t i;

	if (!resized)
		return seguei_fail(
			EIO,
			"Completion queue 0x%x: the device has taken the new ring but left no "
			"RESIZE entry in the old one; completions may be lost, so close it.",
			cq->cqn);
	for (i = 0; i < waiting; i++)
		seguei_cq_ring_move(ring, seguei_cq_ci(cq) + i + 1, &cq->ring,
				    seguei_cq_ci(cq) + i);
	seguei_cq_set_ring(cq, ring->buf, ring->cqe_cnt, seguei_cq_ci(cq) + 1);
	seguei_cq_keep_room(object); /* also notifies the device */
	seguei_devx_give_back(&object->devx, object->rings);
	object->devx.memory = ring->buf;
	object->devx.bytes = bytes_of(ring);
	return 0;
}

int segue_cq_resize(struct segue_cq *cq, uint32_t entries)
{
	struct seguei_cq_object *object = seguei_cq_object_of(cq);
	struct seguei_cq_ring ring;
	uint32_t cnt, waiting;
	bool resized;
	int ret;

	ret = seguei_object_check((struct seguei_object *)object, &seguei_cq_kind,
				  "segue_cq_resize()");
	if (!ret)
		ret = seguei_cq_check_unpolled(cq, "segue_cq_resize()");
	if (!ret)
		ret = check(object, seguei_device_of(&object->object), entries);
	if (!ret)
		ret = seguei_cq_need_kernel(cq, "segue_cq_resize()");
	if (ret)
		return ret;
	cnt = seguei_cq_ring_for(seguei_cq_ample(seguei_device_of(&object->object), entries));
	if (cnt == cq->ring.cqe_cnt) {
		object->budget.entries = seguei_cq_entries(entries, cnt);
		return 0; /* the device would not write RESIZE */
	}
	waiting = count_waiting(cq, &resized);
	if (waiting >= cnt)
		return seguei_fail(
			EINVAL,
			"Completion queue 0x%x: %u completions wait, which do not fit %u "
			"entries; poll first.",
			cq->cqn, waiting, entries);
	ret = new_ring(object, cnt, &ring);
	if (ret)
		return ret;
	ret = ask_kernel(object, &ring);
	if (ret) {
		seguei_ring_domain_give_back(object->rings, ring.buf, bytes_of(&ring));
		return ret;
	}
	ret = take_over(object, &ring);
	if (!ret)
		object->budget.entries = seguei_cq_entries(entries, cnt);
	return ret;
}
