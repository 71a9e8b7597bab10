# SPDX-License-Identifier: BSD-2-Clause
"""Compiles every case of this folder, wrong and right, with every compiler, and compares what they say.

    check.py --include DIR [--include DIR …] [--show CASE] [FILE.c …]

See README.md for the form of a case.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).absolute().parent
FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
EXPECTATION = re.compile(r"^// expect-(\w+): (.*)$", re.MULTILINE)
CASE = re.compile(r"^int (\w+)\(void\)\n.*?^}\n", re.MULTILINE | re.DOTALL)

FORMS = {
    "refused": r"(?P<step>\w+) in (?P<given>.+)",
    "argument": r"(?P<step>\w+), (?P<given>.+), (?P<wanted>.+)",
    "piece": r"(?P<step>\w+), (?P<given>.+), (?P<wanted>.+)",
    "state": r"(?P<step>\w+), (?P<given>.+), (?P<wanted>.+)",
    "count": r"(?P<step>\w+), (?P<wanted>\d+), (?P<given>\d+)",
    "unused": r"(?P<step>\w+) of (?P<given>.+)",
    "ignored": r"(?P<step>\w+)",
    "assigned": r"(?P<given>.+) to (?P<wanted>.+)",
    "member": r"(?P<given>.+) has no (?P<wanted>\w+)",
    "undeclared": r"(?P<step>\w+)",
    "said": r"(?P<wanted>.+)",
    "throws": r"(?P<given>.+) to (?P<step>\w+)",
}

# What a compiler says: per expectation and kind of compiler, alternatives; each is a list of patterns that must all
# occur in the first error and its notes. {step}, {given}, {wanted} come from the case; {held} is what is given, or what
# it points to, {short} the step without its prefix, as it ends the names of the functions behind the macros. '@' at the start of a pattern: on the first line.
SAYS = {
    "refused": {
        "gcc": [
            ["@'{held}' has no member named '{step}'"],
            # A queue where a state is wanted, or the other way round.
            ["@(is a pointer; did you|'{step}' in something not a structure|invalid type)", "expansion of macro '{step}'"],
        ],
        "clang": [
            ["@no member named '{step}' in '{held}'"],
            ["@member reference (base )?type '{given}' is (a|not a) ", "from macro '{step}'"],
            ["@indirection requires pointer operand \\('{given}' invalid\\)", "from macro '{step}'"],
        ],
        "g++": [
            ["@static assertion failed: {next}", "'seguei_no_{short}::.* \\[with State = {given}\\]"],
        ],
        "clang++": [
            ["@static_assert failed .*{next}", "in instantiation of function template specialization 'seguei_no_{short}::.*<{given}>'"],
        ],
    },
    "argument": {
        "gcc": [
            [
                "@passing argument \\d of 'seguei_\\w+_{short}' (from|makes)",
                "expected '{wanted}'.* but argument is of type '{given}'",
            ]
        ],
        "clang": [["@(passing|conversion passing) '{given}' to parameter of type '{wanted}'"]],
        # The right types are named; a compiler that names the wrong one does so once for each of some hundred functions.
        "g++": [["@static assertion failed: {step}\\(\\.\\.\\., .*{wanted}.*\\): an argument is missing, too many or of another type"]],
        "clang++": [["@static_assert failed .*{step}\\(\\.\\.\\., .*{wanted}.*\\): an argument is missing, too many or of another type"]],
    },
    # A step that takes a buffer binds it first.
    "piece": {
        "gcc": [["@incompatible type for argument 1 of 'seguei_bind_{short}'", "expected '{wanted}' but argument is of type '{given}'"]],
        "clang": [["@passing 'const {given}' to parameter of incompatible type '{wanted}'", "from macro '{step}'"]],
        "g++": [["@could not convert .* from 'const {given}' to '{wanted}'", "macro '{step}'"]],
        "clang++": [["@no matching function for call to 'seguei_bind_{short}'", "no known conversion from 'const {given}' to '{wanted}'"]],
    },
    # A function of its own, no macro, that takes one state.
    "state": {
        "gcc": [["@incompatible type for argument 1 of '{step}'", "expected '{wanted}' but argument is of type '{given}'"]],
        "clang": [["@passing '{given}' to parameter of incompatible type '{wanted}'"]],
        "g++": [["@could not convert .* from '{given}' to '{wanted}'"]],
        "clang++": [["@no matching function for call to '{step}'", "no known conversion from '{given}' to '{wanted}'"]],
    },
    "count": {
        "gcc": [["@too (few|many) arguments to function 'seguei_\\w+_{short}(_\\w+)?'"]],
        "clang": [["@too (few|many) arguments to function call, .*{wanted}, have {given}", "from macro '{step}'"]],
        "g++": [["@static assertion failed: {behind}"]],
        "clang++": [["@static_assert failed .*{behind}"]],
    },
    "unused": {
        "gcc": [["@value computed is not used", "in expansion of macro '{step}'"]],
        "clang": [["@ignoring return value of .* declared with 'warn_unused_result'", "from macro '{step}'"]],
        "g++": [
            ["@ignoring return value of '{given} {step}\\(.*declared with attribute 'nodiscard'"],
            ["@ignoring return value of 'To {step}\\(.* To = {given}[;\\]].*declared with attribute 'nodiscard'"],
        ],
        "clang++": [["@ignoring return value of .* declared with 'nodiscard'", "^\\s+{step}\\("]],
    },
    # A function of its own, no macro: the same with all compilers.
    "ignored": {compiler: [["@ignoring return value of", "^[ |\\d]*\\s{step}\\("]] for compiler in ("gcc", "clang", "g++", "clang++")},
    "assigned": {
        "gcc": [["@incompatible types when assigning to type '{wanted}' from type '{given}'"]],
        "clang": [["@assigning to '{wanted}' from incompatible type '{given}'"]],
        "g++": [["@no match for 'operator=' \\(operand types are '{wanted}' and '{given}'\\)"]],
        "clang++": [["@no viable overloaded '='", "no known conversion from '{given}' to 'const {wanted}'"]],
    },
    "member": {
        "gcc": [["@'{given}' has no member named '{wanted}'"]],
        "clang": [["@no member named '{wanted}' in '{given}'"]],
        "g++": [["@'{given}' has no member named '{wanted}'"]],
        "clang++": [["@no member named '{wanted}' in '{given}'"]],
    },
    "undeclared": {
        "gcc": [["@implicit declaration of function '{step}'"]],
        "clang": [["@implicit declaration of function '{step}'"]],
        "g++": [["@'{step}' was not declared in this scope"]],
        "clang++": [["@use of undeclared identifier '{step}'"]],
    },
    "said": {compiler: [["@error: {wanted}$"]] for compiler in ("gcc", "clang", "g++", "clang++")},
    # C has no exceptions, and its compilers are not asked.
    "throws": {
        "g++": [["@invalid conversion from '.*' to '.* noexcept'", "{given}"]],
        "clang++": [["@(no matching function for call to|cannot initialize a parameter of type).*{step}", "noexcept"]],
    },
}

# How many errors one mistake makes, whatever stands around it: one. clang says twice that a queue is no state.
MOST_ERRORS = {
    "refused": {"clang": 2},
    "state": {"gcc": 2},
    "undeclared": {"gcc": 2, "clang": 2},
}

# At most so many lines, the program's own among them, where a step is right and what stands behind it is wrong.
MOST_LINES = {("argument", "g++"): 8, ("argument", "clang++"): 8, ("count", "g++"): 8, ("count", "clang++"): 8}

DROPPED = ("unused", "ignored")  # what gcc looks for where nothing else is wrong


def pattern_of(text: str) -> str:
    """A type as a pattern that meets every compiler's way of writing it."""
    out = re.escape(text)
    out = out.replace(r"struct\ ", r"(?:struct )?")
    return out.replace(r"\ \*", r" ?\*(?:const)?").replace(r"uint64_t", r"uint64_t(?:' \{aka 'long unsigned int)?")


