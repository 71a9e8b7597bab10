/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base/nic.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/* What linkers and C++ call this library's names, where the device has a `c_prefix`: programs write them without it. */
#ifndef SEGUE_GEN_NAMES_H
#define SEGUE_GEN_NAMES_H

#endif
