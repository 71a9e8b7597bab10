# SPDX-License-Identifier: BSD-2-Clause
"""How all of softhca is compiled: the device is timed by those who use it, whatever the build mode of the program is."""

# With gcc (.bazelrc says so) the preloaded library is optimized as a whole; programs that link the device in take the ordinary half of
# the object files.
_WHOLE = "//tools/softhca:whole"

SOFTHCA_COPTS = [
    "-D_GNU_SOURCE",
    "-O2",
    "-fno-semantic-interposition",  # calls within a file may be inlined
] + select({
    _WHOLE: ["-flto", "-ffat-lto-objects"],
    "//conditions:default": [],
})

# Parts by themselves, as tests link them, take the ordinary half.
SOFTHCA_LINKOPTS = select({
    _WHOLE: ["-fno-lto"],
    "//conditions:default": [],
})

# The last word when the whole is linked: behind all parts.
SOFTHCA_WHOLE_LINKOPTS = select({
    _WHOLE: ["-flto", "-flto=2", "-O2"],  # without the first, gcc minds -fno-lto
    "//conditions:default": [],
})
