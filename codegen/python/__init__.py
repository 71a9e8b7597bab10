# SPDX-License-Identifier: BSD-2-Clause
"""The back end for Python: one module, which is nic.py and a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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
    return (Path(__file__).parent / "nic.py").read_text(encoding="utf-8") + END.format(rows="\n".join("    " + row for row in rows))
