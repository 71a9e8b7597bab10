# SPDX-License-Identifier: BSD-2-Clause
"""Structs of arguments. If those of one request are equal on several queues of a ring, they are one type, with a name for each queue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from codegen.c import peers
from codegen.c.builders import builder_sets
from codegen.c.steps import Parameter
from codegen.model.model import Model, once


@dataclass
class Shared:
    """One struct, and the names that queues have for it."""

    doc: str
    members: list[Parameter]
    names: list[str] = field(default_factory=list)  # after "struct ". The first one is its own


@once
def shared(model: Model) -> list[Shared]:
    """Sorted by name."""
    found: dict[tuple, Shared] = {}
    for name, request, doc, members in _every(model):
        found.setdefault((request, tuple((p.declaration, p.doc) for p in members)), Shared(doc, members)).names.append(name)
    return sorted((one for one in found.values() if len(one.names) > 1), key=lambda one: one.names)


def _every(model: Model) -> Iterator[tuple[str, str, str, list[Parameter]]]:
    """(name, request, owner, members) of each struct of arguments. Those of the queue with most requests come first."""
    sets = sorted(builder_sets(model), key=lambda builders: (-len(builders.begins), builders.name))
    for builders in sets if model.device.ring else []:
        for one in builders.one_calls:
            request = one.begin.name
            yield f"segue_{builders.name}_{request}_args", request, f"segue_{builders.one_call}_{request}(). {one.begin.start.request.doc}", one.members
    for by_peer in peers.requests(model) if model.device.ring else []:
        yield f"segue_peer_{by_peer.name}_args", by_peer.name, f"segue_peer_{by_peer.name}(). {by_peer.doc}", by_peer.members


@once
def shared_names(model: Model) -> dict[str, str]:
    """Names of such structs by queue, each with the name of the struct."""
    return {name: one.names[0] for one in shared(model) for name in one.names}
