# SPDX-License-Identifier: BSD-2-Clause
"""Command line of the generator: `check` judges spec files, `generate` turns them into C."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from codegen.check import checked_model
from codegen.model import SpecError

GROUPS = ("docs", "library", "tests", "walks")

DESCRIPTION = """\
Turns YAML specs of work-queue entries into C. The files are taken together: give every file that the
others refer to. An error is one line, `file:line: error: what, where, what was expected`; the exit
status is then 1 and nothing has been written."""

EXAMPLES = """\
examples:
  main.py check spec/NIC/segments/*.yaml spec/NIC/enums/*.yaml
  main.py generate --out build/gen $(find spec -name '*.yaml' -not -path '*/schema/*')
  main.py generate --group tests --out build/tests $(find spec …)

The format of the files is described in docs/spec-format.md."""


def arguments(argv: list[str]) -> argparse.Namespace:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="main.py", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=layout
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    check = commands.add_parser("check", help="check spec files and write nothing")
    check.add_argument("files", nargs="+", metavar="FILE", help="spec file")

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
    generate.add_argument(
        "--dep",
        dest="deps",
        action="append",
        default=[],
        metavar="FILE",
        help="a spec file that the others refer to; it is generated too, but tests are about the others (repeatable)",
    )
    generate.add_argument("files", nargs="+", metavar="FILE", help="spec file")
    return parser.parse_args(argv)


def run(options: argparse.Namespace) -> None:
    if options.command == "check":
        checked_model(list(dict.fromkeys(options.files)))
        return
    from codegen import emit  # templates are nothing that a check needs

    # Those that the others build on come first: of two items that clash, the later is at fault.
    model = checked_model(list(dict.fromkeys([*options.deps, *options.files])))
    files = emit.render(model, options.group, set(options.files))
    if options.sources:
        sources = {path: text for path, text in files.items() if path.endswith((".c", ".cc"))}
        files = {path: text for path, text in files.items() if path not in sources}
        emit.write(sources, options.sources)
    emit.write(files, options.out)


def main(argv: list[str]) -> int:
    options = arguments(argv)
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
