/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * matrix_column: a column of a matrix in memory of its own, by one RDMA WRITE.
 *
 * When to use it: data that lie apart at equal distances (columns, halos, fields of records) and go
 * the same way again and again. The key is made once, then each request names the column as if it
 * were one piece. What the card must have: indirect keys; segue_qp_supports(qp, "umr_interleaved")
 * says so. What to mind: the key is made by a request of 12 units of 16 bytes or more, once. How
 * long the card takes to collect blocks of a few bytes, no public source says: measure it against
 * copying them together first.
 */
#include "pair.h"
#include "segue/mkey.h"
#include "segue/qp.h"

#define ROWS   40u
#define COLS   25u
#define COLUMN 7u

static struct {
	double matrix[ROWS][COLS];
	double column[ROWS];
} memory;

int main(void)
{
	struct segue_strided_buf column = {.skip = (COLS - 1) * sizeof(double)};
	const struct segue_mkey_options key_options = {.max_entries = 4};
	struct segue_mkey_layout umr = {.wr_id = 1, .access = SEGUE_ACCESS_LOCAL_WRITE};
	struct segue_remote_buf target;
	struct pair p;

	for (uint32_t i = 0; i < ROWS * COLS; i++)
		memory.matrix[i / COLS][i % COLS] = i * 0.5;
	pair_open(&p, &memory, sizeof(memory));
	must(segue_qp_supports(p.a, "umr_interleaved"));

	/* The key: one element, the rest of a row left out, as often as there are rows. */
	must(segue_mr_local_buf(p.mr, COLUMN * sizeof(double), sizeof(double), &column.block));
	must(segue_mkey_open(p.pd, &key_options, &umr.mkey));
	must(segue_mkey_post_interleaved(segue_qp_rc_sq(p.a), &umr, ROWS, &column, 1));

	/* The fence lets this one wait for the key, so nobody polls in between. */
	must(segue_mr_remote_buf(p.mr, sizeof(memory.matrix), sizeof(memory.column), &target));
	must(segue_post(segue_sge(
		segue_raddr_buf(segue_rdma_write(segue_qp_rc_sq(p.a), 2,
						 SEGUE_SIGNALED | SEGUE_INITIATOR_SMALL_FENCE),
				target),
		0, sizeof(memory.column), segue_mkey_lkey(umr.mkey).lkey)));
	pair_complete(&p, 1);
	for (uint32_t row = 0; row < ROWS; row++)
		if (memory.column[row] != memory.matrix[row][COLUMN]) {
			fprintf(stderr, "Row %u: %g is not %g.\n", row, memory.column[row],
				memory.matrix[row][COLUMN]);
			return 1;
		}
	printf("Column %u of %u by %u arrived as one piece.\n", COLUMN, ROWS, COLS);
	pair_close(&p);
	return 0;
}
