# SPDX-License-Identifier: BSD-2-Clause
"""Every public function says what it does, and every header who owns, which thread, how it fails, and by what source."""

from __future__ import annotations

import re
import sys
import unittest
from pathlib import Path

from tools.man.headers import COMMENT, LABELS, Function, first_comment, functions

FAILS = re.compile(r"\b[Rr]eturns\b|[Cc]annot fail|\b0[ ,;]|-E[A-Z]+|negative errno|\btrue\b|\bfalse\b")
# Numbers without a unit: what they count must be said in words.
UNITS = re.compile(
    r"bytes|bits|blocks|entries|pieces|receives|buffers|completions|seconds|number|index|count|size|length|port|value|"
    r"state|flags|mask|enum|key|offset|WQE|first|type|limit|fd|descriptor",
    re.IGNORECASE,
)
INTEGERS = re.compile(r"\b(?:u?int\d*_t|size_t|int|unsigned int)\s+\w+")


def offences(function: Function, header_comment: str) -> list[str]:
    where = f"{function.header}: {function.name}()"
    text = " ".join(function.comment.replace("*", " ").split())
    if not function.comment.startswith("/**"):
        return [f"{where} has no doc comment of its own (/** … */ right above it)"]
    wrong = []
    if f"{function.name}()" not in text:
        wrong.append(f"{where}: the comment does not name it")
    returns = re.sub(r"\b(static|inline|SEGUE_\w+)\b", "", function.returns).strip()
    if returns == "int" and not FAILS.search(text):
        wrong.append(f"{where}: the comment does not say what it returns, or that it cannot fail")
    if INTEGERS.search(function.parameters) and not UNITS.search(text):
        wrong.append(f"{where}: the comment does not say what its numbers count")
    return wrong


COUNT = re.compile(r"[Rr]eturns (?:how many|the number of|as segue_cq_poll_each)|returns the number|is the time left|returns a descriptor")
TRUTH = re.compile(r"[Rr]eturns[^.;]*\b1\b (?:if|when)|[Rr]eturns 1\b|; 0 if that is not known")
SECOND = re.compile(r"(?:\*\*\s*|\b(?:bool|u?int\d+_t|size_t|int) \*)\w+$")


def mixed(function: Function) -> list[str]:
    """A function returns 0 or a negative errno, or a count or a negative errno; what else it has to say it says through its last parameters."""
    where = f"{function.header}: {function.name}()"
    text = " ".join(function.comment.replace("*", " ").split())
    returns = re.sub(r"\b(static|inline|SEGUE_\w+)\b", "", function.returns).strip()
    wrong = []
    if returns == "int" and TRUTH.search(text) and not COUNT.search(text):
        wrong.append(f"{where}: returns a truth beside 0 and errnos; let it set a bool, last")
    parameters = [p.strip() for p in function.parameters.split(",")]
    outs = [bool(SECOND.search(p)) and not p.startswith("const ") for p in parameters]
    if any(outs) and not all(outs[outs.index(True) :]):
        wrong.append(f"{where}: what it sets is not last among its parameters")
    return wrong


def check(header: str, text: str) -> list[str]:
    declared = functions(header, text)
    if not declared:
        return []
    first = first_comment(text)
    wrong = [f"{header}: its first comment has no line '{label} …'" for label in LABELS if label not in first]
    for function in declared:
        wrong += offences(function, first) + mixed(function)
    return wrong


class Headers(unittest.TestCase):
    def test_public_functions_are_documented(self) -> None:
        headers = sorted(Path("include/segue").rglob("*.h"))
        self.assertGreater(len(headers), 20)
        texts = {str(h): h.read_text(encoding="utf-8") for h in headers}
        self.assertGreater(sum(len(functions(n, t)) for n, t in texts.items()), 100)
        self.assertEqual([], [o for name, text in texts.items() for o in check(name, text)])

    def test_every_capability_has_a_producer(self) -> None:
        header = Path("include/segue/device.h").read_text(encoding="utf-8")
        body = header[header.index("struct segue_caps {") :]
        body = COMMENT.sub("", body[body.index("{") + 1 : body.index("};")])
        fields = {name.strip() for line in body.split(";") if line.strip() for name in line.split(None, 1)[1].split(",")}
        self.assertGreater(len(fields), 50)
        code = "".join(p.read_text(encoding="utf-8") for p in Path("runtime/object/device").glob("device*.c"))
        made = set(re.findall(r"caps->(\w+)\s*=[^=]", code)) | set(re.findall(r"&caps->(\w+)\)", code))
        self.assertEqual(set(), fields - made, "in struct segue_caps, but set nowhere in runtime/object/device/device*.c")

    def test_finds_what_is_missing(self) -> None:
        good = (
            "/* SPDX */\n/*\n * Things.\n *\n * Owner: a. Threads: b. Errors: c. Source: d.\n */\n\n"
            "/** segue_a() returns the number of bytes. */\nint segue_a(int bytes);\n"
        )
        self.assertEqual([], check("x.h", good))
        for old, new, text in (
            ("/** segue_a() ", "/* segue_a() ", "no doc comment"),
            ("segue_a() returns", "It returns", "does not name it"),
            ("returns the number of bytes", "is the number of bytes", "what it returns"),
            ("the number of bytes", "something", "what its numbers count"),
            ("returns the number of bytes", "returns 0, 1 if it had no bytes, or a negative errno", "a truth beside"),
            ("int bytes", "bool *out, int bytes", "is not last"),
            ("Threads: ", "", "'Threads: …'"),
            ("Owner: ", "", "'Owner: …'"),
        ):
            found = check("x.h", good.replace(old, new))
            self.assertEqual(1, len(found), (new, found))
            self.assertIn(text, found[0])


if __name__ == "__main__":
    unittest.main()
