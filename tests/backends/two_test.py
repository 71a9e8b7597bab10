# SPDX-License-Identifier: BSD-2-Clause
"""Two devices in one program: the `c_prefix` of each gives its library names of its own, in C and in C++. equal_test.py has pairs of
invented ones.

Each writes, judges and prints its own random requests, as it does alone. The seed is printed; SEGUE_TEST_SEED repeats a run.
"""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from tests.backends.devices import checked
from tests.backends.programs import Device, Together
from tests.seed.seed import segue_test_seed

ALIKE = {"efa": "first", "nvme": "second"}  # which share names of enums, segments and tables; their prefixes
WITH_RUNTIME = {"mlx5": "", "dsa": "dsa"}


class Two(unittest.TestCase):
    def together(self, prefixes: dict[str, str]) -> Together:
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        seed = segue_test_seed()
        devices = [Device(checked(name), seed, Path(kept.name), each=1) for name in prefixes]
        return Together(devices, Path(kept.name), tuple(prefixes.values()))

    def look(self, together: Together) -> None:
        for device, (built, judged) in zip(together.devices, together.run()):
            said = [line.split(" ", 4) for line in built]
            self.assertEqual([("0", d.entry.hex(), "") for d in device.drawn], [tuple(line[2:]) for line in said])
            self.assertEqual(len(judged), sum(len(d.damaged) for d in device.drawn))

    def test_in_both_languages(self) -> None:
        for prefixes in (ALIKE, WITH_RUNTIME):
            with self.subTest(**prefixes):
                together = self.together(prefixes)
                self.assertEqual("", together.compile()[:3000])
                self.look(together)
                self.assertEqual("", together.compile_cxx()[:3000])
                self.look(together)

    def test_without_prefixes_they_clash(self) -> None:
        self.assertIn("multiple definition of `segue_machines'", self.together({name: "" for name in ALIKE}).compile())


if __name__ == "__main__":
    unittest.main()
