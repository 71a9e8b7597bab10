# SPDX-License-Identifier: BSD-2-Clause
"""The command line: determinism, files left alone, errors that write nothing."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema
import yaml

from codegen.main import SPEC
from tests.codegen.cases import call, remember_files

SPECS = sorted(str(p) for part in ("mlx5", "verbs") for p in (SPEC / part).rglob("*.yaml"))
GROUPS = ("library", "tests")
TWICE = """
import sys
from codegen.main import main
out, groups, *arguments = sys.argv[1:]
sys.exit(any(main([*arguments, "--out", f"{out}/{group}", "--group", group]) for group in groups.split()))
"""

OWN = """# SPDX-License-Identifier: BSD-2-Clause
kind: segment
name: own
doc: One of a user's.
source: "document:Manual (made up), table 1"
size: 16
fields:
  - {name: key, at: {dword: 0, bits: "31:0"}, doc: A key.}
reserved:
  - {at: {dword: 1, bits: "31:0"}}
  - {at: {dword: 2, bits: "31:0"}}
  - {at: {dword: 3, bits: "31:0"}}
"""

remember_files(str(SPEC))


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "codegen.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


def tree(folder: str) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()}


class Generate(unittest.TestCase):
    library: str  # what is generated from all

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.groups = folder.name
        cls.library = os.path.join(folder.name, "library")
        cls.generate_groups(folder.name, SPECS, PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C")

    @staticmethod
    def generate(folder: str, files: list[str], group: str = "library") -> None:
        result = call("generate", "--out", folder, "--group", group, *files)
        assert result.returncode == 0, result.stderr

    @staticmethod
    def generate_groups(folder: str, files: list[str], **environment: str) -> None:
        """Each group into a folder of its name, by a process of its own."""
        command = [sys.executable, "-c", TWICE, folder, " ".join(GROUPS), "generate", *files]
        result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
        assert result.returncode == 0, result.stderr

    def test_two_generations_are_equal(self) -> None:
        shuffled = SPECS[:]
        random.Random(1).shuffle(shuffled)
        with tempfile.TemporaryDirectory() as two:
            self.generate_groups(two, shuffled, PYTHONHASHSEED="2", TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
            one, other = tree(self.groups), tree(two)
        self.assertIn("library/segue/gen/segments.h", one)
        self.assertIn("tests/vectors_test.cc", one)
        self.compare(one, other)

    def compare(self, one: dict[str, bytes], other: dict[str, bytes]) -> None:
        self.assertEqual(one.keys(), other.keys())
        for name, content in one.items():
            self.assertEqual(content, other[name], name)

    def test_blocks_of_files_in_any_order(self) -> None:
        """Likewise of a device that posts to blocks."""
        files = sorted(str(p) for part in ("efa", "verbs") for p in (SPEC / part).rglob("*.yaml"))
        trees = []
        for one in (files, random.Random(1).sample(files, len(files))):
            with tempfile.TemporaryDirectory() as out:
                self.generate(out, one)
                trees.append(tree(out))
        self.assertIn("machines.c", trees[0])
        self.compare(*trees)

    def test_no_absolute_path(self) -> None:
        """Files of one's own, given by an absolute path: what is generated is the same wherever they lie."""
        trees = []
        for _ in range(2):
            with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
                own = Path(folder, "spec", "own.yaml")
                own.parent.mkdir()
                own.write_text(OWN, encoding="utf-8")
                self.generate(out, [str(own), *SPECS])
                trees.append(tree(out))
                for name, content in trees[-1].items():
                    self.assertFalse(folder.encode() in content, name)
        self.assertEqual(*trees)
        self.assertIn(b"spec/own.yaml", trees[0]["segue/gen/segments.h"])

    def test_tests_are_about_the_own_files(self) -> None:
        own = [file for file in SPECS if file.endswith("/raddr.yaml")]
        with tempfile.TemporaryDirectory() as folder:
            self.generate(folder, ["--own", *own, *SPECS], "tests")
            text = Path(folder, "vectors_test.cc").read_text()
        self.assertIn("TEST(SegRaddr, Vector0)", text)
        self.assertNotIn("TEST(SegCtrl", text)

    def test_what_was_read_once_gives_the_same(self) -> None:
        with tempfile.TemporaryDirectory() as two:
            model = str(Path(two, "all.model"))
            self.assertEqual(call("check", "--model", model, *SPECS).returncode, 0)
            self.generate(two, [model])
            os.unlink(model)
            self.assertEqual(tree(self.library), tree(two))

    def test_a_damaged_model_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as two:
            model = Path(two, "all.model")
            self.assertEqual(call("check", "--model", str(model), *SPECS).returncode, 0)
            good = model.read_bytes()
            for number, bad in enumerate([good[:-1], b"", b"\x80\x04K\x01.", good.replace(b"raddr", b"rAddr", 1), b"x" + good]):
                with self.subTest(number):
                    model.write_bytes(bad)
                    done = call("generate", "--out", two, str(model))
                    self.assertEqual(done.returncode, 1)
                    self.assertEqual(done.stderr, f"{model}:1: error: the model is damaged, or another version's; expected what "
                                                  "'check --model' of this version writes: run that again\n")

    def test_unchanged_files_are_left_alone(self) -> None:
        with tempfile.TemporaryDirectory() as parent:
            folder = shutil.copytree(self.library, os.path.join(parent, "generated"))
            enums, segments = (Path(folder, "segue/gen", name) for name in ("enums.h", "segments.h"))
            os.utime(enums, ns=(1, 1))
            segments.write_text("changed by hand\n")
            self.generate(folder, SPECS)
            self.assertEqual(enums.stat().st_mtime_ns, 1)
            self.assertIn("segue_seg_raddr_pack", segments.read_text())

    def test_an_error_writes_nothing(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            bad = Path(folder, "bad.yaml")
            bad.write_text("# SPDX-License-Identifier: BSD-2-Clause\nkind: segment\nname: bad\nsise: 16\n")
            out = Path(folder, "out")
            result = run("generate", "--out", str(out), *SPECS, str(bad))
            self.assertEqual(result.returncode, 1)
            self.assertFalse(out.exists())
            for line in result.stderr.splitlines():
                self.assertRegex(line, r"^.*bad\.yaml:\d+: error: .")

    def test_a_missing_file_is_one_sentence(self) -> None:
        result = call("check", "no/such.yaml")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn("no/such.yaml", result.stderr)

    def test_a_folder_that_cannot_be_written(self) -> None:
        result = call("generate", "--out", "/dev/null/x", *SPECS)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn("error: ", result.stderr)

    def test_folders_of_segues_own_build_on_one_another(self) -> None:
        """In a checkout: a folder with a device brings what the device builds on, and no other device."""
        for given in ("mlx5", "mlx5/mlx5.yaml", "mlx5/segments", "efa", "efa/efa.yaml", "verbs"):
            result = call("check", given, BUILD_WORKING_DIRECTORY=str(SPEC))
            self.assertEqual((0, ""), (result.returncode, result.stderr), given)
        result = call("check", "efa", "mlx5", BUILD_WORKING_DIRECTORY=str(SPEC))
        self.assertEqual(1, result.returncode)
        self.assertIn("exists already, at efa/", result.stderr)

    def test_what_a_user_gives_builds_on_the_base(self) -> None:
        """A folder, or one file of it, from where the user is; Segue's own specs are known without being given."""
        enum = ("# SPDX-License-Identifier: BSD-2-Clause\nkind: enum\nname: my_opcode\ndoc: More.\nsource: \"own:table 1\"\nextends: opcode\n"
                "values:\n  - {name: MINE, value: %s, doc: Mine.}\n")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "spec").mkdir()
            file = Path(folder, "spec", "my_opcode.yaml")
            for value, said in (("0x3e", ""), ("0x09", "spec/my_opcode.yaml:8: error: ")):
                file.write_text(enum % value)
                for given in ("spec", "spec/my_opcode.yaml"):
                    result = call("check", given, BUILD_WORKING_DIRECTORY=folder)
                    self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1) if said else (0, 0), result.stderr)
                    self.assertTrue(result.stderr.startswith(said))
            result = call("check", "--alone", str(file))
            self.assertIn("unknown enum 'opcode'", result.stderr)

    def test_a_file_of_the_base_is_checked_with_the_rest(self) -> None:
        self.assertEqual(call("check", "spec/mlx5/work_requests/nop.yaml").stderr, "")

    def test_the_generator_names_no_device(self) -> None:
        names = re.compile(r"mlx5|connectx|nvidia|\befa\b|\baws\b", re.IGNORECASE)
        for file in (p for p in Path("codegen").rglob("*") if p.suffix in (".py", ".j2", ".bzl") or p.name == "BUILD"):
            self.assertEqual(names.findall(file.read_text()), [], file)

    def test_schema_for_editors(self) -> None:
        schema = json.loads(call("schema").stdout)
        check = jsonschema.Draft202012Validator(schema)
        for file in SPECS:
            item = yaml.load(Path(file).read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
            self.assertEqual([], [error.message for error in check.iter_errors(item)], file)
            item["sise"] = 16
            self.assertFalse(check.is_valid(item), file)

    def test_help(self) -> None:
        for arguments in (["--help"], ["generate", "--help"], ["check", "--help"]):
            result = call(*arguments)
            self.assertEqual(result.returncode, 0)
            self.assertIn("usage:", result.stdout)

    def test_check_is_silent(self) -> None:
        result = run("check", *SPECS)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
