# SPDX-License-Identifier: BSD-2-Clause
"""Tables of spec/logs as C: forms of lines with a machine that finds them, statuses, vendor codes, causes, events, counters.

  tables.py OUTPUT.h OUTPUT.c FILE.yaml…   (each file holds some of the lists in TABLES)
"""

from __future__ import annotations

import re
import sys
from collections import deque
from typing import Any, Iterable, Iterator, NamedTuple, Optional

import yaml

NUMBERS = ["syndrome", "status", "vendor", "hw_type", "hw", "qpn", "peer_qpn", "opcode", "wc_opcode", "cqe_opcode", "index", "cqn",
           "command", "op_mod", "command_status", "command_syndrome", "errno", "cq_syndrome", "value", "address", "length", "lkey", "raddr", "rkey",
           "srqn", "side", "op_own", "swapped_srqn", "swapped_opcode_qpn", "swapped_index", "hint"]
TEXTS = {"device": "device", "peer": "peer", "words": "wording", "misread": "misread", "name": "counter", "operation": "operation"}
KINDS = ["completion", "request", "wqe", "dump", "event", "command", "cq_error", "counter", "hint"]
SIDES = {"requester": 1, "responder": 2}
HINTS = {"iommu": 1, "acs": 2}
NAMED = ["side", "hint", "opcode", "status"]  # slots with values that a form sets by name
CONFIDENCES = ["none", "single", "several", "confirmed"]
STEPS = ["end", "literal", "maybe", "decimal", "hex", "number", "word", "text", "rest", "name", "skip", "separator"]
OPERATIONS = {"x": "HEX", "d": "DECIMAL", "i": "NUMBER", "w": "WORD", "t": "TEXT", "e": "REST", "c": "NAME"}
# Abbreviations of sources.
SOURCES = {
    "hw": "Linux:drivers/infiniband/hw/mlx5/counters.c",
    "eth": "Linux:Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst",
    "ib": "Linux:Documentation/ABI/stable/sysfs-class-infiniband",
    "LAB": "unionxic/rdma-fault-characterization",
}
# Words of many lines that report no failure.
COMMON = {"error", "failed", "request", "completion", "status", "with", "from", "event", "vendor", "async", "for", "work", "returned", "number", "sending",
          "waiting", "device", "fatal", "async", "opcode", "error.", "completed", "async"}
LETTERS = 64  # of the machine, at most, less one for each flag
STEP = 8  # times which states are numbered: a state and a letter are one address for the processor
FLAGS = ["digit", "dressed", "tab", "break"]
PIECE = re.compile(r"\{([^}]*)\}")

# Each list, and what its entries hold: s a string, n a number, and names of other tables. A question mark: it may be missing.
TABLES = {
    "forms": {},
    "statuses": {"status": "IBV_WC", "syndrome": "syndrome?", "words": "list"},
    "verbs": {"of": "s", "verb": "verb"},
    "codes": {"code": "n", "syndrome": "syndrome", "side": "side?", "operations": "s", "reports": "n", "confidence": "confidence",
              "concluded": "s", "source": "source"},
    "others": {"card": "s", "status": "status", "code": "n", "concluded": "s", "source": "source"},
    "cards": {"card": "s", "name": "s", "scale": "s", "instead": "s"},
    "causes": {"syndrome": "syndrome", "vendor": "n?", "side": "side?", "opcode": "opcode?", "hint": "hint?", "cause": "s", "check": "s",
               "reports": "n", "source": "source"},
    "commands": {"command": "s", "syndrome": "n", "concluded": "s", "source": "source"},
    "command_statuses": {"value": "n", "name": "s", "do": "s"},
    "cq_syndromes": {"value": "n", "name": "s", "concluded": "s", "do": "s"},
    "events": {"event": "IBV_EVENT", "severity": "n", "words": "list", "do": "s"},
    "counters": {"name": "s", "faults": "n", "counts": "s", "grows": "s", "do": "s", "source": "source"},
}
# Members of C of such a kind. All others are numbers.
MEMBERS = {"s": "const char *{}", "source": "const char *{}", "list": "const char *{}[LOG_WORDS]", "status": "int {}",
           "verb": "int {}; const char *name", "IBV_WC": "int {}; const char *name", "IBV_EVENT": "int {}; const char *name"}
NONE = "LOG_ANY"
# Lists with entries that are looked up by a number.
KEYS = {"statuses": "status", "codes": "code", "command_statuses": "value", "cq_syndromes": "value"}


class Refused(Exception):
    """An entry that is not as it should be, with the sentence for its author."""


class Step(NamedTuple):
    operation: str
    slot: int = 0
    literal: str = ""


