/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For tests that run on softhca: what a fault plan does, at the moment the test wants it. A program
 * that may also run on a card looks the functions up with dlsym(RTLD_DEFAULT, ...) and skips what
 * it cannot do without them.
 */
#ifndef SOFTHCA_UVERBS_INJECT_H
#define SOFTHCA_UVERBS_INJECT_H

/*
 * softhca_inject() - add one line of the fault language to the plan of this process (see
 * engine/fault/fault.h).
 *
 * "clear" takes all rules back; events of "at 0s" have happened when the call returns. Returns 0,
 * or -1 with a sentence on stderr.
 */
int softhca_inject(const char *line);

/* softhca_faults_met() - how often rules of the plan have fired since it was last cleared. */
unsigned long softhca_faults_met(void);

/* softhca_open_objects() - how many objects this process holds open; doorbell pages, too. */
unsigned int softhca_open_objects(void);

#endif /* SOFTHCA_UVERBS_INJECT_H */
