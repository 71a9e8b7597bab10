/* SPDX-License-Identifier: BSD-2-Clause */
/* Signatures and crypto as a plug-in. */
#include <stdlib.h>

#include "tools/softhca/engine/plugins.h"
#include "tools/softhca/engine/offload/bsf.h"
#include "tools/softhca/engine/offload/dek.h"
#include "tools/softhca/engine/offload/stream_state.h"
#include "tools/softhca/engine/offload/psv.h"

static int set(struct softhca_qp *qp, struct softhca_mkey *k, const uint8_t *raw,
	       unsigned octowords)
{
	struct softhca_bsf *const bsf = malloc(sizeof(*bsf));
	int err;

	if (!bsf)
		return SOFTHCA_LOCAL_QP_OP;
	err = softhca_bsf_parse(qp, bsf, raw, octowords);
	if (err) {
		free(bsf);
		return err;
	}
	free(k->bsf);
	k->bsf = bsf;
	return SOFTHCA_OK;
}

static void unset(struct softhca_mkey *k)
{
	softhca_passages_drop(k);
	free(k->bsf);
	k->bsf = NULL;
}

static void forget(struct softhca_dev *dev)
{
	SOFTHCA_DRAIN(dev, psvs, struct softhca_psv, softhca_psv_destroy);
	SOFTHCA_DRAIN(dev, deks, struct softhca_dek, softhca_dek_destroy);
	SOFTHCA_DRAIN(dev, logins, struct softhca_login, softhca_login_destroy);
}

static const struct softhca_offload_plugin plugin = {
	.check = softhca_passage_check,
	.whole = softhca_passage_whole,
	.read = softhca_passage_read,
	.write = softhca_passage_write,
	.set = set,
	.drop = softhca_passages_drop,
	.unset = unset,
	.psv = softhca_psv_exec,
	.forget = forget,
};

__attribute__((constructor)) static void join(void)
{
	the_engine.offload = &plugin;
}
