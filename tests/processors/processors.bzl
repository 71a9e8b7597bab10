# SPDX-License-Identifier: BSD-2-Clause
"""How many processors a test takes, and what it measures."""

# The tag of one that measures time, or keeps every processor busy, on a machine with two: .bazelrc lets four tests run there, as most wait
# for something half of the time or more.
WHOLE_MACHINE = "cpu:4"

# The tag of one that counts instructions, or depends on times which it does not set: tools/matrix leaves it to the ordinary build.
TIMING = "timing"
