/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages come in packets, which may end anywhere in blocks and data units. The key therefore
 * keeps, for each queue pair and direction, the place and the state at the end of the last packet.
 * A packet that does not continue there starts again at the last place before it where blocks and
 * units begin. Reads from memory can repeat any part, which repeated packets need. Writes to memory
 * must come in order, which reliable transports guarantee.
 */
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/offload/stream_state.h"

#include <stdlib.h>
#include <string.h>

#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"

#include "tools/softhca/engine/offload/bsf.h"
#include "tools/softhca/engine/offload/dek.h"
#include "tools/softhca/engine/offload/psv.h"
#include "tools/softhca/engine/offload/signature.h"
#include "tools/softhca/engine/offload/xts.h"

#define PIECE 512u
#define MADE     \
	(PIECE + \
	 64u) /* largest part of a piece: signatures, and bytes held until a block is whole */
#define PASSAGES_MAX 32u
#define FARTHEST     (UINT64_C(1) << 56)
#define SKIPPED_MAX  (UINT64_C(1) << 26) /* the device does nothing else while they are skipped */

struct softhca_passage {
	struct softhca_passage *next; /* the last used one comes first */
	uint32_t qpn;
	bool tx;
	uint64_t wire, mem; /* bytes that have passed */
	bool quiet;	    /* errors have been reported, or are before the message */
	struct softhca_sig_pass sig;
	struct softhca_xts xts;
	unsigned n_spare; /* TX: made, and not requested yet */
	uint8_t spare[MADE];
};

/* One access. */
struct trip {
	const struct softhca_access *a;
	struct softhca_mkey *k;
	struct softhca_passage *p;
};

static bool refuse(const struct softhca_access *a, const struct softhca_mkey *k, const char *why)
{
	softhca_referee(a->qp, SOFTHCA_RULE_ACCESS, "an access through key 0x%x: %s", k->key, why);
	return false;
}

/* ---- settings ---- */

static bool usable(const struct softhca_access *a, const struct softhca_mkey *k)
{
	const struct softhca_crypto *c;
	const struct softhca_dek *dek;

	if (!k->bsf)
		return refuse(a, k, "it was made for signatures or crypto, and none was set");
	c = &k->bsf->crypto;
	if (!c->on)
		return !k->crypto ? true : refuse(a, k, "it was made for crypto, and none was set");
	dek = softhca_table_get(&a->dev->deks, c->dek);
	if (!dek || dek->pd != k->pd)
		return refuse(a, k, "its data encryption key does not exist in this PD");
	if (dek->has_keytag && memcmp(dek->keytag, c->keytag, sizeof(c->keytag)))
		return refuse(a, k, "its key tag is not that of the data encryption key");
	return true;
}

bool softhca_passage_check(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
			   uint64_t len)
{
	const uint64_t from = va - k->start;
	uint64_t mem_from, mem_to;

	if (!usable(a, k))
		return false;
	if (va < k->start || from > FARTHEST || len > FARTHEST)
		return refuse(a, k, "it is outside of the key");
	mem_from = softhca_bsf_mem_of(k->bsf, from);
	mem_to = softhca_bsf_mem_of(k->bsf, from + len);
	if (mem_to > k->len) {
		softhca_referee(
			a->qp, SOFTHCA_RULE_BOUNDS,
			"bytes [0x%llx, 0x%llx) on the wire are [0x%llx, 0x%llx) of key 0x%x, "
			"which covers 0x%llx",
			(unsigned long long)from, (unsigned long long)(from + len),
			(unsigned long long)mem_from, (unsigned long long)mem_to, k->key,
			(unsigned long long)k->len);
		return false;
	}
	if (k->bsf->crypto.on && !a->dev->cfg.crypto_multi_block &&
	    from + len > k->bsf->crypto.unit)
		return refuse(a, k, "this device encrypts one data unit per key");
	return softhca_key_check(a, k, mem_from, mem_to - mem_from);
}

/*
 * Checks that a cipher can handle this number of bytes. Source: mlx5dv_wr_set_mkey_crypto(3),
 * Notes, about job_size. A partial last unit must have whole blocks, since no other is modelled.
 */
static bool fits_units(const struct softhca_crypto *c, uint64_t bytes)
{
	const uint64_t rest = bytes % c->unit;

	return !rest || (!(bytes % SOFTHCA_AES_BLOCK) && !(rest % SOFTHCA_AES_BLOCK) &&
			 rest <= c->unit - SOFTHCA_AES_BLOCK);
}