def next_of(step: str, given: str) -> str:
    """What C++ says of a step that is refused: what comes next, by the name of the state."""
    state = re.search(r"_(?:wants|may_take)_(\w+?)(?:_after_\w+)?$", given)
    steps = state[1].split("_or_") if state else ["(post|commit)"] if given.endswith("_complete") else []
    said = "not this step: what comes next is " + "".join(rf"(?=.*segue_{s}\(\))" for s in steps)
    if not steps:
        said = "not this step: what comes first is a request of this queue|the first argument is neither"
    return rf"({said}|{step}\(\) takes a queue that has it)"


def behind(step: str, count: str) -> str:
    """What C++ says of a step with too few arguments or too many."""
    if count == "1":
        return rf"{step}\(\.\.\.\) takes one argument, and no more"
    return rf"{step}\(\.\.\.(, [^,)]+){{{int(count) - 1}}}\): an argument is missing"


@dataclass
class Case:
    path: Path  # with nothing else in it
    kind: str
    words: dict[str, str]
    wrong_lines: range

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def wrong(self) -> str:
        """The option that compiles the wrong half."""
        return f"-D{self.name.upper()}"

    @classmethod
    def read(cls, path: Path) -> "Case":
        text = path.read_text()
        found = EXPECTATION.findall(text)
        if len(found) != 1:
            raise SystemExit(f"{path.stem}: {len(found)} expect- lines, expected one")
        kind, rest = found[0]
        match = re.fullmatch(FORMS[kind], rest) if kind in FORMS else None
        if not match:
            raise SystemExit(f"{path.stem}: 'expect-{kind}: {rest}' is none of the forms in README.md")
        lines = text.split("\n")
        macro = f"#ifdef {path.stem.upper()}"
        if lines.count(macro) != 1 or lines.count("#else") != 1:
            raise SystemExit(f"{path.stem}: expected one {macro} with an #else")
        return cls(path, kind, match.groupdict(), range(lines.index(macro) + 2, lines.index("#else") + 1))


