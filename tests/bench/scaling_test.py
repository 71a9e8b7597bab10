# SPDX-License-Identifier: BSD-2-Clause
"""Instructions do not depend on how many queue pairs a completion queue serves, nor on how many peers there are; they come in random order.
A post by peer costs little more than the same post on its queue, and a completion that names its peer little more than one that does not.
"""

from __future__ import annotations

import unittest

from tools.bench.counting import counted

NUMBERS = (1, 256, 4096, 65536)


class Among(unittest.TestCase):
    def same(self, figures: dict[str, float]) -> None:
        print(figures)
        self.assertLessEqual(max(figures.values()) - min(figures.values()), 2)
        self.assertGreaterEqual(min(figures.values()), 10)

    def test_completions(self) -> None:
        parts = [str(x) for at_a_time in (1, 16) for n in NUMBERS for x in (n, at_a_time)]
        found = counted(["tools/bench/shared_cq", *parts])
        for at_a_time in ("1", "16"):
            with self.subTest(at_a_time=at_a_time):
                self.same({name[0]: one.instructions for name, one in found.items() if name[1] == at_a_time})

    def test_peers(self) -> None:
        parts = [str(x) for what in ("rc", "dc", "poll", "poll-dc") for n in NUMBERS for x in (what, n)]
        parts += [x for what in ("rc-direct", "dc-direct", "poll-direct") for x in (what, "256")]
        found = counted(["tools/bench/peer_posts", *parts])
        for what, beside, more in (("rc", "rc-direct", 12), ("dc", "dc-direct", 30), ("poll", "poll-direct", 12), ("poll-dc", "poll-direct", 12)):
            with self.subTest(what):
                figures = {name[1]: one.instructions for name, one in found.items() if name[0] == what}
                self.same(figures)
                self.assertLessEqual(max(figures.values()) - found[beside, "256"].instructions, more)


if __name__ == "__main__":
    unittest.main()
