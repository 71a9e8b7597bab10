# SPDX-License-Identifier: BSD-2-Clause
"""What a part of softhca keeps for the process is in one structure, the_PART, that nobody else touches: see docs/softhca/parts.md."""
import os
import re
import subprocess
import unittest

ROOT = "tools/softhca"
PAGE = "docs/softhca/parts.md"
LIBRARY = ROOT + "/libsofthca.so"
# Structures that other parts may see, by the header that shows them.
SHOWN = {"the_engine": None, "the_fault": ROOT + "/engine/deviations.h"}


def parts():
    """the_PART: its folder."""
    with open(PAGE, encoding="utf-8") as file:
        folders = re.findall(r"^\| `([a-z/]+)` \|", file.read(), re.MULTILINE)
    return {"the_" + os.path.basename(f): ROOT + "/" + f for f in folders}


def table(option):
    text = subprocess.run(["readelf", "-W", option, LIBRARY], check=True, capture_output=True, text=True).stdout
    return [line.split() for line in text.replace("[ ", "[").splitlines()]


def mutable():
    """Objects of the library that can be written, without those of the compiler's and the C library's own."""
    sections = {r[0].strip("[]"): r[1] for r in table("-S") if len(r) > 8 and r[0].startswith("[") and "W" in r[-4]}
    for row in table("-s"):
        if len(row) == 8 and row[3] == "OBJECT" and re.fullmatch(r"\.bss|\.data(\.rel(\.local)?)?", sections.get(row[6], "")):
            name = re.sub(r"\.lto_priv\.\d+$", "", row[7])
            if not re.match(r"_|completed\.", name):
                yield name


class State(unittest.TestCase):
    def test_one_structure_for_each_part(self):
        found = sorted(mutable())
        self.assertIn("the_wire", found, "the library has lost its symbols")
        self.assertEqual([n for n in found if n not in parts()], [], "belongs into the structure of its part")
        self.assertEqual(sorted(set(found)), found, "a part has two of them")

    def test_nobody_else_touches_it(self):
        known = parts()
        for folder, _, names in os.walk(ROOT, followlinks=True):
            for path in (folder + "/" + n for n in names if n.endswith((".c", ".h"))):
                with open(path, encoding="utf-8") as file:
                    text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
                for name in set(re.findall(r"\bthe_[a-z]+\b", text)):
                    if SHOWN.get(name, path) is None:
                        continue
                    self.assertIn(name, known, path)
                    if path != SHOWN.get(name):
                        self.assertEqual(folder, known[name], f"{path} uses {name}, which is another part's")


if __name__ == "__main__":
    unittest.main()
