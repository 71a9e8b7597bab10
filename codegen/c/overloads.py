# SPDX-License-Identifier: BSD-2-Clause
"""The names that a user calls, each with its functions by the type of the first argument."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.c.steps import BuilderSet, Parameter, scalar, state_type
from codegen.machine.stages import Stage
from codegen.model.model import Argument, Field

Choice = tuple[str, str, str, list[Parameter], str]  # argument type, function, result type, parameters, argument name


@dataclass
class Overload:
    """One name that a user calls, with its functions by the type of the first argument."""

    name: str  # without segue_
    part: str  # part of the first argument that the functions take: of a state ".b" or all, of a queue a macro
    into: str  # part of the next state that their result becomes: ".b" or all
    choices: list[Choice]

    @property
    def begins(self) -> bool:
        """The first argument is a queue."""
        return self.choices[0][0].endswith("*")

    @property
    def ends(self) -> bool:
        """The result is not a state."""
        return self.choices[0][2] in ("int", "void")

    @property
    def gives(self) -> bool:
        return self.choices[0][2] != "void"

    @property
    def functions(self) -> list[Choice]:
        """Each function once, with its first choice."""
        found = {choice[1]: choice for choice in reversed(self.choices)}
        return [found[function] for function in sorted(found)]

    def macro(self, more: str) -> str:
        """The body of the name's macro in C. `more`: its further arguments."""
        kind = ("BEGIN" if not self.ends else "CALL" if self.gives else "DO") if self.begins else "END" if self.ends else "STEP"
        lines = [f"SEGUEI_{kind}(SEGUEI_BOUND, {self.first}, segue_{self.name}, {self.part}, {self.into}, ("]
        lines += [f"SEGUEI_BY({function})," for _, function, *_ in self.functions]  # each on a line of its own, because a user's file adds some
        end = "" if kind == "DO" else " SEGUEI_ENDED" if self.ends else " SEGUEI_MADE"
        lines.append(f"SEGUEI_ELSE({'_end' if self.ends else '_b' if self.into else ''})), {more}){end}")
        return " \\\n\t".join(lines)

    @property
    def first(self) -> str:
        """The first parameter of the name's macro in C: a state, or a queue, of which some kinds have a name of their own."""
        names = {name for argument, *_, name in self.choices if "_batch " not in argument}
        return names.pop() if len(names) == 1 else "queue" if names else "batch"

    @property
    def further(self) -> str:
        """The macro's further parameters, for a comment in its first line, which editors show. The macro itself has `...`, as an argument may be
        a compound literal, with commas of its own, or a macro that stands for several. In brackets: what some functions lack."""
        lists = [[p.name for p in parameters] for *_, parameters, _ in self.choices if parameters]
        longest = max(lists, key=len, default=[])
        places = [dict.fromkeys(names[i] for names in lists if len(names) == len(longest)) for i in range(len(longest))]
        shown = [("|".join(place), all(place.keys() & set(names) for names in lists)) for place in places]
        return ", ".join(text if everywhere else f"[{text}]" for text, everywhere in shown)

    @property
    def wants(self) -> list[tuple[list[Parameter], list[str]]]:
        """The functions, as C++ names them, by their further parameters."""
        found: dict[tuple[str, ...], tuple[list[Parameter], list[str]]] = {}
        for _, function, _, parameters, _ in self.functions:
            key = tuple(p.c_type for p in parameters)
            found.setdefault(key, (parameters, []))[1].append(f"SEGUEI_BY({function})")
        return list(found.values())

    @property
    def mixed(self) -> bool:
        """Some of the functions have further parameters, and others do not."""
        return len({bool(parameters) for *_, parameters, _ in self.choices}) > 1


def overloads(sets: list[BuilderSet]) -> list[Overload]:
    """Every overloaded name, sorted."""
    found: dict[str, Overload] = {}

    def add(name: str, argument: str, function: str, result: str, parameters: list[Parameter], first: str, part: str = "SEGUEI_ITSELF",
            into: str = "") -> None:
        found.setdefault(name, Overload(name, part, into, [])).choices.append((argument, function, result, parameters, first))

    for builders in sets:
        machine = builders.machine
        handle = f"struct {builders.handle} *"
        queue = "sq" if builders.send else builders.machine.queue
        b = ".b" if builders.ring else ""
        for begin in builders.begins:
            to = state_type(machine, begin.to)
            part = "SEGUEI_START" if builders.ring and builders.send else "SEGUEI_ITSELF"
            add(begin.name, handle, begin.function, to, begin.parameters, queue, part, b)
            if builders.ring and builders.send:
                add(begin.name, f"struct {builders.batch} *", begin.function, to, begin.parameters, "batch", part, b)
        for step in builders.steps:
            add(step.name, state_type(machine, step.stage), step.function, state_type(machine, step.to), step.parameters, "w", b, b)
        for option in builders.options:
            for stage in option_stages(builders):
                state = state_type(machine, stage)
                add(option.name, state, builders.setting(stage, option), state, [scalar(option_field(option, stage))], "w", b, b)
        for stage in builders.stages:
            if stage.accepting:
                for ending in endings(builders):
                    add(ending, state_type(machine, stage), builders.ending(stage, ending), "int", [], "w", b)
        for one in builders.one_calls:
            args = f"const struct segue_{machine.name}_{one.begin.name}_args *"
            add(f"{builders.one_call}_{one.begin.name}", handle, f"seguei_{machine.name}_{builders.one_call}_{one.begin.name}", "int",
                [Parameter(args, "args", "")], queue)
        if builders.ring:
            add("ring_doorbell", handle, f"seguei_{machine.name}_ring", "void", [], queue)
        if builders.ring and builders.send:
            add("batch_begin", handle, f"seguei_{machine.name}_batch_begin", f"struct {builders.batch}", [], queue)
            add("batch_end", f"struct {builders.batch} *", "seguei_batch_end", "void", [], "batch", "SEGUEI_ITS_SQ")
    return [found[name] for name in sorted(found)]


def endings(builders: BuilderSet) -> list[str]:
    if not builders.ring:
        return ["commit"]
    return ["commit", "post", "post_blueflame"] if builders.send else ["commit", "post"]


def option_stages(builders: BuilderSet) -> list[Stage]:
    """The stages directly after the control segment, in which the request's options may be set."""
    return [begin.to for begin in builders.begins]


def option_field(option: Argument, stage: Stage) -> Field:
    """In the control segment of the stage's request, which need not be the transport's."""
    return next(f for f in stage.request.control.fields if f.name == option.field.name)
