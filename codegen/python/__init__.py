# SPDX-License-Identifier: BSD-2-Clause
"""The back end for Python: one module, made of model/packed.py, nic.py and a model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
IMPORT = re.compile(r"from codegen\.model\.packed import .*\n")  # its replacement comes after the imports of that file
END = '''

# The device that this module is about.
NIC = Nic(json.loads(
{rows}
))
'''


def module(model: dict[str, Any]) -> str:
    """The text of a module that holds the device as NIC, and imports nothing but the standard library."""
    parts = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in model.items()]
    rows = [repr(("{" if i == 0 else ", ") + part) for i, part in enumerate(parts)] + [repr("}")]
    packed = (HERE.parent / "model/packed.py").read_text(encoding="utf-8").split("import Any, Optional, Union\n\n")[1]
    nic = IMPORT.sub(lambda _: packed, (HERE / "nic.py").read_text(encoding="utf-8"))
    return nic + END.format(rows="\n".join("    " + row for row in rows))
