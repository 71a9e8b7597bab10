/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests that the kit carries out, as data: layout, what moves where, and what else is to be
 * seen. */
#ifndef SEGUE_CHECK_RECIPES_H
#define SEGUE_CHECK_RECIPES_H

#include "tools/segue/check/kit.h"

/* Bytes that the request brings from one memory to the other: 'h'ere or 't'here. */
struct kit_move {
	char to;
	uint16_t to_at;
	char from;
	uint16_t from_at, length;
};

/* Change of the word that atomics work on: bits of `mask` become those of `set`, and `add` is added
 * without a carry from a bit of `boundary`. */
struct kit_change {
	uint8_t size; /* bytes of the word, 0 for no change */
	uint64_t mask, set, add, boundary;
};

struct kit_recipe {
	const char *request;
	const char *form;   /* distinguishes recipes of one request, NULL if there is only one */
	const char *queues; /* names between blanks, NULL: all that have the request */
	const char *layout; /* see assembler.c, NULL if there are no segments */
	const char *imm;    /* the control segment's last dword: "v0", a number, or NULL */
	struct kit_move moves[3];
	struct kit_change change;
	uint16_t receive; /* bytes of a receive there at 512, if it takes one */
	bool patient;	  /* no completion reports that data are there */
	bool strided;	  /* its key walks through pieces with strides: v7 */
	bool (*prepare)(struct kit_ends *ends);	      /* before it is posted, or NULL */
	bool (*while_waiting)(struct kit_ends *ends); /* posted, with a NOP behind it, and not to
							 complete before this has been called */
	bool (*expect)(
		struct kit_ends *ends); /* once it has completed, before memories are compared */
};

/* The word as it should be, and its former value. */
void kit_want_change(struct kit_ends *ends, const struct kit_change *change);

extern const struct kit_recipe kit_recipes[];
extern const size_t kit_n_recipes;

/* Requests that are shown by more than a text: tag lists (lists.c), and queues that rules lead
 * frames to (frames.c). */
struct kit_doing {
	const char *request, *queue, *form;
	const struct kit_wish *wish; /* of its ends, NULL if it opens what it needs */
	bool (*carry_out)(struct kit_ends *ends);
};

extern const struct kit_wish kit_tagged;
bool kit_append_tag(struct kit_ends *ends);
bool kit_remove_tag(struct kit_ends *ends);
bool kit_sync_tags(struct kit_ends *ends);
bool kit_fill_strides(struct kit_ends *ends);
bool kit_spread_frames(struct kit_ends *ends);
extern const struct kit_doing kit_doings[];
extern const size_t kit_n_doings;

/* Requests that the kit leaves alone, and why. */
struct kit_left_out {
	const char *queue, *request, *why; /* "" stands for all */
};
extern const struct kit_left_out kit_left_out[];
extern const size_t kit_n_left_out;

/* Is `name` among names between blanks? */
bool kit_among(const char *names, const char *name);

/* Keys with three pieces of the memory there, and helpers that facts use, too. @mask, @more: what
 * settings add to the mask, and to the key. */
#define KIT_KEY(mask, length, more)                                                              \
	"umr_ctrl klm_octowords=4 mkey_mask=FREE|MKEY|LEN|EN_RINVAL|ACCESS_LOCAL_WRITE|"         \
	"ACCESS_REMOTE_WRITE|ACCESS_REMOTE_READ" mask "; mkey_context qpn=0xffffff mkey_7_0=v1 " \
	"access_flags=LOCAL_WRITE|REMOTE_WRITE|REMOTE_READ len=" length " en_rinval=1" more "; "
#define KIT_SIGNED_KEY(length) \
	KIT_KEY("|BSF_ENABLE|SIG_ERR", length, " bsf_en=1 expected_sigerr_count=1")
bool kit_make_key(struct kit_ends *ends);	 /* v0: an indirect key, v1: its low byte */
bool kit_make_signed_key(struct kit_ends *ends); /* v0, v1. v2: its signature value, v3: settings */
bool kit_set_psv(struct kit_ends *ends, uint64_t start);
#define KIT_PIECES                                                                   \
	"klm byte_count=300 mkey=there.lkey address=there+9000; klm byte_count=500 " \
	"mkey=there.lkey address=there+700; "                                        \
	"klm byte_count=240 mkey=there.lkey address=there+20000"
/* Writes `length` bytes from here+1000 through key v0 at v5. The syndrome, or -1. */
int kit_write_through(struct kit_ends *ends, struct segue_qp *by, uint32_t length);
/* The responder reads as many to here+5000, which reports an error besides completing. */
bool kit_read_failing(struct kit_ends *ends, uint32_t length);
/* CRC-32C, inverted as usual, bit by bit. */
uint32_t kit_crc32c(const uint8_t *data, size_t length);

/* The rest of keys and windows, each as prepare or expect of a recipe: see check_keys.c. */
bool kit_make_encrypted_key(struct kit_ends *ends);
bool kit_make_both_key(struct kit_ends *ends);
/* The peer writes through the key, sees what lies in memory, and reads it back. */
bool kit_pass(struct kit_ends *ends);
bool kit_put_list(struct kit_ends *ends);
bool kit_key_to_invalidate(struct kit_ends *ends);
bool kit_key_is_gone(struct kit_ends *ends);
bool kit_window1(struct kit_ends *ends);
bool kit_window2(struct kit_ends *ends);
bool kit_bound1(struct kit_ends *ends);
bool kit_bound2(struct kit_ends *ends);
bool kit_window_is_open(struct kit_ends *ends);
bool kit_window_is_free(struct kit_ends *ends);
bool kit_window1_is_open(struct kit_ends *ends);
bool kit_window1_is_shut(struct kit_ends *ends);
#define KIT_WINDOW_LAYOUT                                                                          \
	"umr_ctrl; mkey_bind access_flags=LOCAL_READ|LOCAL_WRITE|REMOTE_WRITE qpn=v3 mkey_7_0=v1 " \
	"start_addr=there+5000 len=300; "                                                          \
	"bind_klm byte_count=300 mkey=there.lkey address=there+5000"

#endif
