#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the messages of commits, before a merge: tools/check_commits.py BASE..HEAD

A subject is `area: Imperative verb, object`, in at most 72 columns. A body explains problem, cause and change.
"""

from __future__ import annotations

import re
import subprocess
import sys

AREAS = ("codegen", "docs", "include", "runtime", "softhca", "spec", "style", "tests", "tools")
COLUMNS = 72
SUBJECT = re.compile(r"(?P<areas>[a-z]+(?:, [a-z]+)*): (?P<verb>\S+)(?P<object>.*)")
TRAILER = re.compile(r"(?!(?:Problem|Cause|Change):)[A-Z][A-Za-z-]+: \S")
# First words that are no imperative: articles and pronouns, and other forms of a verb.
NO_VERB = {"A", "All", "An", "Each", "It", "No", "One", "Some", "That", "The", "These", "This", "Two", "When", "WIP"}
OTHER_FORM = re.compile(r"\w+(ed|ing|[^su]s)")
IMPERATIVE = {"Bring", "Embed", "Exceed", "Feed", "Need", "Proceed", "Ring", "Seed", "Shed", "Speed", "String", "Succeed"}


def faults(message: str) -> list[str]:
    """The faults of a commit's message, in sentences."""
    subject, *rest = message.strip("\n").split("\n")
    found = []
    if len(subject) > COLUMNS:
        found.append(f"the subject has {len(subject)} columns; at most {COLUMNS} are allowed")
    match = SUBJECT.fullmatch(subject)
    if not match:
        found.append("the subject is not of the form 'area: Imperative verb, object'")
    else:
        unknown = [area for area in match["areas"].split(", ") if area not in AREAS]
        if unknown:
            found.append(f"'{unknown[0]}' is not an area; expected one of {', '.join(AREAS)}")
        found += verb_faults(match["verb"])
        if not match["object"].strip():
            found.append(f"the subject has no object after '{match['verb']}'")
        if subject.endswith("."):
            found.append("the subject ends with a full stop")
    if rest and rest[0]:
        found.append("an empty line is missing after the subject")
    if not [line for line in rest if line.strip() and not TRAILER.match(line)]:
        found.append("the body is missing; say problem, cause and change")
    return found


def verb_faults(verb: str) -> list[str]:
    if not re.fullmatch(r"[A-Z][a-z]+", verb):
        return [f"'{verb}' is not a verb with a capital letter"]
    if verb in NO_VERB or OTHER_FORM.fullmatch(verb) and verb not in IMPERATIVE:
        return [f"'{verb}' is not an imperative"]
    return []


def messages(commits: str) -> list[tuple[str, str]]:
    """The commits of a range, the oldest first, each with its abbreviated hash."""
    log = ["git", "log", "--no-merges", "--reverse", "--format=%h%n%B%x00", commits, "--"]
    text = subprocess.run(log, check=True, capture_output=True, text=True).stdout
    records = [record.lstrip("\n").split("\n", 1) for record in text.split("\0") if record.strip()]
    return [(record[0], record[1]) for record in records]


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or ".." not in arguments[0]:
        print(f"usage: {sys.argv[0]} BASE..HEAD", file=sys.stderr)
        return 2
    try:
        commits = messages(arguments[0])
    except subprocess.CalledProcessError as error:
        print(f"check_commits: git cannot list {arguments[0]}: {error.stderr.strip()}", file=sys.stderr)
        return 2
    wrong = 0
    for name, message in commits:
        found = faults(message)
        wrong += bool(found)
        for fault in found:
            print(f"{name} {message.splitlines()[0]!r}: {fault}")
    print(f"{len(commits)} commits, {wrong} of them to reword" if wrong else f"{len(commits)} commits, all in order")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
