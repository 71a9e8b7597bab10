/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For tests that run on softhca: faults of a fault plan, at a moment that the test chooses. A
 * program that may also run on a card looks the functions up with dlsym(RTLD_DEFAULT, ...) and
 * skips its checks without them.
 */
#ifndef SOFTHCA_UVERBS_INJECTION_H
#define SOFTHCA_UVERBS_INJECTION_H

/*
 * softhca_inject() - adds one line of the fault language to the plan of this process (see
 * engine/fault/fault.h).
 *
 * "clear" removes all rules. Events of "at 0s" have happened when the call returns. Returns 0, or
 * -1 with a sentence on stderr.
 */
int softhca_inject(const char *line);

/* softhca_faults_met() - number of times that rules fired since the plan was last cleared. */
unsigned long softhca_faults_met(void);

/* softhca_open_objects() - number of this process's open objects, with doorbell pages. */
unsigned int softhca_open_objects(void);

#endif /* SOFTHCA_UVERBS_INJECTION_H */