class Pattern(NamedTuple):
    form: int
    steps: list[Step]
    key: str


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("??", "?\\?") + '"'


def slot_of(name: str, operation: str) -> int:
    names = NUMBERS if operation in ("HEX", "DECIMAL", "NUMBER") else TEXTS
    if name not in names:
        raise Refused(f"there is no slot '{name}' for {operation.lower()}; there are {', '.join(names)}")
    return list(names).index(name)


def steps_of(pattern: str) -> list[Step]:
    steps: list[Step] = []
    at = 0
    for piece in PIECE.finditer(pattern):
        if piece.start() > at:
            steps.append(Step("LITERAL", literal=pattern[at : piece.start()]))
        at = piece.end()
        inside = piece.group(1)
        if inside == "*":
            steps.append(Step("SKIP"))
        elif inside == "=":
            steps.append(Step("SEPARATOR"))
        elif inside.startswith("?"):
            steps.append(Step("MAYBE", literal=inside[1:]))
        else:
            name, _, letter = inside.partition(":")
            if letter not in OPERATIONS:
                raise Refused(f"'{{{inside}}}' is none of {{slot:{'|'.join(OPERATIONS)}}}, {{*}}, {{=}} and {{?text}}")
            steps.append(Step(OPERATIONS[letter], slot_of(name, OPERATIONS[letter])))
    if at < len(pattern):
        steps.append(Step("LITERAL", literal=pattern[at:]))
    if not steps or steps[0].operation != "LITERAL":
        raise Refused(f"the pattern '{pattern}' does not begin with text")
    return steps


def key_of(steps: list[Step]) -> str:
    """The text that the machine finds a pattern by: its first text, or, if that is short, the longest word that few other lines hold."""
    literals = [step.literal.lower() for step in steps if step.operation == "LITERAL"]
    words = [word for literal in literals for word in literal.split() if len(word) > 3 and word.strip(":,.()=") not in COMMON]
    return literals[0].rstrip() if len(literals[0].rstrip()) > 4 else max(words or literals, key=len)


def checked(what: str, entry: dict[str, Any], keys: Iterable[str], optional: Iterable[str] = ()) -> None:
    wrong = sorted(set(entry) - set(keys)) or sorted(set(keys) - set(optional) - set(entry))
    if wrong:
        raise Refused(f"{what}: '{wrong[0]}' is {'no key' if wrong[0] in entry else 'missing'}; expected {', '.join(keys)}")


def flags_of(c: str) -> int:
    """Flags of a character, above the bits of letters. A tab may stand between digits as well."""
    digit = c in "0123456789abcdefABCDEFxX ,:-\t"
    dressed = not digit and not " " <= c <= "~" or c == "&"
    held = {"digit": digit, "dressed": dressed, "tab": c == "\t", "break": c <= " " or c > "\x7f" or c in ",;()'\"[]"}
    return sum(held[flag] << LETTERS - len(FLAGS) + n for n, flag in enumerate(FLAGS))


# The machine of Aho and Corasick over the keys of all patterns and the names of cards: one step for each byte of a text. States that have found something are the last.
class Machine:
    def __init__(self, keys: list[str]):
        self.letters = sorted(set("".join(keys)))
        if len(self.letters) + len(FLAGS) >= LETTERS:
            raise Refused(f"the patterns' words have {len(self.letters)} letters; expected less than {LETTERS - len(FLAGS)}")
        self.next: list[dict[str, int]] = [{}]
        self.found: list[list[int]] = [[]]
        for number, key in enumerate(keys):
            state = 0
            for c in key:
                if c not in self.next[state]:
                    self.next[state][c] = len(self.next)
                    self.next.append({})
                    self.found.append([])
                state = self.next[state][c]
            self.found[state].append(number)
        self.finish()

    def finish(self) -> None:
        fallback = [0] * len(self.next)
        queue = deque(self.next[0].values())
        blanks = {self.next[0].get(" ", 0)}
        for c in self.letters:
            self.next[0].setdefault(c, 0)
        while queue:
            state = queue.popleft()
            for c in self.letters:
                other = self.next[fallback[state]][c]
                if c in self.next[state]:
                    to = self.next[state][c]
                    fallback[to] = other
                    self.found[to] = self.found[to] + self.found[other]
                    blanks |= {to} if c == " " else set()
                    queue.append(to)
                else:
                    self.next[state][c] = other
        for state in blanks - {0}:  # blanks count once
            self.next[state][" "] = state

    def bits(self, pattern: Pattern) -> int:
        """The letters that a line must hold for a pattern. Letters of no key have none."""
        texts = "".join(step.literal.lower() for step in pattern.steps if step.operation == "LITERAL")
        return sum(1 << number for number, c in enumerate(self.letters, 1) if c in texts and c != " ")

    def lines(self) -> Iterator[str]:
        order = sorted(range(len(self.next)), key=lambda state: bool(self.found[state]))
        place = {state: n for n, state in enumerate(order)}
        classes = {c: n for n, c in enumerate(self.letters, 1)}
        unused = "0, " * (LETTERS - len(self.letters) - 1)
        lists: list[int] = []
        at = []
        for found in filter(None, (self.found[state] for state in order)):
            at.append(len(lists))
            lists += found + [0xFFFF]
        letters = [classes.get(" " if chr(b).isspace() else chr(b).lower(), 0) for b in range(256)]
        yield f"const unsigned int log_first_found = {(len(order) - len(at)) * STEP};"
        yield f"const uint8_t log_letters[256] = {{{', '.join(map(str, letters))}}};"
        yield f"const uint64_t log_marks[256] = {{{', '.join(f'{1 << letter | flags_of(chr(b)):#x}' for b, letter in enumerate(letters))}}};"
        yield "const uint16_t log_next[] = {"
        for state in order:
            yield "\t0, " + " ".join(f"{place[self.next[state][c]] * STEP}," for c in self.letters) + unused
        yield "};"
        yield "const uint16_t log_found_at[] = {" + ", ".join(map(str, at)) + "};"
        yield "const uint16_t log_found[] = {" + ", ".join(map(str, lists)) + "};"


