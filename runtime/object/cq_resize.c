/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Another ring for a completion queue that is in use.
 *
 * ibv_resize_cq() is of no use here: libmlx5 moves the entries from its own consumer index on,
 * which stands still since Segue polls. So the kernel is asked directly. The device writes one last
 * entry to the old ring, RESIZE, and goes on in the new one behind that index; what lies before it
 * in the old ring is moved here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/object/cq_object.h"
#include "segue/errmsg.h"

#define OP_OWN (SEGUE_CQE_CQE64_SIZE - 1) /* byte of an entry's last half */

void seguei_cq_free_ring(struct seguei_cq_object *cq)
{
	if (cq->ring)
		munmap(cq->ring, cq->ring_bytes);
	cq->ring = NULL;
}

/* The last 64 bytes of the entry with this counter, in a ring of `cnt` entries. */
static uint8_t *entry_at(uint8_t *ring, uint32_t cnt, uint32_t size, uint32_t counter)
{
	return ring + (size_t)(counter & (cnt - 1)) * size + size - SEGUE_CQE_CQE64_SIZE;
}

static uint8_t *old_entry(const struct segue_cq *cq, uint32_t counter)
{
	return entry_at(cq->buf, cq->cqe_cnt, cq->entry_size, counter);
}

/* The owner bit of a new entry: whether the ring has been gone through an odd number of times. */
static uint8_t owner(uint32_t counter, uint32_t cnt)
{
	return counter & cnt ? SEGUE_CQE_OP_OWN_OWNER_MASK : 0;
}

static bool is_new(const struct segue_cq *cq, uint32_t counter)
{
	const uint8_t op_own = *(const volatile uint8_t *)(old_entry(cq, counter) + OP_OWN);

	return (op_own & SEGUE_CQE_OP_OWN_OWNER_MASK) == owner(counter, cq->cqe_cnt) &&
	       op_own >> 4 != SEGUE_CQE_OPCODE_INVALID;
}

/* Entries from the consumer's on that the device has written, up to and without RESIZE. */
static uint32_t count_waiting(const struct segue_cq *cq, bool *resized)
{
	uint32_t n;

	*resized = false;
	for (n = 0; n < cq->cqe_cnt && is_new(cq, cq->ci + n); n++) {
		seguei_order_memory_loads(); /* nothing of the entry is read before its owner */
		*resized = old_entry(cq, cq->ci + n)[OP_OWN] >> 4 == SEGUE_CQE_OPCODE_RESIZE_CQ;
		if (*resized)
			break;
	}
	return n;
}

/* A ring in which no entry is new. The first that the device writes is the one behind RESIZE. */
static uint8_t *new_ring(const struct segue_cq *cq, uint32_t cnt)
{
	const size_t bytes = (size_t)cnt * cq->entry_size;
	uint8_t *ring;
	uint32_t i;

	ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ring == MAP_FAILED) {
		seguei_fail(ENOMEM, "Completion queue 0x%x: no memory for %u entries.", cq->cqn,
			    cnt);
		return NULL;
	}
	(void)madvise(ring, bytes, MADV_DONTFORK); /* a child must not part its pages from ours */
	for (i = 1; i <= cnt; i++)
		entry_at(ring, cnt, cq->entry_size, cq->ci + i)[OP_OWN] =
			(uint8_t)((unsigned int)SEGUE_CQE_OPCODE_INVALID << 4 |
				  (owner(cq->ci + i, cnt) ^ SEGUE_CQE_OP_OWN_OWNER_MASK));
	return ring;
}

/* The command as it goes to the kernel: header, verbs' part, the driver's part. */
static int ask_kernel(const struct seguei_cq_object *cq, const uint8_t *ring, uint32_t cnt)
{
	uint64_t bytes[(sizeof(struct ib_uverbs_cmd_hdr) + sizeof(struct ib_uverbs_resize_cq) +
			sizeof(struct mlx5_ib_resize_cq)) /
		       sizeof(uint64_t)];
	struct ib_uverbs_resize_cq_resp answer;
	const struct mlx5_ib_resize_cq driver = {
		.buf_addr = (uintptr_t)ring,
		.cqe_size = (uint16_t)cq->cq.entry_size,
	};
	const struct ib_uverbs_resize_cq verbs = {
		.response = (uintptr_t)&answer,
		.cq_handle = cq->verbs->handle,
		.cqe = cnt - 1, /* the kernel rounds up from one more */
	};
	const struct ib_uverbs_cmd_hdr header = {
		.command = IB_USER_VERBS_CMD_RESIZE_CQ,
		.in_words = sizeof(bytes) / 4,
		.out_words = sizeof(answer) / 4,
	};
	uint8_t *at = (uint8_t *)bytes;

	memset(&answer, 0, sizeof(answer));
	memcpy(at, &header, sizeof(header));
	memcpy(at + sizeof(header), &verbs, sizeof(verbs));
	memcpy(at + sizeof(header) + sizeof(verbs), &driver, sizeof(driver));
	if (write(cq->verbs->context->cmd_fd, bytes, sizeof(bytes)) != (ssize_t)sizeof(bytes))
		return seguei_fail(errno ? errno : EIO,
				   "Completion queue 0x%x: a ring of %u entries is refused: %s.",
				   cq->cq.cqn, cnt, strerror(errno));
	cq->verbs->cqe = (int)answer.cqe;
	return 0;
}