bool softhca_passage_whole(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
			   uint64_t len)
{
	const bool writes = a->right == SOFTHCA_LOCAL_WRITE || a->right == SOFTHCA_REMOTE_WRITE;
	const struct softhca_crypto *const c = k->bsf ? &k->bsf->crypto : NULL;
	uint64_t from = va - k->start, to = from + len;

	if (!softhca_passage_check(a, k, va, len))
		return false;
	/* With signatures, part of the data in memory can be read. Writes must end at a unit. */
	if (!c->on || (!writes && (k->bsf->mem.kind || k->bsf->wire.kind)))
		return true;
	if (!c->sig_first_on_tx) {
		from = softhca_bsf_mem_of(k->bsf, from);
		to = softhca_bsf_mem_of(k->bsf, to);
	}
	/* A long READ comes in pieces. All but the last are whole blocks. */
	if ((a->right == SOFTHCA_REMOTE_READ && c->unit % SOFTHCA_AES_BLOCK) ||
	    fits_units(c, to - from))
		return true;
	softhca_referee(a->qp, SOFTHCA_RULE_BOUNDS,
			"a message has %llu bytes of key 0x%x, which encrypts units of %u: "
			"expected whole units, or a multiple of %u of "
			"which at most %u are behind the last whole unit",
			(unsigned long long)(to - from), k->key, c->unit, SOFTHCA_AES_BLOCK,
			c->unit - SOFTHCA_AES_BLOCK);
	return false;
}

/* ---- place of the last access ---- */

static void seek(struct softhca_passage *p, const struct softhca_bsf *bsf, uint64_t wire)
{
	const uint64_t strides = wire / bsf->wire_stride;
	const struct softhca_crypto *c = &bsf->crypto;

	p->wire = strides * bsf->wire_stride;
	p->mem = strides * bsf->mem_stride;
	p->n_spare = 0;
	softhca_sig_start(&p->sig, bsf, p->tx, strides);
	if (!c->on)
		return;
	p->xts.encrypt = p->tx == c->encrypt_on_tx;
	p->xts.unit = c->unit;
	memcpy(p->xts.first, c->tweak, sizeof(c->tweak));
	softhca_xts_seek(&p->xts, (c->sig_first_on_tx ? p->wire : p->mem) / c->unit);
}

/* Link of the passage that continues at `wire`, of a new one, or of the longest idle one. */
static struct softhca_passage **find(struct softhca_mkey *k, const struct softhca_passage *like)
{
	struct softhca_passage **link = &k->passages;

	for (unsigned n = 1; *link; n++, link = &(*link)->next)
		if (((*link)->qpn == like->qpn && (*link)->tx == like->tx &&
		     (*link)->wire == like->wire) ||
		    n == PASSAGES_MAX)
			break;
	if (!*link)
		*link = calloc(1, sizeof(**link));
	return link;
}

/* NULL: no memory. */
static struct softhca_passage *open_passage(const struct softhca_access *a, struct softhca_mkey *k,
					    bool tx, uint64_t wire)
{
	const struct softhca_passage like = {.qpn = a->qp ? a->qp->qpn : 0, .tx = tx, .wire = wire};
	const struct softhca_dek *dek = softhca_table_get(&a->dev->deks, k->bsf->crypto.dek);
	struct softhca_passage **link = find(k, &like), *p = *link;

	if (!p)
		return NULL;
	*link = p->next;
	p->next = k->passages;
	k->passages = p;
	if (k->bsf->crypto.on) {
		p->xts.data = &dek->data;
		p->xts.tweak = &dek->tweak;
	}
	if (p->qpn == like.qpn && p->tx == tx && p->wire == wire && wire)
		return p;
	p->qpn = like.qpn;
	p->tx = tx;
	seek(p, k->bsf, wire);
	return p;
}

void softhca_passages_drop(struct softhca_mkey *k)
{
	while (k->passages) {
		struct softhca_passage *p = k->passages;

		k->passages = p->next;
		free(p);
	}
}

/* ---- errors ---- */

static struct softhca_psv *psv_of(const struct softhca_access *a, const struct softhca_sig_side *s)
{
	return s->kind == SOFTHCA_SIG_NONE ? NULL : softhca_table_get(&a->dev->psvs, s->psv);
}

/* Stores the last signatures that passed in the PSVs. */
static void note_psvs(const struct trip *t)
{
	const struct softhca_sig_pass *s = &t->p->sig;
	struct softhca_psv *in = psv_of(t->a, s->in.side), *out = psv_of(t->a, s->out.side);

	if (in)
		in->value = s->in_last;
	if (out)
		out->value = s->out_last;
}

static void report(const struct trip *t)
{
	struct softhca_sig_error *e = &t->p->sig.error;
	struct softhca_psv *psv = psv_of(t->a, t->p->sig.in.side);
	struct segue_sig_err_cqe cqe = {
		.expected_trans_sig = (uint32_t)(e->expected >> 32),
		.actual_trans_sig = (uint32_t)(e->actual >> 32),
		.expected_ref_tag = (uint32_t)e->expected,
		.actual_ref_tag = (uint32_t)e->actual,
		.syndrome = e->syndrome,
		.sig_type = SEGUE_SIG_ERR_TYPE_BLOCK,
		.domain = t->p->tx ? SEGUE_SIG_ERR_DOMAIN_MEMORY : SEGUE_SIG_ERR_DOMAIN_WIRE,
		.mkey = t->k->key,
		.sig_err_offset = e->offset,
		.opcode = SEGUE_CQE_OPCODE_SIG_ERR,
	};

	e->set = false;
	if (t->p->quiet || !t->a->qp)
		return;
	if (psv)
		psv->syndrome = e->syndrome;
	/* The next error is reported when software has seen the last one. */
	if (((t->k->sig_errors + 1) & 1) != t->k->sig_expected)
		return;
	t->k->sig_errors++;
	softhca_cq_push_sig_err(
		t->a->qp, t->a->right == SOFTHCA_LOCAL_READ || t->a->right == SOFTHCA_LOCAL_WRITE,
		&cqe);
}

