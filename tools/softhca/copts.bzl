# SPDX-License-Identifier: BSD-2-Clause
"""How all of softhca is compiled: the device is timed by those who use it, whatever the build mode of the program is."""

SOFTHCA_COPTS = [
    "-D_GNU_SOURCE",
    "-O2",
    "-fno-semantic-interposition",  # calls within a file may be inlined
]