def cases_of(file: Path, folder: Path) -> list[Case]:
    """Those of a file, each in a file of its own in the folder, which compilers name in their errors."""
    text, begin, found = file.read_text(), 0, []
    for match in CASE.finditer(text):
        path = folder / f"{match[1]}.c"
        if path.exists():
            raise SystemExit(f"{file.name}: there is another case {match[1]}")
        path.write_text(text[begin : match.end()])
        found.append(Case.read(path))
        begin = match.end()
    if text[begin:].strip():
        raise SystemExit(f"{file.name}: behind the last case there is something that is none")
    return found


@dataclass
class Compiler:
    """One compiler in one language, with case.h precompiled."""

    name: str
    include: list[str]
    folder: Path

    @property
    def is_cxx(self) -> bool:
        return self.name.endswith("++")

    @property
    def is_clang(self) -> bool:
        return self.name.startswith("clang")

    def command(self, *more: str) -> list[str]:
        # With -flto gcc leaves the generation of code, in which it finds nothing, to a linker.
        quiet = ["-fno-color-diagnostics"] if self.is_clang else ["-fdiagnostics-color=never", "-flto"]
        standard = "-std=c++17" if self.is_cxx else "-std=c11"
        return [f"/usr/bin/{self.name}", standard, *FLAGS, *quiet, *[f"-I{i}" for i in self.include], *more]

    def run(self, *more: str) -> subprocess.CompletedProcess:
        environment = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
        return subprocess.run(self.command(*more), env=environment, capture_output=True, text=True, check=False)

    def prepare(self) -> None:
        """Compiles case.h once."""
        self.folder.mkdir()
        header = self.folder / "case.h"
        header.write_text((HERE / "case.h").read_text())
        kind = "c++-header" if self.is_cxx else "c-header"
        result = self.run("-x", kind, str(header), "-o", f"{header}.{'pch' if self.is_clang else 'gch'}")
        if result.returncode:
            raise SystemExit(f"{self.name}: case.h does not compile\n{result.stderr}")

    def compile(self, source: Path, *more: str) -> subprocess.CompletedProcess:
        header = self.folder / "case.h"
        use = ["-include-pch", f"{header}.pch"] if self.is_clang else ["-include", str(header)]
        # gcc finds a dropped result only on its way to code.
        output = ["-fsyntax-only"] if self.is_clang else ["-S", "-o", "/dev/null"]
        return self.run("-x", "c++" if self.is_cxx else "c", *use, *output, *more, str(source))


