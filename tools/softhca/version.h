/* SPDX-License-Identifier: BSD-2-Clause */
/* The release that this is; tests/softhca/install.sh holds it to tools/release/debian/changelog. */
#ifndef SOFTHCA_VERSION_H
#define SOFTHCA_VERSION_H

#define SOFTHCA_VERSION "0.1.0"

#endif /* SOFTHCA_VERSION_H */
