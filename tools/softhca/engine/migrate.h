/* SPDX-License-Identifier: BSD-2-Clause */
/* Path migration of connected queue pairs. */
#ifndef SOFTHCA_MIGRATE_H
#define SOFTHCA_MIGRATE_H

#include "tools/softhca/engine/qp.h"

struct softhca_pkt;

/* softhca_mig_migrate: to the alternate path, with an event. */
void softhca_mig_migrate(struct softhca_qp *qp);
/* softhca_mig_try: the primary path failed. True: it goes on by the alternate one. */
bool softhca_mig_try(struct softhca_qp *qp);
/* softhca_mig_accepts: a packet came by another port than ours. True: the peer moved, we too. */
bool softhca_mig_accepts(struct softhca_qp *qp, const struct softhca_port *port,
			 const struct softhca_pkt *pkt);
/* softhca_mig_see: a packet of the peer came by the primary path. */
void softhca_mig_see(struct softhca_qp *qp, const struct softhca_pkt *pkt);

#endif /* SOFTHCA_MIGRATE_H */
