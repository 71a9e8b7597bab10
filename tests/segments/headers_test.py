# SPDX-License-Identifier: BSD-2-Clause
"""Each public header compiles alone: C11 and C++17, gcc and clang, checked and not, every warning an error.

    headers_test.py FOLDER...
    headers_test.py --cross TARGET FOLDER...    with TARGET's gcc, not checked; the last folder holds headers of the system
"""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COMPILERS = [
    ["gcc", "-std=c11"],
    ["clang", "-std=c11"],
    ["g++", "-std=c++17", "-Wold-style-cast"],
    ["clang++", "-std=c++17", "-Wold-style-cast"],
]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wcast-align", "-Winvalid-pch", "-Werror"]
# segue/freestanding.h is for programs that declare functions otherwise: tests/freestanding
# segue/gpu/slots.h is for devices other than mlx5 (tests/gpu:slots_test), segue/gpu/turns.h for the two headers that include it
GOES_WITH_OTHERS = ["segue/freestanding.h", "segue/detail/begin.h", "segue/detail/end.h", "segue/gpu/slots.h", "segue/gpu/turns.h"]
LARGE = ["segue/cq.h", "segue/gen/put.h"]  # most of what others take that include them


def headers(folders: list[str]) -> list[str]:
    found = set()
    for folder in folders:
        for path, _, files in os.walk(folder, followlinks=True):
            for file in files:
                if file.endswith(".h"):
                    found.add(os.path.relpath(os.path.join(path, file), folder))
    return sorted(found)


def closures(texts: dict[str, str]) -> dict[str, set[str]]:
    """Each header with all that it includes."""
    found: dict[str, set[str]] = {}

    def closure(name: str) -> set[str]:
        if name not in found:
            found[name] = {name}
            found[name] = {name}.union(*(closure(n) for n in re.findall(r'^ *# *include "(.*)"', texts[name], re.MULTILINE) if n in texts))
        return found[name]

    return {name: closure(name) for name in texts}


def includes_first(text: str) -> bool:
    """Whether nothing but comments and directives stands before its last #include."""
    before = text[: max(m.start() for m in re.finditer(r"^ *# *include", text, re.MULTILINE))]
    return not re.sub(r"/\*.*?\*/|//[^\n]*|^ *#([^\n]*\\\n)*[^\n]*", "", before, flags=re.DOTALL | re.MULTILINE).strip()


class Compiler:
    """One compiler in one language, checked or not."""

    def __init__(self, command: list[str], checked: int, folders: list[str], scratch: str) -> None:
        self.what = f"{' '.join(command)}, SEGUE_CHECKED={checked}"
        self.command = [*command, *WARNINGS, *[f"-I{folder}" for folder in folders], f"-DSEGUE_CHECKED={checked}"]
        self.language = "c++" if "++" in command[0] else "c"
        self.folder = Path(scratch, f"{command[0]}_{checked}")

    def run(self, *more: str) -> str:
        """Empty, or what the compiler says."""
        result = subprocess.run([*self.command, *more], capture_output=True, text=True)
        return "" if result.returncode == 0 else result.stderr or "it fails"

    def large(self, header: str) -> Path:
        return self.folder / Path(header).name

    def prepare(self) -> str:
        """Compiles the large headers once for those that begin with one of them."""
        self.folder.mkdir()
        said = ""
        for header in LARGE:
            self.large(header).write_text(f'#include "{header}"\n')
            said += self.run("-x", f"{self.language}-header", str(self.large(header)), "-o", f"{self.large(header)}.gch")
        return said

    def source_of(self, header: str) -> Path:
        """Twice: the guard must work too."""
        file = self.folder / f"{header.replace('/', '_')}.{self.language}"
        file.write_text(f'#include "{header}"\n#include "{header}"\nextern int no_empty_translation_unit;\n')
        return file

    def use(self, behind: str | None) -> list[str]:
        if not behind:
            return []
        return ["-include-pch", f"{self.large(behind)}.gch"] if self.command[0].startswith("clang") else ["-include", str(self.large(behind))]

    def alone(self, headers: list[str], behind: str | None) -> list[str]:
        """Each as a file of its own, with the compiler started once for all if it can be; where it says anything, once for each, to tell which
        it is."""
        files = [str(self.source_of(header)) for header in headers]
        options = [*self.use(behind), "-fsyntax-only", "-x", self.language]
        result = subprocess.run(self.for_many(options, files), capture_output=True, text=True)
        if result.returncode == 0 and not result.stderr:
            return []
        said = {header: self.run(*options, file) for header, file in zip(headers, files)}
        if not any(said.values()):
            return [f"{', '.join(headers)}, {self.what}, together:\n{result.stderr or 'it fails'}"]
        return [f"{header}, {self.what}:\n{text}" for header, text in said.items() if text]

    def for_many(self, options: list[str], files: list[str]) -> list[str]:
        """What compiles several files. clang's driver would start the compiler proper anew for each, clang-check is clang as one process for all."""
        if not self.command[0].startswith("clang"):
            return [*self.command, *options, *files]
        return ["clang-check", *files, "--", *self.command[1:], *options]


def refusal_of_32_bits(folders: list[str]) -> str:
    """Empty, or what a compiler for a 32-bit target says in place of one sentence. Such a C library need not be installed."""
    command = ["gcc", "-m32", "-ffreestanding"] + [f"-I{folder}" for folder in folders] + ["-fsyntax-only", "-xc", "-"]
    result = subprocess.run(command, input='#include "segue/detail/compiler.h"\n', capture_output=True, text=True)
    return "" if result.returncode and "Segue is for 64-bit targets" in result.stderr else f"-m32: {result.stderr}"