def steps_line(name: str, steps: list[Step]) -> str:
    inside = "".join(f"{{LOG_{s.operation}, {s.slot}, {quoted(s.literal.lower()) if s.literal else 'NULL'}}}, " for s in steps)
    return f"static const struct log_step {name}[] = {{{inside}{{LOG_END, 0, NULL}}}};"


def form_lines(forms: list[dict[str, Any]], alsos: list[Pattern], patterns: list[Pattern]) -> Iterator[str]:
    rows = []
    for number, form in enumerate(forms):
        keys = ["name", "kind", "card", "patterns", "also", "set", "source", "example", "gives"]
        checked(f"form '{form.get('name')}'", form, keys, ["card", "also", "set", "example", "gives"])
        if form["kind"] not in KINDS:
            raise Refused(f"form '{form['name']}': there is no kind '{form['kind']}'; there are {', '.join(KINDS)}")
        also = len(alsos)
        for key, to in (("patterns", patterns), ("also", alsos)):
            to += [Pattern(number, steps, key_of(steps)) for steps in map(steps_of, form.get(key, []))]
        constants = [f"{{{NUMBERS.index(slot)}, {value_of(slot if slot in NAMED else 'n', value)}}}" for slot, value in form.get("set", {}).items()]
        yield f"static const struct log_constant set_{number}[] = {{{', '.join(constants + ['{0xff, 0}'])}}};"
        card = quoted(form["card"]) if "card" in form else "NULL"
        rows.append(f"\t{{{quoted(form['name'])}, LOG_KIND_{form['kind'].upper()}, {card}, {also}, {len(alsos)}, set_{number}, {quoted(form['source'])}}},")
    yield "const struct log_form log_forms[] = {"
    yield from rows
    yield "};"


def counter_form(counters: list[dict[str, Any]]) -> dict[str, Any]:
    """Listings of counters, whatever prints them: the name, a colon or a blank, the value."""
    return {"name": "counters", "kind": "counter", "source": "counters.yaml",
            "patterns": [f"{counter['name'].replace('*', '{*}')}{{=}}{{value:d}}" for counter in counters]}


def value_of(kind: str, value: Any) -> str:
    if value is None:
        return "0" if kind in ("side", "hint") else NONE
    if kind == "s":
        return quoted(value)
    if kind == "source":
        return quoted(re.sub(r"\b(" + "|".join(SOURCES) + r")\b(?!:)", lambda found: SOURCES[found.group()], value))
    if kind == "n":
        return str(int(value))
    if kind == "list":
        return "{" + ", ".join([quoted(v) for v in value] + ["NULL"]) + "}"
    if kind in ("side", "hint"):
        return str({"side": SIDES, "hint": HINTS}[kind][value])
    if kind == "confidence":
        return str(CONFIDENCES.index(value))
    if kind == "verb":  # the value and its name
        return f"{value}, {quoted(value)}"
    if kind in ("IBV_WC", "IBV_EVENT"):
        return f"{kind}_{value}, {quoted(f'{kind}_{value}')}"
    prefix = {"syndrome": "SEGUE_CQE_SYNDROME_", "opcode": "SEGUE_OPCODE_", "status": "IBV_WC_"}[kind]
    return prefix + value


