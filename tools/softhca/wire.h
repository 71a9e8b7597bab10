/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SOFTHCA_WIRE_H
#define SOFTHCA_WIRE_H

/* softhca wire [options] PID: a bad network between two namespaces. Its exit status. */
int wire_main(int argc, char **argv);

#endif
