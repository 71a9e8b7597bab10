# SPDX-License-Identifier: BSD-2-Clause
"""Every bad spec fails at the stated line with the stated text, and nothing is written.

After a change of a message: /usr/bin/python3 -m tests.codegen.bad_test --update, then read the diff.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import unittest

from codegen.check import checked_model
from codegen.main import main
from codegen.model.model import SpecError
from tests.codegen.cases import BASE, ROOT, Case, base_files, find_cases, remember_files

LEAST_CASES = 40

remember_files(BASE)


def errors_of(case: Case) -> list[tuple[str, int, str]]:
    try:
        checked_model(case.base + case.files)
    except SpecError as error:
        return [(place.file, place.line, text) for place, text in error.errors]
    return []


def generate(out: str, files: list[str]) -> tuple[int, str]:
    """Exit status and error output of the generator's command line."""
    with contextlib.redirect_stderr(io.StringIO()) as stream:
        status = main(["generate", "--alone", "--out", out, *files])
    return status, stream.getvalue()


class BadSpecs(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(ROOT)

    def test_base_set_is_good(self) -> None:
        self.assertEqual(len(checked_model(base_files()).work_requests), 5)

    def test_there_are_enough(self) -> None:
        self.assertGreaterEqual(len(find_cases()), LEAST_CASES)

    def test_each_fails_as_stated_and_writes_nothing(self) -> None:
        for case in find_cases():
            with self.subTest(case.name), tempfile.TemporaryDirectory() as out:
                self.assertTrue(case.errors, "the case states no error")
                status, text = generate(out, case.base + case.files)
                self.assertEqual((status, os.listdir(out)), (1, []))
                stated = sorted(f"{file}:{line}: error: {what}" for file, line, what in case.errors)
                self.assertEqual(sorted(text.splitlines()), stated)

    def test_no_two_fail_alike(self) -> None:
        seen: dict[str, str] = {}
        for case in find_cases():
            for _, _, text in case.errors:
                self.assertFalse(text in seen, f"{case.name} and {seen.get(text)} fail alike: {text}")
            seen.update({text: case.name for _, _, text in case.errors})


class UnreadableFiles(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(ROOT)

    def expect(self, path: str, text: str) -> None:
        with tempfile.TemporaryDirectory() as out:
            status, got = generate(out, [*base_files(), path])
            self.assertEqual((status, os.listdir(out)), (1, []))
        self.assertIn(f"{path}:1: error: {text}", got)
        self.assertEqual(len(got.splitlines()), 1)

    def test_missing(self) -> None:
        self.expect("tests/codegen/base/nowhere.yaml", "cannot read the file: No such file or directory")

    def test_folder(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.expect(folder, "the folder has no .yaml file; expected spec files in it")

    def test_name_that_ends_otherwise(self) -> None:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
            for name in ("good.yaml", "lost.yml"):
                with open(os.path.join(folder, name), "w", encoding="utf-8"):
                    pass
            status, got = generate(out, [*base_files(), folder])
            self.assertEqual((status, os.listdir(out)), (1, []))
            self.assertEqual(got, f"{folder}/lost.yml:1: error: the name ends in '.yml'; expected '.yaml', or no such file in a folder "
                                  "of specs\n")

    def test_forbidden(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "forbidden.yaml")
            os.symlink("/proc/sys/vm/compact_memory", name)  # not even root may read this one
            self.expect(name, "cannot read the file: Permission denied")

    def test_huge(self) -> None:
        with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
            file.write(b"#" * (1 << 20) + b"\n")
            file.flush()
            self.expect(file.name, "the file is larger than 1048576 bytes")

    def test_name_that_no_file_can_have(self) -> None:
        with tempfile.TemporaryDirectory() as out:
            status, got = generate(out, ["no\0where.yaml"])
            self.assertEqual((status, os.listdir(out)), (1, []))
        self.assertIn("cannot read the file", got)


def update() -> None:
    """Rewrites the expectations of every case from what is reported now."""
    os.chdir(ROOT)
    for case in find_cases():
        errors = errors_of(case)
        for file in case.files:
            sidecar = os.path.splitext(file)[0] + ".expect"
            # An error in a file of the base set is stated in the first file of the case.
            mine = [e for e in errors if e[0] == file or (file == case.files[0] and e[0] not in case.files)]
            texts = [("" if e[0] == file else os.path.relpath(e[0], os.path.dirname(file)) + ":") + f"{e[1]}: {e[2]}"
                     for e in mine]
            if os.path.exists(sidecar):
                with open(sidecar, "w", encoding="utf-8") as stream:
                    stream.writelines(text + "\n" for text in texts)
            else:
                replace_comments(file, texts)


def replace_comments(file: str, texts: list[str]) -> None:
    """Puts `texts` in place of the expectations, as long as their number (and so every line number) stays."""
    with open(file, "rb") as stream:
        lines = stream.read().split(b"\n")
    old = [number for number, line in enumerate(lines) if line.startswith(b"# expect: ")]
    if len(old) != len(texts):
        print(f"{file}: {len(texts)} errors, {len(old)} stated; edit it by hand", file=sys.stderr)
        return
    for number, text in zip(old, texts):
        lines[number] = f"# expect: {text}".encode()
    with open(file, "wb") as stream:
        stream.write(b"\n".join(lines))


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        update()
    else:
        unittest.main()
