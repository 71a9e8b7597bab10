# SPDX-License-Identifier: BSD-2-Clause
"""How many processors a test takes."""

# The tag of one that measures time, or keeps every processor busy, on a machine with two: .bazelrc lets four tests run there, as most wait
# for something half of the time or more.
WHOLE_MACHINE = "cpu:4"
