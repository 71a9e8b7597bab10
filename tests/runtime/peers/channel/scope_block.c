/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/runtime/peers/channel/scope_block.h"

#include <errno.h>

#include "segue/base.h"
#include "segue/gen/peers.h"
#include "segue/mr.h"

enum { WORDS = 8, LENGTH = WORDS * sizeof(uint64_t) };

static int post_reads(struct segue_multi_channel *multi, uint32_t peer,
		      const struct segue_local_buf *to, const struct segue_remote_buf *from)
{
	const struct segue_seg_data entry = {
		.byte_count = to->length, .lkey = to->key.lkey, .addr = to->addr};
	const struct segue_peer_rdma_read_args args = {.wr_id = 1,
						       .remote_addr = from->addr,
						       .rkey = from->key.rkey,
						       .sges = &entry,
						       .sge_count = 1};
	int i, ret = 0;

	for (i = 0; i < 10 && !ret; i++) /* the last one silent, too */
		ret = segue_peer_rdma_read(multi, peer, &args);
	return ret;
}

/* The words arrive while the scope ends, in whatever way the block is left. */
static int in_block(struct segue_multi_channel *multi, uint32_t peer,
		    const struct segue_local_buf *to, const struct segue_remote_buf *from,
		    enum leave_by way)
{
	int ret = 0;

	do {
		SEGUE_SCOPE(scope, multi, segue_deadline_in_ms(30000));

		ret = post_reads(multi, peer, to, from);
		if (ret)
			return ret;
		if (way == LEAVE_BY_RETURN)
			return seguei_fail(E2BIG, "a reason of its own");
		if (way == LEAVE_BY_BREAK)
			break;
		ret = segue_scope_end(&scope);
	} while (0);
	return ret;
}

int read_in_block(struct segue_multi_channel *multi, struct segue_pd *pd, uint32_t peer,
		  const struct segue_remote_buf *from, enum leave_by way, uint64_t *sum)
{
	uint64_t words[WORDS] = {0};
	const struct segue_mr_options attr = {
		.addr = words, .length = LENGTH, .access = SEGUE_ACCESS_LOCAL_WRITE};
	struct segue_local_buf to;
	struct segue_mr *mr;
	int ret, i;

	ret = segue_mr_open(pd, &attr, &mr);
	if (ret)
		return ret;
	ret = segue_mr_local_buf(mr, 0, LENGTH, &to);
	if (!ret)
		ret = in_block(multi, peer, &to, from, way);
	for (i = 0, *sum = 0; i < WORDS; i++)
		*sum += words[i];
	(void)segue_mr_close(mr);
	return ret;
}