def refusal_of_old_languages(folders: list[str]) -> list[str]:
    """What compilers say of an older C or C++ before the one sentence, or in its place."""
    found = []
    for compiler, language in (("gcc", "c99"), ("gcc", "gnu90"), ("clang", "gnu99"), ("g++", "gnu++98"), ("clang++", "c++98")):
        of = "c++" if "++" in compiler else "c"
        command = [compiler, f"-std={language}", *(f"-I{folder}" for folder in folders), "-fsyntax-only", f"-x{of}", "-"]
        result = subprocess.run(command, input='#include "segue/qp.h"\n', capture_output=True, text=True)
        first = next((line for line in result.stderr.splitlines() if " error: " in line), "nothing")
        if not result.returncode or "Segue's headers want C11 or later" not in first:
            found.append(f"{compiler} -std={language}: {first}")
    return found


def older_cpp(names: list[str], folders: list[str]) -> list[str]:
    """Headers and a chain of steps in C++11 and C++14, which programs are still built in."""
    unit = "".join(f'#include "{name}"\n' for name in names) + """
int post(struct segue_rc_sq *sq)
{
	return segue_post(segue_sge(segue_raddr(segue_rdma_write(sq, 1, SEGUE_SIGNALED), 2, 3), 4, 5, 6));
}
"""
    failures = []
    for compiler, language in (("g++", "c++11"), ("clang++", "c++11"), ("g++", "c++14")):
        command = [compiler, f"-std={language}", *WARNINGS, *(f"-I{folder}" for folder in folders), "-fsyntax-only", "-xc++", "-"]
        result = subprocess.run(command, input=unit, capture_output=True, text=True)
        failures += [f"{compiler} -std={language}:\n{result.stderr[:2000]}"] if result.returncode else []
    return failures


def text_of(name: str, folders: list[str]) -> str:
    return next(Path(f, name).read_text() for f in folders if Path(f, name).exists())


def literally_inline(names: list[str], folders: list[str]) -> list[str]:
    """Functions that a program cannot declare otherwise, as they do not say SEGUE_FUNCTION."""
    found = []
    for name in names:
        code = re.sub(r"/\*.*?\*/", "", text_of(name, folders), flags=re.DOTALL)
        if name != "segue/detail/declaration.h" and (lines := re.findall(r"^.*\binline\b(?!\().*$", code, re.MULTILINE)):
            found.append(f"{name}: {len(lines)} functions say `inline` in place of SEGUE_FUNCTION: {lines[0]}")
    return found


def declared_otherwise(names: list[str], folders: list[str]) -> list[str]:
    """A program that declares functions of headers otherwise: nothing of it is inline then."""
    unit = "#define SEGUE_FUNCTION __attribute__((unused)) static\n#define inline no_function_says_so\n"
    include = [f"-I{folder}" for folder in folders]
    unit += "".join(f'#include "{name}"\n' for name in names if name.startswith("segue/gen/"))
    failures = []
    for command in COMPILERS:
        language = "c++" if "++" in command[0] else "c"
        standard = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n"
        result = subprocess.run([*command, *include, "-fsyntax-only", "-x", language, "-"], input=standard + unit,
                                capture_output=True, text=True)
        failures += [f"SEGUE_FUNCTION by the program, {command[0]}:\n{result.stderr}"] if result.returncode else []
    return failures


Job = tuple[Compiler, list[str], "str | None"]


def jobs_of(names: list[str], folders: list[str], compilers: list[Compiler]) -> list[Job]:
    """What is to be compiled, and behind which large header. One that includes a large one before its own first word reads the same behind
    it; and where nothing asks for SEGUE_CHECKED, both compilations would be the same."""
    texts = {name: text_of(name, folders) for name in names}
    jobs: dict[tuple[int, str | None], list[str]] = {}
    for name, closure in closures(texts).items():
        before = next((large for large in LARGE if large in closure and includes_first(texts[name])), None)
        behind = name if name in LARGE else before
        either = any("SEGUE_CHECKED" in texts[n] for n in closure)
        for number, compiler in enumerate(compilers):
            if either or compiler.what.endswith("0"):
                jobs.setdefault((number, behind), []).append(name)
    return [(compilers[number], headers, behind) for (number, behind), headers in jobs.items()]


def compilers_of(target: str, folders: list[str], scratch: str) -> list[Compiler]:
    if not target:
        return [Compiler(command, checked, folders, scratch) for command in COMPILERS for checked in (0, 1)]
    system = ["-isystem", folders.pop()]
    return [Compiler([f"{target}-{command[0]}", *command[1:], *system], 0, folders, scratch) for command in COMPILERS if command[0].startswith("g")]


def main(folders: list[str]) -> int:
    target = folders[1] if folders[:1] == ["--cross"] else ""
    folders = folders[2:] if target else folders
    names = [name for name in headers(folders[:-1] if target else folders) if name not in GOES_WITH_OTHERS]
    if not names:
        print(f"no headers in {folders}")
        return 1
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        compilers = compilers_of(target, folders, scratch)
        failures = [f"{c.what}: {text}" for c, text in zip(compilers, pool.map(Compiler.prepare, compilers)) if text]
        jobs = jobs_of(names, folders, compilers)
        failures += [text for texts in pool.map(lambda job: job[0].alone(*job[1:]), jobs) for text in texts]
    if not target:
        failures += [*filter(None, [refusal_of_32_bits(folders)]), *refusal_of_old_languages(folders)]
        failures += literally_inline(names, folders) + declared_otherwise(names, folders) + older_cpp(names, folders)
    print("\n".join(failures))
    print(f"{len(names)} headers, {sum(len(j[1]) for j in jobs)} compilations, {sum(len(j[1]) for j in jobs if j[2])} of them behind large ones, "
          f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
