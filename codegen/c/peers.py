# SPDX-License-Identifier: BSD-2-Clause
"""One-call posts by peer: for each request, the ways to post it over the transports that multi-channels have.

A request's steps are those of its one-call post. If a transport needs an address vector, the channel holds it, prepared once per destination.
Its other arguments are the channel's number and key, in their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from codegen.c.builders import builder_sets
from codegen.c.steps import BuilderSet, OneCall, Parameter
from codegen.model.model import Model, once

# Transport of a send queue → transport of a multi-channel (enum segue_channel_transport).
OVER = {"rc": "SEGUE_TRANSPORT_RC", "dci": "SEGUE_TRANSPORT_DC", "ud": "SEGUE_TRANSPORT_UD"}


@dataclass
class Way:
    """One request over one transport."""

    builders: BuilderSet
    one: OneCall

    @property
    def over(self) -> str:
        return OVER[self.builders.name]

    @property
    def shares_queues(self) -> bool:
        """A queue serves several peers, so the slot holds the peer of each request."""
        return self.builders.name != "rc"

    @property
    def changes_hands(self) -> bool:
        """The queue must be found before each post."""
        return self.builders.name == "dci"

    def channel_names(self) -> dict[str, str]:
        """Arguments from the channel: name of the one-call post's member → expression."""
        known: dict[str, str] = {}
        for call in self.one.calls:
            if call.step.prepared:
                values = ["&channel->av", "channel->number", "channel->key"]
                for parameter, name, value in zip(call.step.parameters, call.arguments, values):
                    known[name] = value if parameter.c_type.endswith("*") else f"({parameter.c_type})({value})"
        return known

    def members(self) -> list[Parameter]:
        known = self.channel_names()
        return [m for m in self.one.members if m.name not in known]

    def arguments(self) -> list[tuple[str, str]]:
        """Every member of the transport's own struct, with its value."""
        known = self.channel_names()
        return [(m.name, known.get(m.name, f"args->{m.name}")) for m in self.one.members]


@dataclass
class ByPeer:
    """One request, over any transport by which the peer is reached."""

    name: str
    doc: str
    members: list[Parameter]
    ways: list[Way]


@once
def requests(model: Model) -> list[ByPeer]:
    found: dict[str, ByPeer] = {}
    for transport in OVER:
        for builders in builder_sets(model):
            if builders.name != transport or not builders.send:
                continue
            for one in builders.one_calls:
                way = Way(builders, one)
                request = one.begin.start.request
                entry = found.setdefault(one.begin.name, ByPeer(one.begin.name, request.doc, [], []))
                names = {m.name for m in entry.members}
                entry.members += [m for m in way.members() if m.name not in names]
                entry.ways.append(way)
    return [found[name] for name in sorted(found)]


def context(model: Model) -> dict[str, Any]:
    from codegen.c import args  # imported here, because it needs the requests

    found = requests(model)
    transports = sorted({way.builders.name for request in found for way in request.ways})
    return {"requests": found, "transports": transports, "shared_names": args.shared_names(model)}
