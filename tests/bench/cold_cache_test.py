# SPDX-License-Identifier: BSD-2-Clause
"""With empty caches a post and a poll of Segue touch no more cache lines than they do now, and libmlx5 without its locks touches half as many again.

Counted by callgrind with caches of its own, so it does not matter what else the machine does, nor what it is.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from tools.bench.results import read

# Lines of data and code, of one operation or of all 16. Where a compiler or a linker lays things otherwise, it may be two more.
NOW = {"batch/write/1": 14, "batch/write/16": 36, "poll/send/1": 18, "poll/send/16": 39, "poll/receive/1": 15, "poll/receive/16": 36}
MORE = 2


class Cold(unittest.TestCase):
    def test_lines(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            saved = Path(folder, "lines.json")
            env = {**os.environ, "SOFTHCA_DIR": os.path.join(os.environ.get("TEST_TMPDIR", "/tmp"), f"segue-test-{os.getpid()}")}
            subprocess.run(["tools/bench/bench", "--filter", "cold", "--no-ucx", "--json", str(saved)], stdout=subprocess.DEVNULL, check=True, env=env)
            results = read(saved)
        self.assertEqual(set(NOW), set(results.lines))
        for row, now in NOW.items():
            with self.subTest(row):
                at_a_time = int(row.rsplit("/", 1)[1])
                ours, theirs = (round(sum(found["cold"]) * at_a_time) for side in ("Segue", "no locks") for found in [results.lines_of(row, side)] if found)
                print(f"{row}: {ours} lines, libmlx5 {theirs}")
                self.assertLessEqual(ours, now + MORE)
                self.assertGreaterEqual(ours, now / 2)
                self.assertGreaterEqual(theirs, 1.5 * ours)


if __name__ == "__main__":
    unittest.main()
