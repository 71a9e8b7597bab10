/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Matrix transposition in local memory. The limits are those that UCC keeps
 * (src/components/tl/mlx5/alltoall/alltoall.h and alltoall_coll.c, block_size_fits()). The
 * behaviour of a card beyond them is not known, so such requests fail here.
 */
#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/queue/wqe.h"

#include <string.h>

#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

#define MAX_MATRIX  8192u
#define MAX_ELEMENT SEGUE_SEG_TRANSPOSE_ELEMENT_SIZE_MAX

static uint32_t power_of_two(uint32_t n)
{
	uint32_t p = 1;

	while (p < n)
		p <<= 1;
	return p;
}

/* Checks that the matrix fits into the unit. Its rows and elements are padded to powers of two. */
static bool fits(const struct segue_seg_transpose *m)
{
	uint32_t element = power_of_two(m->element_size < 8 ? 8 : m->element_size), row;

	if (!m->element_size || m->element_size > MAX_ELEMENT || !m->num_cols ||
	    m->num_cols > SEGUE_SEG_TRANSPOSE_NUM_COLS_MAX || !m->num_rows ||
	    m->num_rows > SEGUE_SEG_TRANSPOSE_NUM_ROWS_MAX)
		return false;
	row = power_of_two(m->num_cols) * element;
	return m->num_rows * (row < MAX_ELEMENT ? MAX_ELEMENT : row) <= MAX_MATRIX;
}

static void turn(const struct segue_seg_transpose *m, const uint8_t *from, uint8_t *to)
{
	for (uint32_t row = 0; row < m->num_rows; row++)
		for (uint32_t col = 0; col < m->num_cols; col++)
			memcpy(to + (size_t)(col * m->num_rows + row) * m->element_size,
			       from + (size_t)(row * m->num_cols + col) * m->element_size,
			       m->element_size);
}

int softhca_transpose(struct softhca_qp *qp, const uint8_t *raw)
{
	const struct softhca_access rd = {qp->dev, qp->pd, qp, SOFTHCA_LOCAL_READ};
	const struct softhca_access wr = {qp->dev, qp->pd, qp, SOFTHCA_LOCAL_WRITE};
	uint8_t from[MAX_MATRIX], to[MAX_MATRIX];
	struct segue_seg_data src, dst;
	struct segue_seg_transpose m;
	uint32_t size;
	int err;

	segue_seg_transpose_unpack(&m, raw + 16);
	segue_seg_data_unpack(&src, raw + 32);
	segue_seg_data_unpack(&dst, raw + 48);
	if (!fits(&m)) {
		softhca_referee(qp, SOFTHCA_RULE_VALUE,
				"a matrix of %u rows and %u columns of %u bytes does not fit into "
				"the transpose unit",
				m.num_rows, m.num_cols, m.element_size);
		return softhca_contrary(SOFTHCA_CONTRARY_MATRIX) ? SOFTHCA_LOCAL_LENGTH
								 : SOFTHCA_LOCAL_QP_OP;
	}
	size = m.num_rows * m.num_cols * m.element_size;
	if (src.byte_count < size || dst.byte_count < size) {
		softhca_referee(qp, SOFTHCA_RULE_BOUNDS,
				"a matrix of %u bytes in buffers of %u and %u", size,
				src.byte_count, dst.byte_count);
		return SOFTHCA_LOCAL_LENGTH;
	}
	err = softhca_mem_read(&rd, src.lkey, src.addr, from, size);
	if (err)
		return err;
	turn(&m, from, to);
	return softhca_mem_write(&wr, dst.lkey, dst.addr, to, size);
}
