/* SPDX-License-Identifier: BSD-2-Clause */
/* Things that every case of this folder may use. Nothing is linked or run, so declarations will do.
 */
#ifndef CASE_H
#define CASE_H

#include "segue/cq.h"
#include "segue/gen/builders.h"
#include "segue/gen/patterns.h"
#include "segue/mr.h"

extern struct segue_rc_sq *rc;
extern struct segue_uc_sq *uc;
extern struct segue_ud_sq *ud;
extern struct segue_xrc_initiator_sq *xrc;
extern struct segue_dci_sq *dci;
extern struct segue_raw_packet_sq *raw;
extern struct segue_rc_send_may_take_sge_pattern *kept;
extern struct segue_rq *rq;
extern struct segue_srq *srq;
extern struct segue_mprq *mprq;

extern const struct segue_address_vector *ah;
extern const struct segue_address_vector_compact *ah_compact;
extern const struct segue_seg_data *pieces;
extern const struct segue_seg_klm *klms;
extern const struct segue_seg_repeat_ent *rows;
extern const struct segue_seg_mkey_context *mkey;
extern const struct segue_seg_bsf *bsf;
extern const struct segue_seg_crypto_bsf *crypto;
extern const struct segue_seg_wait_on_data *condition;
extern const struct segue_seg_check_psv *psv_check;
extern const struct segue_seg_get_psv *psv_get;
extern const struct segue_seg_flow_update_ctrl *flow;
extern const struct segue_local_buf here;
extern const struct segue_remote_buf there;
extern const uint8_t *bytes;
extern const void *text;

extern struct segue_mr *region;

extern struct segue_cq *done;
void may_throw(const struct segue_wc *wc, void *arg);
void never_throws(const struct segue_wc *wc, void *arg) SEGUEI_NOEXCEPT;

extern uint64_t id, remote, addr, dckey;
extern uint32_t rkey, lkey, len, count, dctn, qpn, qkey, imm, srqn, cqn;
extern uint8_t small;

#endif
