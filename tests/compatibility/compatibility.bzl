# SPDX-License-Identifier: BSD-2-Clause
"""Values of target_compatible_with for what makes no sense in each mode of tools/matrix."""

_NEVER = ["//tests/compatibility:never"]

# Needs what gcc alone makes of it.
BY_GCC = select({
    "//codegen:precompiles": [],
    "//conditions:default": _NEVER,
})

# Holds functions of the C library that ThreadSanitizer calls before instrumented code may run.
NOT_TSAN = select({
    "//tests/compatibility:tsan": _NEVER,
    "//conditions:default": [],
})

# Has a sanitizer of its own, and no program has two; or makes programs itself, which then have none.
UNSANITIZED = select({
    "//tests/compatibility:asan": _NEVER,
    "//tests/compatibility:tsan": _NEVER,
    "//conditions:default": [],
})
