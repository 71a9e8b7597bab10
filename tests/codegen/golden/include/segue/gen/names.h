/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base/nic.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/* This library's names for linkers and C++, if the device has a `c_prefix`. Programs write them without it. */
#ifndef SEGUE_GEN_NAMES_H
#define SEGUE_GEN_NAMES_H

#endif
