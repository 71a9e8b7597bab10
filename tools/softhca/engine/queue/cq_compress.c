/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CQE compression. Completions of one turn that differ little become a title and an array of mini
 * CQEs. Linux (drivers/net/ethernet/mellanox/mlx5/core/en_rx.c, mlx5e_decompress_cqes_start) and
 * DPDK (drivers/net/mlx5/mlx5_rx.c, mlx5_rx_poll_len) parse the classic layout. The title is in the
 * block's first entry and counts its completions in byte_cnt. Arrays of eight are in entry 1, 8,
 * 16, ... of the block. The entries between keep their old bytes.
 *
 * The enhanced layout (mlx5e_decompress_enhanced_cqe; UCX src/uct/ib/mlx5/ib_mlx5.c,
 * uct_ib_mlx5_iface_cqe_unzip) has a normal CQE as title, and arrays of up to seven mini CQEs with
 * counts. An array advances the ring by its count. The entries after its first keep their old
 * bytes.
 */
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/queue/cq.h"
#include "tools/softhca/engine/queue/state.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"

#define MOST	 64u /* completions of a block */
#define MINI	     SEGUE_MINI_CQE_SIZE
#define ARRAY	 8u /* mini CQEs of an entry */
#define ENHANCED 7u /* of an entry with a trailer */

/*
 * Offsets in a CQE of the fields that each mini CQE has for itself, since their values differ from
 * those in the title. mlx5dv.h has no names for hash and checksum. They are in Linux's struct
 * mlx5_cqe64.
 */
#define AT(member)   offsetof(struct mlx5_cqe64, member)
#define AT_HASH	     12u
#define AT_CSUM	     20u
#define AT_APP	     AT(app)
#define AT_BYTE_CNT  AT(byte_cnt)
#define AT_TIMESTAMP AT(timestamp)
#define AT_TYPES     AT(l4_hdr_type_etc)
#define AT_OPCODE    AT(sop_drop_qpn)
#define AT_TAG	     (AT(sop_drop_qpn) + 1) /* three bytes of a flow tag */
#define AT_COUNTER   AT(wqe_counter)
#define AT_SIGNATURE AT(signature)
#define AT_OP_OWN    AT(op_own)

struct softhca_cq_session {
	struct softhca_cq *next_open;
	unsigned n;
	uint8_t title[SEGUE_CQE64_SIZE];
	uint8_t mini[MOST][MINI];
};

int softhca_cq_session_init(struct softhca_cq *cq)
{
	if (!cq->attr.compress)
		return 0;
	cq->session = calloc(1, sizeof(*cq->session));
	if (!cq->session)
		return softhca_fail(-ENOMEM, "out of memory");
	return 0;
}

static void leave(struct softhca_cq *cq)
{
	struct softhca_cq **p;

	cq->session->n = 0;
	for (p = &the_queue.open; *p; p = &(*p)->session->next_open)
		if (*p == cq) {
			*p = cq->session->next_open;
			break;
		}
}

void softhca_cq_session_fini(struct softhca_cq *cq)
{
	if (!cq->session)
		return;
	leave(cq);
	free(cq->session);
	cq->session = NULL;
}

uint32_t softhca_cq_pending(const struct softhca_cq *cq)
{
	return cq->session ? cq->session->n : 0;
}

/* ---- entries of one block ---- */

static bool is_request(const uint8_t *cqe)
{
	return cqe[AT_OP_OWN] >> 4 == SEGUE_CQE_OPCODE_REQ;
}

/* Errors, payload, tags and entries that are not completions stay uncompressed. */
static bool compressible(const uint8_t *cqe)
{
	const uint8_t op_own = cqe[AT_OP_OWN];

	return !cqe[AT_APP] && op_own >> 4 <= SEGUE_CQE_OPCODE_RESP_SEND_INV &&
	       !(op_own & SEGUE_CQE_OP_OWN_FORMAT_MASK);
}

