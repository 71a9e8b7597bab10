/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_PD_H
#define SEGUE_RUNTIME_PD_H

#include "runtime/object/device/device.h"
#include "segue/pd.h"

struct segue_pd {
	struct seguei_object object; /* first */
	struct ibv_pd *pd;
	bool adopted;
	bool held;	   /* by an object that cannot be destroyed, because the device is gone */
	uint32_t null_key; /* of ibv_alloc_null_mr(3). Invalid if there is none */
};

struct segue_xrcd {
	struct seguei_object object; /* first */
	struct ibv_xrcd *xrcd;
};

struct segue_td {
	struct seguei_object object; /* first */
	struct ibv_td *td;
	struct ibv_pd *parent; /* parent domain with the thread's register */
	bool held;	       /* as in the domain above */
};

/* The domain's number in raw commands: 0, or an errno of libmlx5. */
int seguei_pd_number(const struct segue_pd *pd, uint32_t *number);

extern const struct seguei_kind seguei_td_kind;
extern const struct seguei_kind seguei_xrcd_kind;

#endif
