# SPDX-License-Identifier: BSD-2-Clause
"""Parts of softhca, or rooms of the runtime, depend one way, as their page says; no circle of includes; no room that is too full."""
import os
import re
import unittest

ROOT = os.environ["PARTS_ROOT"]
PAGE = os.environ["PARTS_PAGE"]
LEAST = 100  # files there are: fewer, and some have not been found
FULL = 30  # files side by side
LONG = 240  # lines of a header between rooms
VIEW = ROOT + "/engine"  # of softhca; the runtime has none


def sources():
    return sorted(
        os.path.join(folder, name)
        for folder, _, names in os.walk(ROOT, followlinks=True)
        for name in names
        if name.endswith((".c", ".h"))
    )


def includes(path, among):
    """The files of `among` that a file includes, by whichever of the two ways of writing it."""
    found = set()
    with open(path, encoding="utf-8") as file:
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', file.read(), re.MULTILINE):
            for there in (name, os.path.normpath(os.path.join(os.path.dirname(path), name))):
                if there in among:
                    found.add(there)
                    break
    return found


def code(path):
    """A file without comments, lines of the preprocessor's includes, and strings."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
    return re.sub(r'^\s*#\s*include.*$|"(?:\\.|[^"\\\n])*"', "", text, flags=re.MULTILINE)


def declared(path):
    """What a header declares: macros, members, tags with a body, functions, objects."""
    text = code(path)
    names = set(re.findall(r"^\s*#\s*define (\w+)|^(?:extern )?(?:struct|enum|union) (\w+) \{|\b(\w+)\(|^extern [^;{]*?(\w+);|\(\*(\w+)\)"
                           r"|^\t+[^();]*?(\w+)(?:\[[^;]*)?;", text, re.MULTILINE))
    for body in re.findall(r"enum \w* ?\{(.*?)\}", text, re.DOTALL):
        names |= {(n,) for n in re.findall(r"\b[A-Z]\w+", body)}
    return {n for group in names for n in group if n}


def circle(graph):
    """A circle as a list of nodes, or nothing."""
    done, way = set(), []

    def visit(node):
        if node in way:
            return way[way.index(node):] + [node]
        if node in done:
            return None
        way.append(node)
        for after in sorted(graph.get(node, ())):
            found = visit(after)
            if found:
                return found
        way.pop()
        done.add(node)
        return None

    for node in sorted(graph):
        found = visit(node)
        if found:
            return found
    return None


def part_of(path, parts):
    """The part whose folder is the longest that the file lies in."""
    below = [p for p in parts if path.startswith(p + "/")]
    return max(below, key=len) if below else None


def page():
    """Parts and what they may use, from the table of the page: | `folder` | ... | `folder`, ... |"""
    parts = {}
    with open(PAGE, encoding="utf-8") as file:
        for line in file:
            row = [c.strip() for c in line.strip().strip("|").split("|")]
            if line.startswith("| `") and len(row) == 3:
                parts[ROOT + "/" + row[0].strip("`/")] = {ROOT + "/" + u.rstrip("/") for u in re.findall(r"`([^`]+)`", row[2])}
    return parts


class Parts(unittest.TestCase):
    def setUp(self):
        self.files = sources()
        self.assertGreater(len(self.files), LEAST)
        self.graph = {f: includes(f, set(self.files)) for f in self.files}

    def test_the_search_finds_circles(self):
        self.assertEqual(circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c", "b"])
        self.assertIsNone(circle({"a": {"b", "c"}, "b": {"c"}}))

    def test_no_circle_of_files(self):
        self.assertIsNone(circle(self.graph))

    def test_no_circle_of_folders(self):
        folders = {}
        for file, used in self.graph.items():
            here = folders.setdefault(os.path.dirname(file), set())
            here |= {os.path.dirname(u) for u in used} - {os.path.dirname(file)}
        self.assertIsNone(circle(folders))

    def test_parts_use_what_the_page_says(self):
        parts = page()
        self.assertIsNone(circle(parts), PAGE)
        for file, used in self.graph.items():
            here = part_of(file, parts)
            if os.path.dirname(file) == ROOT:
                continue
            self.assertIsNotNone(here, f"{file} is in no part of {PAGE}")
            for other in used:
                there = part_of(other, parts)
                self.assertTrue(there == here or there in parts[here], f"{file} includes {other}, which {PAGE} does not allow")

    def test_a_source_names_something_of_each_interface_it_includes(self):
        idle = []
        for file, used in self.graph.items():
            if file.endswith(".c") and file.startswith(VIEW + "/"):
                words = set(re.findall(r"\w+", code(file)))
                idle += [(file, h) for h in used if os.path.dirname(h) == VIEW and not words & declared(h)]
        self.assertEqual(idle, [])

    def test_no_header_shows_a_room_everything(self):
        self.assertEqual([f for f, used in self.graph.items() if f.startswith(VIEW + "/") and VIEW + "/engine.h" in used], [], "engine.h is for who uses the device")
        for header in (f for f in self.files if os.path.dirname(f) == VIEW and f.endswith(".h")):
            with open(header, encoding="utf-8") as file:
                self.assertLessEqual(len(file.readlines()), LONG, header)

    def test_no_room_is_too_full(self):
        count = {}
        for file in self.files:
            count[os.path.dirname(file)] = count.get(os.path.dirname(file), 0) + 1
        self.assertEqual({f: n for f, n in count.items() if n > FULL}, {})


if __name__ == "__main__":
    unittest.main()
