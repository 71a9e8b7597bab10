# SPDX-License-Identifier: BSD-2-Clause
"""Finds the bad specs: each is a file or a folder, says what is expected of it, and is loaded with the base set.

Lines that begin with `# expect: ` are the errors, as `LINE: TEXT`, or `FILE:LINE: TEXT` where they belong to another
file (relative to this one). `# base: NAMES` loads these files of the base set only, `# without: NAMES` all but these.
A file that cannot hold comments has them in a .expect file beside it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
from dataclasses import dataclass, field
from unittest import mock

import codegen.model.build
import codegen.main
from codegen.load.load import Document, Node

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BASE = "tests/codegen/base"
BAD = "tests/codegen/bad"
EXPECT = re.compile(r"(?:# expect: )?(?:([^ :]+\.yaml):)?([0-9]+): (.*)")


@dataclass
class Case:
    name: str
    files: list[str]  # the bad ones
    base: list[str]
    errors: list[tuple[str, int, str]] = field(default_factory=list)


def base_files() -> list[str]:
    return sorted(f"{BASE}/{name}" for name in os.listdir(BASE) if name.endswith(".yaml"))


def write_specs(folder: str, texts: dict[str, str]) -> list[str]:
    """The files of a user, by name and text, for a folder of his own."""
    files = []
    for name, text in texts.items():
        files.append(os.path.join(folder, f"{name}.yaml"))
        with open(files[-1], "w", encoding="utf-8") as stream:
            stream.write("# SPDX-License-Identifier: BSD-2-Clause\n" + text)
    return files


def find_cases() -> list[Case]:
    names = sorted({os.path.splitext(name)[0] for name in os.listdir(BAD)})
    return [read_case(name) for name in names]


def read_case(name: str) -> Case:
    folder = f"{BAD}/{name}"
    files = [f"{folder}.yaml"]
    if os.path.isdir(folder):
        files = sorted(f"{folder}/{file}" for file in os.listdir(folder))
    case = Case(name, files, base_files())
    for file in files:
        for line in comment_lines(file):
            read_comment(case, file, line)
    return case


def comment_lines(file: str) -> list[str]:
    sidecar = os.path.splitext(file)[0] + ".expect"
    if os.path.exists(sidecar):
        with open(sidecar, encoding="utf-8") as stream:
            return [f"# expect: {line}" for line in stream.read().splitlines()]
    with open(file, "rb") as raw:
        text = raw.read().decode("utf-8", "replace")
    return [line for line in text.split("\n") if line.startswith("# ")]


def read_comment(case: Case, file: str, line: str) -> None:
    if line.startswith("# base: "):
        case.base = [f"{BASE}/{name}.yaml" for name in line[len("# base: "):].split()]
    elif line.startswith("# without: "):
        left_out = line[len("# without: "):].split()
        case.base = [name for name in case.base if os.path.basename(name)[:-len(".yaml")] not in left_out]
    elif line.startswith("# expect: "):
        match = EXPECT.fullmatch(line)
        assert match, f"{file}: cannot read {line!r}"
        other, number, text = match.groups()
        where = os.path.normpath(os.path.join(os.path.dirname(file), other)) if other else file
        case.errors.append((where, int(number), text))


def remember_shapes() -> None:
    """Each root is checked against its schema once: in a random test most are the same from one damage to the next."""
    shapes: dict[int, tuple[Node, list]] = {}
    check_shape = codegen.model.build.check_shape

    def remembered(root: Node) -> list:
        if id(root) not in shapes:
            shapes[id(root)] = (root, check_shape(root))  # the root as well, so that no other one gets its id
        return shapes[id(root)][1]

    codegen.model.build.check_shape = remembered


def remember_files(folder: str) -> None:
    """What is below a folder, and stays as it is, is read by the command line once, and checked against its schema once."""
    read: dict[str, Document] = {}
    load = codegen.main.load

    def remembered(file: str) -> Document:
        if not file.startswith(folder + "/"):
            return load(file)
        if file not in read:
            read[file] = load(file)
        return read[file]

    codegen.main.load = remembered
    remember_shapes()


def call(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """The generator's command line in this process, for all that does not depend on how Python was started."""
    here = os.getcwd()
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch.dict(os.environ, environment):
        try:
            status = codegen.main.main(list(arguments))
        except SystemExit as end:
            status = int(end.code or 0)
        finally:
            os.chdir(here)
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())
