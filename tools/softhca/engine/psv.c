/* SPDX-License-Identifier: BSD-2-Clause */
/* Protection signature values: their life cycle. */
#include "psv.h"

#include <errno.h>
#include <stdlib.h>

#include "mem.h"

int softhca_psv_create(struct softhca_pd *pd, struct softhca_psv **out, uint32_t *num)
{
	struct softhca_psv *psv;
	int err;

	if (!pd->dev->cfg.sig)
		return softhca_fail(-EOPNOTSUPP, "%s has no signature offload", pd->dev->cfg.name);
	psv = calloc(1, sizeof(*psv));
	if (!psv)
		return softhca_fail(-ENOMEM, "out of memory");
	err = softhca_table_add(&pd->dev->psvs, psv, &psv->num);
	if (err) {
		free(psv);
		return err;
	}
	psv->pd = pd;
	pd->refs++;
	*out = psv;
	*num = psv->num;
	return 0;
}

void softhca_psv_destroy(struct softhca_psv *psv)
{
	if (!psv)
		return;
	softhca_table_del(&psv->pd->dev->psvs, psv->num);
	psv->pd->refs--;
	free(psv);
}
