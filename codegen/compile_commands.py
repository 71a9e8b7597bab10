# SPDX-License-Identifier: BSD-2-Clause
"""Writes compile_commands.json for editors and clang tools, from Bazel's compilations of the workspace.

    bazel run @segue//codegen:compile_commands
    bazel run @segue//codegen:compile_commands -- //some/package/...

Generated headers are found where Bazel has put them, so build once before.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

# Bazel's names of the languages' compilations.
MNEMONICS = "CppCompile"
OUTPUT = "compile_commands.json"


def bazel(*arguments: str) -> str:
    result = subprocess.run(["bazel", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode:
        sys.exit(f"compile_commands: bazel {arguments[0]} failed:\n{result.stderr}")
    return result.stdout


def command_of(action: dict) -> tuple[str, list[str]]:
    """The file that an action compiles, and its command. No file if the action compiles none, or a tool of Bazel's own."""
    arguments = action.get("arguments", [])
    own = not any("bazel-out/host/" in argument or "-exec-" in argument for argument in arguments)
    return (arguments[arguments.index("-c") + 1] if own and "-c" in arguments else ""), arguments


def commands(actions: list[dict], folder: str) -> list[dict]:
    """One entry per file. If a file is compiled in several ways, the first one."""
    found: dict[str, dict] = {}
    for action in actions:
        file, arguments = command_of(action)
        if file:
            found.setdefault(file, {"file": file, "directory": folder, "arguments": arguments})
    return [found[file] for file in sorted(found)]


def main(argv: list[str]) -> int:
    os.chdir(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    targets = " + ".join(argv or ["//..."])
    text = bazel("aquery", "--output=jsonproto", f"mnemonic('{MNEMONICS}', deps({targets}))")
    found = commands(json.loads(text).get("actions", []), bazel("info", "execution_root").strip())
    with open(OUTPUT, "w", encoding="utf-8") as stream:
        json.dump(found, stream, indent=1)
        stream.write("\n")
    print(f"{os.path.abspath(OUTPUT)}: {len(found)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
