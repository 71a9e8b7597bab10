/* SPDX-License-Identifier: BSD-2-Clause */
/* Rings of destroyed queues, written to files for `segue decode --ring`. This happens only if the
 * device's configuration names a folder. */
#ifndef SOFTHCA_DUMP_H
#define SOFTHCA_DUMP_H

#include "tools/softhca/engine/qp.h"

/* Dumps both rings of a queue pair. */
void softhca_dump_qp(const struct softhca_qp *qp);
void softhca_dump_srq(const struct softhca_srq *srq);
void softhca_dump_cq(const struct softhca_cq *cq);

#endif
