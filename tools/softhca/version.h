/* SPDX-License-Identifier: BSD-2-Clause */
/* This release. tests/softhca/install.sh compares it with tools/release/debian/changelog. */
#ifndef SOFTHCA_VERSION_H
#define SOFTHCA_VERSION_H

#define SOFTHCA_VERSION "0.1.0"

#endif /* SOFTHCA_VERSION_H */
