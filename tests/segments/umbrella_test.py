# SPDX-License-Identifier: BSD-2-Clause
"""segue/segue.h has the whole core, segue/peers.h all of many peers, and no header of the core needs one of peers."""

import re
import unittest
from pathlib import Path

FOLDER = Path("include/segue")
BY_THEMSELVES = {  # what a program includes beside, as segue.h says
    "freestanding.h", "pattern.h", "rdmacm.h", "verbs.h",
}


def included(name: str) -> list[str]:
    return re.findall(r'^#include "segue/(.*)"$', (FOLDER / name).read_text(encoding="utf-8"), re.MULTILINE)


class Umbrella(unittest.TestCase):
    def test_each_header_has_its_place(self) -> None:
        core, peers = included("segue.h"), included("peers.h")
        self.assertEqual(core, sorted(core))
        self.assertEqual(peers, sorted(peers))
        named = core + peers + ["peers.h", *BY_THEMSELVES]
        self.assertEqual(sorted(set(named)), sorted(named), "a header with two places")
        there = {path.name for path in FOLDER.glob("*.h")} - {"segue.h"} | {f"peers/{path.name}" for path in (FOLDER / "peers").glob("*.h")}
        self.assertEqual(39, len(there) + len(["segue.h", "segue.hpp"]))
        self.assertEqual(there, {name for name in named if not name.startswith("gen/")} - {"segue.h"})

    def test_the_core_needs_no_peers(self) -> None:
        peers = set(included("peers.h")) - {"segue.h"}
        for name in set(included("segue.h")) | {f"detail/{path.name}" for path in (FOLDER / "detail").glob("*.h") if path.name not in ("freestanding_peer.h", "peers.h")}:
            if not name.startswith("gen/"):
                self.assertEqual(set(), peers & set(included(name)), name)

    def test_options_end_in_reserved_words(self) -> None:
        found = {name: body for path in sorted(FOLDER.rglob("*.h"))
                 for name, body in re.findall(r"^struct (segue_\w+_options) {\n(.*?)^};", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)}
        self.assertGreater(len(found), 17)
        self.assertEqual([], [name for name, body in found.items() if not re.search(r"\tuint64_t reserved\[4\];\s+/\* 0 \*/\n$", body)])


if __name__ == "__main__":
    unittest.main()
