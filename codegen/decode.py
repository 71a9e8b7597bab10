# SPDX-License-Identifier: BSD-2-Clause
"""Output of `decode` for an entry, or a completion, of any device."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Optional

from codegen.model.model import Place, SpecError
from codegen.python.nic import Entry, Nic, Part, Refused


def decoded(nic: Nic, file: Path, queue: Optional[str], as_json: bool) -> str:
    """The text of an entry. `queue`: its name, None for the only queue that takes the entry, "" for a completion."""
    data = bytes_of(sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes())
    try:
        if queue == "":
            part = nic.cqe(data)
            return json.dumps(plain_part(part)) if as_json else "\n".join([part.name, *nic.cqes[part.name].shown(part.values)])
        entry = nic.queue(queue).decode(data) if queue else fitting(nic, data)
    except Refused as error:
        raise SpecError([(Place(str(file), 1), str(error))]) from None
    return json.dumps({"request": entry.request, "queue": entry.queue, "parts": [plain_part(p) for p in entry.parts]}) if as_json else str(entry)


def bytes_of(data: bytes) -> bytes:
    """The bytes of a file that holds them raw or as hexadecimal text."""
    text = data.translate(None, b" \t\r\n")
    if text and not text.translate(None, b"0123456789abcdefABCDEF") and len(text) % 2 == 0:
        return bytes.fromhex(text.decode())
    return data


def fitting(nic: Nic, data: bytes) -> Entry:
    """The entry, as read by the only queue that takes it."""
    found, refused = [], []
    for name in nic.queues:
        try:
            found.append(nic.queue(name).decode(data))
        except Refused as error:
            refused.append(f"{name}: {error}")
    if not found:
        raise Refused("no queue takes it: " + "; ".join(refused))
    if len(found) > 1:
        raise Refused(f"it can be of {' and of '.join(e.queue for e in found)}; expected --queue with one of them")
    return found[0]


def plain_part(part: Part) -> dict[str, Any]:
    values = {name: value.hex() if isinstance(value, bytes) else value for name, value in part.values.items()}
    return {"name": part.name, "byte": part.offset, "fields": values, **({"payload": part.payload.hex()} if part.payload else {})}
