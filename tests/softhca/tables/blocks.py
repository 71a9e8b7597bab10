# SPDX-License-Identifier: BSD-2-Clause
"""blocks.py FOLDER PAGE...: writes the YAML files that pages show, each a line with its name in backquotes and a fenced block."""

import re
import sys
from pathlib import Path

FILE = re.compile(r"^`spec/([\w-]+\.yaml)`:\n```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)

for page in sys.argv[2:]:
    for name, text in FILE.findall(Path(page).read_text(encoding="utf-8")):
        Path(sys.argv[1], name).write_text(text, encoding="utf-8")
