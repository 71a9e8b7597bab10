/* SPDX-License-Identifier: BSD-2-Clause */
/* Path migration of connected queue pairs. */
#ifndef SOFTHCA_MIGRATION_H
#define SOFTHCA_MIGRATION_H

#include "tools/softhca/engine/qp.h"

struct softhca_pkt;

/* softhca_mig_migrate: moves to the alternate path, with an event. */
void softhca_mig_migrate(struct softhca_qp *qp);
/* softhca_mig_try: handles a failed primary path. True: the QP goes on by the alternate one. */
bool softhca_mig_try(struct softhca_qp *qp);
/* softhca_mig_accepts: handles a packet by another port. True: the QP follows its peer there. */
bool softhca_mig_accepts(struct softhca_qp *qp, const struct softhca_port *port,
			 const struct softhca_pkt *pkt);
/* softhca_mig_see: handles a packet of the peer that came by the primary path. */
void softhca_mig_see(struct softhca_qp *qp, const struct softhca_pkt *pkt);

#endif /* SOFTHCA_MIGRATION_H */