static uint16_t counter_of(const uint8_t *cqe)
{
	return (uint16_t)(cqe[AT_COUNTER] << 8 | cqe[AT_COUNTER + 1]);
}

/* Content of the mini CQEs of receives. */
static bool keeps_types(const struct softhca_cq *cq)
{
	return cq->attr.mini_format_ext == SEGUE_MINI_CQE_FORMAT_EXT_L34H_STRIDX;
}

static bool keeps(const struct softhca_cq *cq, enum segue_mini_cqe_format format)
{
	return !keeps_types(cq) && cq->attr.mini_format == format;
}

static bool keeps_stride(const struct softhca_cq *cq)
{
	return keeps_types(cq) || keeps(cq, SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX) ||
	       keeps(cq, SEGUE_MINI_CQE_FORMAT_FTAG_STRIDX);
}

/* Clears the bytes that may differ between the entries of a block. */
static void forget(const struct softhca_cq *cq, uint8_t *cqe)
{
	memset(cqe + AT_BYTE_CNT, 0, 4);
	memset(cqe + AT_TIMESTAMP, 0, 8);
	memset(cqe + AT_COUNTER, 0, 2);
	cqe[AT_SIGNATURE] = 0;
	if (is_request(cqe)) {
		cqe[AT_OPCODE] = 0;
		return;
	}
	/* no driver reads it without a copy in the mini CQE */
	memset(cqe + AT_HASH, 0, 4);
	memset(cqe + AT_CSUM, 0, 2);
	if (keeps_types(cq))
		cqe[AT_TYPES] = 0;
	if (keeps(cq, SEGUE_MINI_CQE_FORMAT_FTAG_STRIDX))
		memset(cqe + AT_TAG, 0, 3);
}

/*
 * Largest size of a block. It ends where the ring ends. DPDK's vectorized reader
 * (mlx5_rxtx_vec_sse.h, rxq_cq_decompress_v) finds arrays without wrapping, and UCX gives all
 * entries of an enhanced array the round of its title.
 */
static uint32_t room_of(const struct softhca_cq *cq)
{
	const uint32_t room = cq->attr.cqes - (cq->pi & (cq->attr.cqes - 1));

	return room < MOST ? room : MOST;
}

/* A mini CQE's flow tag replaces the upper bits of byte_cnt, among them a filler's. */
static bool fits(const struct softhca_cq *cq, const uint8_t *cqe)
{
	return is_request(cqe) || !cqe[AT_BYTE_CNT] ||
	       !keeps(cq, SEGUE_MINI_CQE_FORMAT_FTAG_STRIDX);
}

/* Returns whether a reader of the block gets this entry back. */
static bool joins(const struct softhca_cq *cq, const uint8_t *cqe, bool stride)
{
	const struct softhca_cq_session *s = cq->session;
	uint8_t a[SEGUE_CQE64_SIZE], b[SEGUE_CQE64_SIZE];
	const bool has_counter = is_request(cqe) || (stride && keeps_stride(cq));

	if (!s->n || s->n == room_of(cq) || !compressible(cqe) || !fits(cq, cqe))
		return false;
	/* Receives count on from the title. Strides and sends have their own numbers. */
	if (!has_counter && counter_of(cqe) != (uint16_t)(counter_of(s->title) + s->n))
		return false;
	memcpy(a, s->title, sizeof(a));
	memcpy(b, cqe, sizeof(b));
	forget(cq, a);
	forget(cq, b);
	return !memcmp(a, b, sizeof(a));
}

