# SPDX-License-Identifier: BSD-2-Clause
"""Command line of the generator: `check` checks spec files, `generate` turns them into C, `docs` into a reference."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from functools import lru_cache
from pathlib import Path

from codegen.model.build import model_of
from codegen.check import checked_documents
from codegen.load.load import Document, load
from codegen.model.model import Model, Place, SpecError

GROUPS = ["docs", "library", "tests"]
BACK_ENDS = {"python": "a module of Python", "rust": "a crate of Rust"}  # back ends that read the neutral model: packages of codegen/
ROOT = Path(os.path.abspath(__file__)).parent.parent
SPEC = ROOT / "spec"

DESCRIPTION = """\
Turns YAML specs of work-queue entries into C. The files are taken together; a folder stands for all .yaml
files below it. They build on Segue's own specs, which are added, unless a `kind: device` of one's own is
among them. An error is one line, `file:line: error: what, where, what was expected`; the exit status is
then 1 and nothing has been written."""

EXAMPLES = """\
examples (bazel run @segue//codegen -- … does the same from any workspace, with paths from where you are):
  main.py check my/spec
  main.py check my/spec/my_segment.yaml
  main.py generate --out build/include --sources build/src my/spec
  main.py docs --out build/reference my/spec
  main.py schema > segue.schema.json
  main.py model my/spec > model.json
  main.py python --out my_nic.py my/spec
  main.py decode --queue rc --entry dump.hex my/spec

The format of the files is described in docs/spec-format.md."""


def add_files(command: argparse.ArgumentParser, number: str = "+") -> None:
    command.add_argument("--alone", action="store_true", help="add no files of Segue's own")
    own = "tests are about these, and the reference points them out (repeatable; default: all files given)"
    command.add_argument("--own", action="append", default=[], metavar="FILE", help=own)
    command.add_argument("files", nargs=number, metavar="PATH", help="spec file, or folder of them; or one .model")


def arguments(argv: list[str]) -> argparse.Namespace:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="main.py", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=layout
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    check = commands.add_parser("check", help="check spec files and write nothing, or --model")
    check.add_argument("--model", type=Path, metavar="FILE", help="write what was read to FILE.model, for the other commands to take")
    add_files(check)

    generate = commands.add_parser(
        "generate", help="check spec files, then write what is generated from them"
    )
    generate.add_argument(
        "--out",
        required=True,
        type=Path,
        metavar="DIR",
        help="folder to write to; headers go to DIR/segue/gen, a file whose content is unchanged is left alone",
    )
    generate.add_argument(
        "--sources", type=Path, metavar="DIR", help="folder for .c and .cc files instead of --out"
    )
    generate.add_argument(
        "--group",
        choices=GROUPS,
        default="library",
        help="which outputs: %(choices)s (default: %(default)s)",
    )
    add_files(generate)

    docs = commands.add_parser("docs", help="check spec files, then write their reference, in Markdown; needs Graphviz")
    docs.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder to write to")
    docs.set_defaults(group="docs", sources=None)
    add_files(docs)

    commands.add_parser("schema", help="print a JSON schema of spec files, for editors")

    model = commands.add_parser(
        "model", help="check spec files, then print what they mean as JSON, for other generators"
    )
    add_files(model)

    decode = commands.add_parser("decode", help="print what an entry is to the device of spec files, or why it is none; exit status 1: it is none")
    decode.add_argument("-q", "--queue", metavar="NAME", help="whose entry: a transport's send queue, or a kind of queue (default: the one that takes it)")
    decode.add_argument("--cqe", action="store_true", help="it is a completion")
    decode.add_argument("--json", action="store_true", help="print JSON")
    decode.add_argument("--entry", type=Path, metavar="FILE", help="its bytes, raw or as hexadecimal text (default: standard input)")
    decode.add_argument("--model", type=Path, metavar="FILE", help="what `model` has printed, in place of spec files; a PATH is the entry then")
    add_files(decode, "*")

    for name, title in BACK_ENDS.items():
        other = commands.add_parser(name, help=f"check spec files, then write them as {title}")
        other.add_argument("--out", required=True, type=Path, metavar="FILE", help="file to write")
        add_files(other)
    return parser.parse_args(argv)


def expand(paths: list[str]) -> list[str]:
    """Files as they are, and folders as the spec files below them. SpecError if a folder has none."""
    found: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        names = sorted(os.path.join(folder, name).removeprefix("./") for folder, below, files in os.walk(Path(path)) for name in below + files)
        inside = [name for name in names if name.endswith(".yaml")]
        other = [name for name in names if not name.endswith(".yaml") and name.lower().endswith((".yml", ".yaml"))]
        if other:
            raise SpecError([(Place(file, 1), f"the name ends in '{Path(file).suffix}'; expected '.yaml', or no such file in a folder "
                                              "of specs") for file in other])
        if not inside:
            raise SpecError([(Place(path, 1), "the folder has no .yaml file; expected spec files in it")])
        found += inside
    return list(dict.fromkeys(found))


real_folder = lru_cache(maxsize=None)(os.path.realpath)


@lru_cache(maxsize=None)
def real(file: str) -> str:
    """As os.path.realpath(), which asks for each part of a folder's path anew with each of its files."""
    folder, name = os.path.split(file)
    found = f"{real_folder(folder)}/{name}"
    return real(os.path.join(os.path.dirname(found), os.readlink(found))) if os.path.islink(found) else found


def checkout_specs() -> Path:
    """spec/ of the checkout. `bazel run` sees links to it."""
    return Path(real(str(SPEC / "base.txt"))).parent


def own_folder(file: str, checkout: Path) -> str | None:
    """The folder of spec/ that a file of Segue's own lies in."""
    below = real(file).removeprefix(f"{checkout}/")
    return below.split("/")[0] if below != real(file) else None


def has_device(folder: Path) -> bool:
    return (folder / f"{folder.name}.yaml").exists()


def base_folders(documents: list[Document]) -> list[Path]:
    """Folders of Segue's own specs that the documents build on.

    A device of one's own builds on none. One of Segue's takes the place of the base's device.
    """
    checkout = checkout_specs()
    homes = {document.file: own_folder(document.file, checkout) for document in documents}
    for document in documents:
        if document.root and document.root.text("kind") == "device" and not homes[document.file]:
            return []
    folders = (SPEC / "base.txt").read_text(encoding="utf-8").split()
    devices = {home for home in homes.values() if home and has_device(checkout / home)}
    if devices:
        folders = [folder for folder in folders if not has_device(SPEC / folder)] + sorted(devices)
    return [SPEC / name if (SPEC / name).is_dir() else checkout / name for name in folders]


def base(documents: list[Document]) -> list[Document]:
    """Segue's own specs that the documents build on, without those that are given themselves."""
    given = {real(document.file) for document in documents}
    files = [str(file) for folder in base_folders(documents) for file in sorted(folder.rglob("*.yaml"))]
    return [load(file) for file in files if real(file) not in given]


def documents_for(options: argparse.Namespace) -> list[Document]:
    """Segue's own files come first, because an error about two clashing items is reported at the later one."""
    documents = [load(file) for file in options.files]
    if options.alone:
        return documents
    own = base(documents)
    refuse_no_device(own, documents)
    return own + documents


def refuse_no_device(own: list[Document], documents: list[Document]) -> None:
    """A control segment of one's own belongs to a device of one's own. Other differences from Segue's are not worth reporting then."""
    device = next((d.root for d in own if d.root and d.root.text("kind") == "device"), None)
    ours = {real(d.file) for d in own}
    for document in documents:
        root = document.root
        strange = root and real(document.file) not in ours and not own_folder(document.file, checkout_specs())
        if device and strange and root.text("kind") == "segment" and root.get("control") is not None:
            raise SpecError([(root.key_place("control"), f"segment '{root.text('name')}' is a control segment, and none of the files is a device; "
                                                         f"expected a file with 'kind: device', or requests that begin as those of "
                                                         f"'{device.text('name')}' do")])


def model_for(options: argparse.Namespace) -> Model:
    """The checked model."""
    own = options.own or options.files
    if options.files[0].endswith(".model"):
        from codegen.load.cache import restore

        documents, own = restore(options.files[0], Path(options.files[0]).read_bytes())
        model = model_of(documents)  # the documents have been checked
    else:
        model = checked_documents(documents_for(options))
    model.own = set(own)
    return model


def check(options: argparse.Namespace) -> None:
    documents = documents_for(options)
    checked_documents(documents)
    if options.model:
        from codegen.load.cache import save

        options.model.write_bytes(save(documents, options.own or options.files))


def decode(options: argparse.Namespace) -> None:
    from codegen import decode as command
    from codegen.model.export import neutral
    from codegen.python.nic import Nic

    if options.model and len(options.files) == 1 and not options.entry:
        options.entry = Path(options.files.pop())
    if (options.model is None) == (not options.files):
        raise SpecError([(Place("decode", 1), "there are neither spec files nor --model, or both; expected one of them")])
    nic = Nic.read(options.model) if options.model else Nic(neutral(model_for(options)))
    print(command.decoded(nic, options.entry or Path("-"), "" if options.cqe else options.queue, options.json))


def run(options: argparse.Namespace) -> None:
    if options.command == "schema":
        from codegen.load.schema import schema_of_files

        print(json.dumps(schema_of_files(), indent=1))
        return
    options.files = expand(options.files)
    if options.command in ("check", "decode"):
        {"check": check, "decode": decode}[options.command](options)
        return
    if options.command == "model" or options.command in BACK_ENDS:
        from codegen.model.export import neutral

        model = neutral(model_for(options))
        if options.command == "model":
            print(json.dumps(model, indent=1, ensure_ascii=False))
        else:
            back_end = importlib.import_module(f"codegen.{options.command}")
            options.out.write_text(back_end.module(model), encoding="utf-8")
        return
    from codegen import emit  # imported here, because a check does not need templates

    files = emit.render(model_for(options), options.group)
    if options.sources:
        sources = {path: text for path, text in files.items() if path.endswith((".c", ".cc"))}
        files = {path: text for path, text in files.items() if path not in sources}
        emit.write(sources, options.sources)
    emit.write(files, options.out)


def main(argv: list[str]) -> int:
    options = arguments(argv)
    # bazel run changes the folder, but paths are relative to the user's.
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    try:
        run(options)
    except SpecError as error:
        print(str(error).encode("utf-8", "backslashreplace").decode("utf-8"), file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename or '-'}: error: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