def errors_of(output: str) -> list[str]:
    """Each error with what leads to it and its notes."""
    lines = output.split("\n")
    starts = []
    for number, line in enumerate(lines):
        if re.search(r": (?:fatal )?error: ", line):
            while number and re.match(r"In file included from |\s+from |.*: (In|At) |.*:\s+required from ", lines[number - 1]):
                number -= 1
            starts.append(number)
    ends = [*starts[1:], len(lines)]
    return ["\n".join(lines[start:end]) for start, end in zip([0, *starts[1:]], ends)]


def judge(case: Case, compiler: Compiler) -> str:
    """Why the wrong half of a case does not fail as it should, or nothing."""
    if compiler.name not in SAYS[case.kind]:
        return ""
    result = compiler.compile(case.path, case.wrong)
    if result.returncode == 0:
        return "compiles, but should not"
    return judge_errors(case, compiler, errors_of(result.stderr) or [result.stderr])


def judge_errors(case: Case, compiler: Compiler, errors: list[str]) -> str:
    """The same, of errors that are there."""
    error = errors[0]
    headline = next((line for line in error.split("\n") if ": error: " in line), "")
    lines = {int(n) for n in re.findall(rf"{re.escape(case.path.name)}:(\d+):", error)}
    if not lines & set(case.wrong_lines):
        return f"fails outside of its wrong half\n{error}"
    words = {key: pattern_of(value) for key, value in case.words.items()}
    words["held"] = pattern_of(case.words.get("given", "").removesuffix(" *"))
    words["next"] = next_of(case.words.get("step", ""), case.words.get("given", ""))
    words["behind"] = behind(case.words["step"], case.words["wanted"]) if case.kind == "count" else ""
    words["short"] = case.words.get("step", "").removeprefix("segue_")
    for alternative in SAYS[case.kind][compiler.name]:
        if all(
            re.search(p.removeprefix("@").format(**words), headline if p.startswith("@") else error, re.MULTILINE)
            for p in alternative
        ):
            most = MOST_ERRORS.get(case.kind, {}).get(compiler.name, 1)
            lines = len([line for line in error.strip().split("\n") if not re.search(r"^(compilation terminated|\d+ errors? generated|cc1plus: )", line)])
            if lines > MOST_LINES.get((case.kind, compiler.name), lines):
                return f"{lines} lines for one mistake\n{error}"
            return "{} errors for one mistake\n{}".format(len(errors), "\n".join(errors)) if len(errors) > most else ""
    return f"fails for another reason than expected\n{error}"


def unit_of(cases: list[Case], path: Path) -> Path:
    """All of them in one file."""
    path.write_text("".join(f'#include "{c.path}"\n' for c in cases))
    return path


def groups_of(cases: list[Case]) -> list[list[Case]]:
    """Cases that expect different mistakes, so that none hides another: a compiler says once that a function is undeclared, or that a state
    has no such step. gcc looks for dropped results only where nothing else is wrong."""
    groups: list[list[Case]] = []
    for case in cases:
        for group in groups:
            if (group[0].kind in DROPPED) == (case.kind in DROPPED) and all((c.kind, c.words) != (case.kind, case.words) for c in group):
                group.append(case)
                break
        else:
            groups.append([case])
    return groups