static void add(struct softhca_cq *cq, const uint8_t *cqe)
{
	struct softhca_cq_session *s = cq->session;
	uint8_t *mini = s->mini[s->n++];

	memset(mini, 0, MINI);
	if (is_request(cqe)) {
		memcpy(mini, cqe + AT_COUNTER, 2);
		mini[2] = cqe[AT_OPCODE];
	} else if (keeps_types(cq)) {
		mini[0] = cqe[AT_TYPES];
	} else if (keeps(cq, SEGUE_MINI_CQE_FORMAT_HASH)) {
		memcpy(mini, cqe + AT_HASH, 4);
	} else if (keeps(cq, SEGUE_MINI_CQE_FORMAT_FTAG_STRIDX)) {
		memcpy(mini, cqe + AT_TAG + 1, 2);
	} else {
		memcpy(mini, cqe + AT_CSUM, 2);
	}
	if (!is_request(cqe) && keeps_stride(cq))
		memcpy(mini + 2, cqe + AT_COUNTER, 2);
	memcpy(mini + 4, cqe + AT_BYTE_CNT, 4);
	if (!is_request(cqe) && keeps(cq, SEGUE_MINI_CQE_FORMAT_FTAG_STRIDX))
		mini[4] = cqe[AT_TAG];
}

bool softhca_cq_compress(struct softhca_cq *cq, const void *cqe, enum softhca_cqe_kind kind)
{
	struct softhca_cq_session *s = cq->session;

	if (kind != SOFTHCA_CQE_PAYLOAD && joins(cq, cqe, kind == SOFTHCA_CQE_STRIDE)) {
		add(cq, cqe);
		return true;
	}
	softhca_cq_close(cq);
	if (kind == SOFTHCA_CQE_PAYLOAD || !compressible(cqe) || !fits(cq, cqe))
		return false;
	memcpy(s->title, cqe, sizeof(s->title));
	add(cq, cqe);
	s->next_open = the_queue.open;
	the_queue.open = cq;
	return true;
}

/* ---- writing ---- */

/* Writes an array of the block into the next entry of the ring. */
static int put_array(struct softhca_cq *cq, unsigned at, unsigned first, unsigned n)
{
	uint8_t array[SEGUE_CQE64_SIZE] = {0};

	memcpy(array, cq->session->mini[first], (size_t)n * MINI);
	return softhca_copy_out(softhca_cq_entry(cq, cq->pi + at), array, sizeof(array));
}

static void write_classic(struct softhca_cq *cq)
{
	const unsigned n = cq->session->n;
	uint8_t *title = cq->session->title;
	const uint32_t count = htobe32(n);
	int err = 0;

	for (unsigned first = 0; first < n && !err; first += ARRAY)
		err = put_array(cq, first ? first : 1, first,
				n - first < ARRAY ? n - first : ARRAY);
	memcpy(title + AT_BYTE_CNT, &count, sizeof(count));
	title[AT_OP_OWN] |= SEGUE_CQE_FORMAT_COMPRESSED << 2;
	if (err)
		softhca_cq_overrun(cq);
	else
		softhca_cq_write(cq, title, NULL, n);
}

static void write_enhanced(struct softhca_cq *cq)
{
	const struct softhca_cq_session *s = cq->session;
	uint8_t entry[SEGUE_CQE64_SIZE], n;

	softhca_cq_write(cq, s->title, NULL, 1);
	for (unsigned first = 1; first < s->n; first += n) {
		n = (uint8_t)(s->n - first < ENHANCED ? s->n - first : ENHANCED);
		memset(entry, 0, sizeof(entry));
		memcpy(entry, s->mini[first], (size_t)n * MINI);
		entry[AT_OP_OWN] = (uint8_t)((n - 1) << 4 | SEGUE_CQE_FORMAT_COMPRESSED << 2 |
						  (s->title[AT_OP_OWN] & 2));
		softhca_cq_write(cq, entry, NULL, n);
	}
}

void softhca_cq_close(struct softhca_cq *cq)
{
	struct softhca_cq_session *s = cq->session;

	if (!s || !s->n)
		return;
	if (s->n == 1)
		softhca_cq_write(cq, s->title, NULL, 1);
	else if (cq->attr.enhanced)
		write_enhanced(cq);
	else
		write_classic(cq);
	leave(cq);
}

void softhca_cq_close_all(void)
{
	while (the_queue.open)
		softhca_cq_close(the_queue.open);
}

void softhca_cq_forget_all(void)
{
	the_queue.open = NULL;
}