/* Copies what waits in the old ring behind the place that RESIZE takes in the counting. */
static void move_entries(const struct segue_cq *cq, uint8_t *ring, uint32_t cnt, uint32_t waiting)
{
	const size_t size = cq->entry_size, front = size - SEGUE_CQE_CQE64_SIZE;
	uint32_t i;

	for (i = 0; i < waiting; i++) {
		const uint8_t *from = old_entry(cq, cq->ci + i);
		uint8_t *to = entry_at(ring, cnt, cq->entry_size, cq->ci + i + 1);

		memcpy(to - front, from - front, size);
		to[OP_OWN] = (uint8_t)((to[OP_OWN] & ~(unsigned int)SEGUE_CQE_OP_OWN_OWNER_MASK) |
				       owner(cq->ci + i + 1, cnt));
	}
}

static int check(const struct seguei_cq_object *cq, const struct segue_device *device,
		 uint32_t entries)
{
	if (cq->adopted)
		return seguei_fail(ENOTSUP,
				   "Completion queue 0x%x: an adopted queue is not resized; resize "
				   "it with ibv_resize_cq() before it is adopted.",
				   cq->cq.cqn);
	if (cq->compresses || cq->cq.enhanced)
		return seguei_fail(ENOTSUP,
				   "Completion queue 0x%x: it compresses, so it cannot be resized.",
				   cq->cq.cqn);
	if (!entries || entries > device->caps.max_cqe)
		return seguei_fail(EINVAL,
				   "Completion queue 0x%x: entries is %u, expected 1 to %u.",
				   cq->cq.cqn, entries, device->caps.max_cqe);
	return 0;
}

/* Has the ring `cnt` entries, made by new_ring() and known to the device, take over. */
static int take_over(struct seguei_cq_object *object, uint8_t *ring, uint32_t cnt)
{
	struct segue_cq *cq = &object->cq;
	bool resized;
	const uint32_t waiting = count_waiting(cq, &resized);

	if (!resized)
		return seguei_fail(
			EIO,
			"Completion queue 0x%x: the device has taken the new ring but left no "
			"RESIZE entry in the old one; completions may be lost, so close it.",
			cq->cqn);
	move_entries(cq, ring, cnt, waiting);
	seguei_cq_set_ring(cq, ring, cnt, cq->ci + 1);
	seguei_cq_give_back(cq);
	seguei_cq_free_ring(object);
	object->ring = ring;
	object->ring_bytes = (size_t)cnt * cq->entry_size;
	return 0;
}

int segue_cq_resize(struct segue_cq *cq, uint32_t entries)
{
	struct seguei_cq_object *object = seguei_cq_object_of(cq);
	uint32_t cnt = 2, waiting;
	uint8_t *ring;
	bool resized;
	int ret;

	ret = seguei_object_check((struct seguei_object *)object, &seguei_cq_kind,
				  "segue_cq_resize()");
	if (!ret)
		ret = check(object, seguei_device_of(&object->object), entries);
	if (ret)
		return ret;
	while (cnt < entries + 1)
		cnt *= 2;
	if (cnt == cq->cqe_cnt)
		return 0; /* and the device would write no RESIZE */
	waiting = count_waiting(cq, &resized);
	if (waiting >= cnt)
		return seguei_fail(
			EINVAL,
			"Completion queue 0x%x: %u completions wait, which do not fit %u "
			"entries; poll first.",
			cq->cqn, waiting, entries);
	ring = new_ring(cq, cnt);
	if (!ring)
		return -ENOMEM;
	ret = ask_kernel(object, ring, cnt);
	if (ret) {
		munmap(ring, (size_t)cnt * cq->entry_size);
		return ret;
	}
	return take_over(object, ring, cnt);
}