def singular(name: str) -> str:
    return "log_" + (name.removesuffix("es") if name.endswith("statuses") else name.removesuffix("s"))


def table_lines(name: str, keys: dict[str, str], entries: list[dict[str, Any]]) -> Iterator[str]:
    yield f"const struct {singular(name)} log_{name}[] = {{"
    for entry in entries:
        checked(f"{name}, '{next(iter(entry.values()))}'", entry, keys, [key for key, kind in keys.items() if kind.endswith("?")])
        yield "\t{" + ", ".join(value_of(kind.removesuffix("?"), entry.get(key)) for key, kind in keys.items()) + "},"
    yield "};"
    yield f"const size_t log_n_{name} = {len(entries)};"


def header() -> Iterator[str]:
    yield "/* Generated from spec/logs: what lines hold, and the records of its lists. */"
    yield "#include <stddef.h>"
    yield "#include <stdint.h>"
    enums = {"number": [*NUMBERS, "numbers"], "text": [*TEXTS.values(), "texts"], "kind": [f"kind_{kind}" for kind in KINDS],
             "side": ["either", *SIDES], "step_op": STEPS}
    for name, members in enums.items():
        yield f"enum log_{name} {{ {', '.join('LOG_' + member.upper() for member in members)} }};"
    yield f"#define LOG_STEP {STEP}"
    for n, flag in enumerate(FLAGS):
        yield f"#define LOG_{flag.upper()} (UINT64_C(1) << {LETTERS - len(FLAGS) + n})"
    for name, keys in TABLES.items():
        if not keys:
            continue
        members = "; ".join(MEMBERS.get(kind, "uint32_t {}").format({"do": "next"}.get(key, key)) for key, kind in keys.items())
        yield f"struct {singular(name)} {{ {members}; }};"
        yield f"extern const struct {singular(name)} log_{name}[];"
        yield f"extern const size_t log_n_{name};"
        if name in KEYS:
            yield f"/* The first entry with this {KEYS[name]}, or NULL. */"
            yield f"static inline const struct {singular(name)} *{singular(name)}_of(uint64_t {KEYS[name]}) {{"
            yield f"\tfor (size_t i = 0; i < log_n_{name}; i++) if ((uint64_t)log_{name}[i].{KEYS[name]} == {KEYS[name]}) return &log_{name}[i];"
            yield "\treturn NULL; }"


def tables(lists: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    alsos: list[Pattern] = []
    patterns: list[Pattern] = []
    forms = lists["forms"] + [counter_form(lists["counters"])]
    yield "/* Generated from spec/logs. */"
    yield '#include "tools/segue/log/tables.h"'
    yield ""
    yield "#include <infiniband/verbs.h>"
    yield ""
    yield '#include "segue/gen/enums.h"'
    yield ""
    yield from form_lines(forms, alsos, patterns)
    patterns = alsos + patterns
    for number, pattern in enumerate(patterns):
        yield steps_line(f"steps_{number}", pattern.steps[1:])
    lists["cards"] = [{**{k: v for k, v in card.items() if k != "names"}, "name": name} for card in lists["cards"] for name in card["names"]]
    lists["verbs"] = [{"of": verb["of"], "verb": f"{verb['prefix']}_{name}"} for verb in lists["verbs"] for name in verb["names"]]
    machine = Machine([pattern.key for pattern in patterns] + [card["name"] for card in lists["cards"]])
    yield "const struct log_pattern log_patterns[] = {"
    for number, pattern in enumerate(patterns):
        first = pattern.steps[0].literal.lower()
        length = len(pattern.key) if first.startswith(pattern.key) else 0
        yield f"\t{{{pattern.form}, {length}, {quoted(first)}, steps_{number}, {machine.bits(pattern):#x}}},"
    yield "};"
    yield f"const size_t log_n_alsos = {len(alsos)}, log_n_patterns = {len(patterns)};"
    yield from machine.lines()
    for name, keys in TABLES.items():
        if keys:
            yield from table_lines(name, keys, lists[name])


def main(arguments: list[str]) -> Optional[str]:
    lists: dict[str, list[dict[str, Any]]] = {}
    for path in arguments[2:]:
        with open(path, encoding="utf-8") as file:
            lists.update(yaml.safe_load(file))
    try:
        unknown = sorted(set(lists) ^ set(TABLES))
        if unknown:
            raise Refused(f"the list '{unknown[0]}' is {'unknown' if unknown[0] in lists else 'missing'}")
        outputs = [list(header()), list(tables(lists))]
    except (Refused, KeyError) as refused:
        return f"spec/logs: {refused}"
    for path, lines in zip(arguments, outputs):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
