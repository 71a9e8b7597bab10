# SPDX-License-Identifier: BSD-2-Clause
"""The names that a user calls, each with the functions behind it by the type of its first argument."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.c.steps import BuilderSet, Parameter, scalar, state_type
from codegen.passage import Stage

Choice = tuple[str, str, str, list[Parameter], str]  # argument type, function, result type, parameters, argument name


@dataclass
class Overload:
    """One name that a user calls, and the functions behind it by the type of the first argument."""

    name: str  # without segue_
    choices: list[Choice]

    @property
    def begins(self) -> bool:
        """The first argument is a queue."""
        return self.choices[0][0].endswith("*")

    @property
    def ends(self) -> bool:
        """The result is no state."""
        return self.choices[0][2] in ("int", "void")

    @property
    def gives(self) -> bool:
        return self.choices[0][2] != "void"

    @property
    def bare_choices(self) -> list[Choice]:
        return [c for c in self.choices if not c[3]]

    @property
    def other_choices(self) -> list[Choice]:
        return [c for c in self.choices if c[3]]

    @property
    def wants(self) -> list[tuple[list[Parameter], list[str]]]:
        """The types of the first argument by what has to stand behind it."""
        found: dict[tuple[str, ...], tuple[list[Parameter], list[str]]] = {}
        for argument, _, _, parameters, _ in self.choices:
            key = tuple(p.declaration for p in parameters)
            found.setdefault(key, (parameters, []))[1].append(argument)
        return list(found.values())

    @property
    def bare(self) -> bool:
        return all(not c[3] for c in self.choices)

    @property
    def mixed(self) -> bool:
        return not self.bare and any(not c[3] for c in self.choices)


def overloads(sets: list[BuilderSet]) -> list[Overload]:
    """Every overloaded name, sorted."""
    found: dict[str, Overload] = {}

    def add(name: str, argument: str, function: str, result: str, parameters: list[Parameter], first: str) -> None:
        found.setdefault(name, Overload(name, [])).choices.append((argument, function, result, parameters, first))

    for builders in sets:
        machine = builders.machine
        handle = f"struct {builders.handle} *"
        queue = "sq" if builders.send else builders.machine.queue
        for begin in builders.begins:
            add(begin.name, handle, begin.function, state_type(machine, begin.to), begin.parameters, queue)
            if builders.ring and builders.send:
                add(begin.name, f"struct {builders.batch} *", f"seguei_{machine.name}_batch_{begin.name}", state_type(machine, begin.to),
                    begin.parameters, "batch")
        for step in builders.steps:
            add(step.name, state_type(machine, step.stage), step.function, state_type(machine, step.to), step.parameters, "w")
        for option in builders.options:
            for stage in option_stages(builders):
                add(option.name, state_type(machine, stage), f"seguei_{machine.name}_{stage.name}_{option.name}",
                    state_type(machine, stage), [scalar(option.field)], "w")
        for stage in builders.stages:
            if stage.accepting:
                for ending in endings(builders):
                    add(ending, state_type(machine, stage), f"seguei_{machine.name}_{stage.name}_{ending}", "int", [], "w")
        for one in builders.one_calls:
            args = f"const struct segue_{machine.name}_{one.begin.name}_args *"
            add(f"{builders.one_call}_{one.begin.name}", handle, f"seguei_{machine.name}_{builders.one_call}_{one.begin.name}", "int",
                [Parameter(args, "args", "")], queue)
        if builders.ring:
            add("ring", handle, f"seguei_{machine.name}_ring", "void", [], queue)
        if builders.ring and builders.send:
            add("batch_begin", handle, f"seguei_{machine.name}_batch_begin", f"struct {builders.batch}", [], queue)
            add("batch_end", f"struct {builders.batch} *", f"seguei_{machine.name}_batch_end", "void", [], "batch")
    return [found[name] for name in sorted(found)]


def endings(builders: BuilderSet) -> list[str]:
    if not builders.ring:
        return ["commit"]
    return ["commit", "post", "post_blueflame"] if builders.send else ["commit", "post"]


def option_stages(builders: BuilderSet) -> list[Stage]:
    """Right behind the control segment, where the request's options may be set."""
    return [begin.to for begin in builders.begins]
