/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lending of a queue pair's send queue to lanes (segue/gpu/queue.h), and its return.
 *
 * While it is lent, only lanes write its ring and read its completion queue. Requests by builders,
 * polls, and all calls that would change or close the queue pair or its completion queue are
 * refused with -EBUSY and a sentence.
 *
 * Owner: ring, record, register and entries stay the queue pair's. The description is the caller's.
 * Threads: that of the queue pair, before the first lane and after the last one.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: mlx5dv.h (struct mlx5dv_qp, struct mlx5dv_cq); NVSHMEM
 *   src/modules/transport/ibgda/ibgda.cpp for collapsed completion queues.
 */
#ifndef SEGUE_GPU_LEND_H
#define SEGUE_GPU_LEND_H

#include "segue/gpu/queue.h"
#include "segue/qp.h"

#include "segue/detail/begin.h"

/**
 * segue_qp_lend() - describe a send queue for lanes, and lend it to them.
 * @qp: in a state that takes sends (RTS), with nothing in flight. It has no td, own_register,
 *      split or managed_send. Its send_cq is empty, serves nothing else and has no compress. It has
 *      at least as many entries as the ring has blocks of 64 bytes, or is collapsed
 * @queue: filled in and initialised (segue_gpu_init()). Its indices continue those of the queue
 *         pair
 *
 * Addresses are those of this process. If lanes have others, as GPUs may, the program registers
 * the memory with them and writes their addresses to ring, record, reg, entries and entry_record.
 * The program copies the queue to memory that lanes reach, and back afterwards. Returns 0, -EINVAL
 * naming the property that the queue pair or its completion queue lacks, or -EBUSY if requests are
 * in flight, completions wait to be polled, or the queue pair is lent already.
 */
SEGUEI_MUST_CHECK int segue_qp_lend(struct segue_qp *qp, struct segue_gpu_queue *queue);

/**
 * segue_qp_take_back() - take the send queue back, and continue after the lanes' last request.
 * @qp: lent
 * @queue: as the lanes have left it. NULL if its contents are lost
 *
 * Call it when no lane uses the queue any more, and all published requests have completed
 * (segue_gpu_quiet()) or a request has failed. Builders continue at the lanes' index, and polls
 * after the last entry that lanes took. After a failure, and with NULL, the queue pair is in ERR
 * afterwards, and flushed requests are dropped: call segue_qp_reset(). Returns 0, -EINVAL if the
 * queue pair is not lent, -EBUSY with the number of blocks that are in flight, or were reserved and
 * never published, or the kernel's error of the change to ERR.
 */
int segue_qp_take_back(struct segue_qp *qp, const struct segue_gpu_queue *queue);

#include "segue/detail/end.h"

#endif