/* ---- through it ---- */

static size_t sign(const struct trip *t, const uint8_t *in, size_t n, uint8_t *out)
{
	const size_t made = softhca_sig_push(&t->p->sig, in, n, out);

	if (t->p->sig.error.set)
		report(t);
	return made;
}

/* Converts at most PIECE bytes into at most MADE bytes. */
static size_t convert(const struct trip *t, const uint8_t *in, size_t n, uint8_t *out)
{
	const struct softhca_crypto *c = &t->k->bsf->crypto;
	uint8_t between[MADE];

	if (!c->on)
		return sign(t, in, n, out);
	if (c->sig_first_on_tx == t->p->tx) {
		n = sign(t, in, n, between);
		return softhca_xts_push(&t->p->xts, between, n, out);
	}
	n = softhca_xts_push(&t->p->xts, in, n, between);
	return sign(t, between, n, out);
}

/* TX: number of bytes to fetch for `wanted` more on the wire, never more than theirs. */
static size_t to_fetch(const struct trip *t, size_t wanted)
{
	const unsigned held = t->p->xts.n_held; /* held bytes come first */
	size_t n = softhca_sig_room(&t->p->sig);

	if (!t->k->bsf->crypto.sig_first_on_tx) /* deciphered before the signature is checked */
		n = n > held ? n - held : 1;
	wanted = wanted > held ? wanted - held : 1;
	n = n < wanted ? n : wanted;
	return n < PIECE ? n : PIECE;
}

static bool fetch(const struct trip *t, size_t n)
{
	uint8_t piece[PIECE];

	if (!softhca_key_read(t->a, t->k, t->p->mem, piece, n))
		return false;
	t->p->mem += n;
	t->p->n_spare += (unsigned)convert(t, piece, n, t->p->spare + t->p->n_spare);
	return true;
}

/* TX: gets the next `n` bytes on the wire. If `buf` is NULL, they are discarded. */
static bool pull(const struct trip *t, uint8_t *buf, size_t n)
{
	struct softhca_passage *p = t->p;

	while (n) {
		const size_t part = p->n_spare < n ? p->n_spare : n;

		if (buf && part) {
			memcpy(buf, p->spare, part);
			buf += part;
		}
		p->n_spare -= (unsigned)part;
		memmove(p->spare, p->spare + part, p->n_spare);
		p->wire += part;
		n -= part;
		if (n && !fetch(t, to_fetch(t, n)))
			return false;
	}
	/* A stripped signature belongs to the data before it. */
	while (softhca_sig_owed(&p->sig) && p->n_spare < PIECE / 8)
		if (!fetch(t, 1))
			return false;
	return true;
}

bool softhca_passage_read(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
			  void *buf, size_t len)
{
	struct trip t = {a, k, NULL};
	bool ok;

	if (!softhca_passage_check(a, k, va, len))
		return false;
	t.p = open_passage(a, k, true, va - k->start);
	if (!t.p)
		return false;
	if (va - k->start - t.p->wire > SKIPPED_MAX)
		return refuse(a, k,
			      "it begins farther after a common start of blocks than is modelled");
	t.p->quiet = true;
	ok = pull(&t, NULL, (size_t)(va - k->start - t.p->wire));
	t.p->quiet = false;
	ok = ok && pull(&t, buf, len);
	note_psvs(&t);
	if (!ok)
		t.p->wire = UINT64_MAX; /* no packet continues here */
	return ok;
}

bool softhca_passage_write(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
			   const void *buf, size_t len)
{
	struct trip t = {a, k, NULL};
	const uint8_t *from = buf;
	uint8_t made[MADE];
	bool ok = true;

	if (!softhca_passage_check(a, k, va, len))
		return false;
	t.p = open_passage(a, k, false, va - k->start);
	if (!t.p)
		return false;
	if (t.p->wire != va - k->start)
		return refuse(a, k,
			      "data that go to memory begin where a block or data unit begins");
	while (len && ok) {
		const size_t n = len < PIECE ? len : PIECE;
		const size_t out = convert(&t, from, n, made);

		ok = softhca_key_write(a, k, t.p->mem, made, out);
		t.p->mem += out;
		t.p->wire += n;
		from += n;
		len -= n;
	}
	note_psvs(&t);
	if (!ok)
		t.p->wire = UINT64_MAX;
	return ok;
}