def errors_together(group: list[Case], compiler: Compiler, name: str) -> dict[str, list[str]]:
    """The errors of each of the wrong halves, compiled at once; one of which it is not clear whose it is, is everybody's, and empty."""
    unit = unit_of(group, compiler.folder / f"{name}.c")
    found: dict[str, list[str]] = {c.name: [] for c in group}
    no_limit = ["-ferror-limit=0"] if compiler.is_clang else []
    for error in errors_of(compiler.compile(unit, *(c.wrong for c in group), *no_limit).stderr):
        names = {c.name for c in group if f"/{c.path.name}:" in error}
        for name in names or found:
            found[name].append(error if len(names) == 1 else "")
    return found


def judge_together(number: int, group: list[Case], compiler: Compiler) -> dict[str, str]:
    """The wrong halves at once, and once more in the opposite order: what the errors of those in front hide, is in front then. A case that is
    in doubt is judged alone."""
    orders = [errors_together(order, compiler, f"wrong_{number}_{i}") for i, order in enumerate((group, group[::-1]))]
    faults = {}
    for case in group:
        both = [found[case.name] for found in orders]
        clear = all(errors and all(errors) and not judge_errors(case, compiler, errors) for errors in both)
        faults[case.name] = "" if clear else judge(case, compiler)
    return faults


def twins(cases: list[Case], compiler: Compiler) -> str:
    """Why the right halves do not compile, or nothing."""
    result = compiler.compile(unit_of(cases, compiler.folder / "twins.c"))
    return f"the right halves do not compile\n{result.stderr}" if result.returncode else ""


def shorten(text: str) -> str:
    lines = text.split("\n")
    return "\n".join("    " + line for line in lines[:25]) + ("\n    …" if len(lines) > 25 else "")


def compilers_in(folder: Path, include: list[str], pool: concurrent.futures.Executor) -> list[Compiler]:
    compilers = [Compiler(name, include, folder / name) for name in ("gcc", "clang", "g++", "clang++")]
    list(pool.map(Compiler.prepare, compilers))
    return compilers


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--include", action="append", default=[], help="folder with headers")
    parser.add_argument("--show", metavar="CASE", help="print what the compilers say about one case")
    parser.add_argument("--least", type=int, default=0, help="fail if there are fewer cases")
    parser.add_argument("files", nargs="*", type=Path, help="default: all beside this program")
    options = parser.parse_args(argv)
    include = [str(Path(i).resolve()) for i in options.include]
    least = max(options.least, 1)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        apart = Path(folder, "cases")
        apart.mkdir()
        cases = [case for file in sorted(options.files or HERE.glob("*.c")) for case in cases_of(file, apart)]
        if options.show:
            cases, least = [c for c in cases if c.name == options.show], 1
        if len(cases) < least:
            print(f"{len(cases)} cases, expected at least {least}")
            return 1
        compilers = compilers_in(Path(folder), include, pool)
        if options.show:
            for compiler in compilers:
                print(f"--- {compiler.name}\n{compiler.compile(cases[0].path, cases[0].wrong).stderr}")
            return 0
        together = [(k, pool.submit(judge_together, n, g, k)) for k in compilers for n, g in enumerate(groups_of(cases))]
        twin = [(k, pool.submit(twins, cases, k)) for k in compilers]
        judged = {(case, k.name): fault for k, job in together for case, fault in job.result().items()}
        judged |= {("twins", k.name): job.result() for k, job in twin}
    faults = {key: fault for key, fault in judged.items() if fault}
    for (name, compiler), fault in faults.items():
        print(f"{name}: {compiler}: {shorten(fault).lstrip()}")
    print(f"{len(cases)} cases x {len(compilers)} compilers, {len(faults)} failures")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
