# SPDX-License-Identifier: BSD-2-Clause
"""A file that holds the spec as `check --model` has read and accepted it, for the other commands: JSON after one line with its checksum.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from codegen.load.load import Document, Node
from codegen.model.model import Place, SpecError

FORMAT = "segue model 2"


def packed(node: Node) -> list[Any]:
    """[line, value]. A mapping also has the line of each key, a scalar whether it is quoted."""
    if isinstance(node.value, list):
        return [node.place.line, [packed(item) for item in node.value]]
    if isinstance(node.value, dict):
        members = {key: packed(item) for key, item in node.value.items()}
        return [node.place.line, members, [node.key_place(key).line for key in members]]
    return [node.place.line, node.value, True] if node.quoted else [node.place.line, node.value]


def unpacked(file: str, saved: list[Any]) -> Node:
    place, value = Place(file, saved[0]), saved[1]
    if isinstance(value, list):
        return Node([unpacked(file, item) for item in value], place)
    if isinstance(value, dict):
        keys = {key: Place(file, line) for key, line in zip(value, saved[2])}
        return Node({key: unpacked(file, item) for key, item in value.items()}, place, False, keys)
    return Node(value, place, len(saved) > 2)


def save(documents: list[Document], own: list[str]) -> bytes:
    roots = [[document.file, packed(document.root)] for document in documents if document.root]
    body = json.dumps({"own": own, "documents": roots}, separators=(",", ":")).encode()
    return f"{FORMAT} {hashlib.sha256(body).hexdigest()}\n".encode() + body


def restore(file: str, data: bytes) -> tuple[list[Document], list[str]]:
    """The documents, and the user's own files. SpecError if they are not as save() left them."""
    head, _, body = data.partition(b"\n")
    if head != f"{FORMAT} {hashlib.sha256(body).hexdigest()}".encode():
        raise SpecError([(Place(file, 1), "the model is damaged, or another version's; expected what 'check --model' of this version "
                                          "writes: run that again")])
    saved = json.loads(body)
    return [Document(name, unpacked(name, root), []) for name, root in saved["documents"]], saved["own"]
