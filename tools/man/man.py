# SPDX-License-Identifier: BSD-2-Clause
"""Man pages out of what is written already: public headers and the reference (section 3), what the commands say of themselves (section 1), the
list of both (7). Each call and type leads to the page that tells of it; other public names stand in one page's section ALSO DECLARED.

Usage: man.py --out FOLDER --date DATE --version VERSION --readme README.md --reference FOLDER [--page FILE]... --generated FOLDER
       --tutorial tutorial.md [--more COMMAND.1.more]... [--help-of NAME=FILE]... [--example PROGRAM.c]... HEADER...

FILE is the output of a command's --help; one whose NAME holds a blank ("segue decode") is a part of that command's page.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from tools.man import examples, headers, reference
from tools.man.mdoc import argument, escape, flow, literal, wrapped

# Headers below segue/detail/ have no page. What they declare for programs stands on the page of a header that has it.
DETAIL = {"commit": "sq", "count": "counters", "cq_array": "cq", "cq_next": "cq", "cq_payload": "cq", "cq_poll": "cq", "mmio": "sq", "peers": "peers/multi_channel",
          "step": "sq", "unit": "freestanding"}  # others: segue.h
# Headers of one subject, which are on the page of one of them.
PARTS = dict.fromkeys(("gpu/atomic", "gpu/flag", "gpu/lend", "gpu/slots", "gpu/state", "gpu/turns"), "gpu/queue")
# Names of generated headers that a header's page covers.
COVERED = {"tables": re.compile(r"SEGUE_(ENUM|SEG|CQE)_\w+_ID|SEGUE_(ENUM|SEGMENT|SEG|CQE)_COUNT|segue_(enum|segment|cqe)_id|segue_\w+_desc|"
                                r"segue_(control|enums|segments|cqes|machines|transports)")}
STATE = re.compile(r"_(?:wants|may_take)_|_complete$")


def below(header: Path) -> str:
    """A header's path below segue/."""
    return "/".join(header.parts[len(header.parts) - header.parts[::-1].index("segue"):])


def stem(header: Path) -> str:
    return below(header).removesuffix(".h")


def name_of(header: Path) -> str:
    return "segue_" + stem(header).replace("/", "_")


def is_linked(name: str, objects: set[str]) -> bool:
    """A call or a type that a program writes has a file, as a page or as a link to one. Constants, macros, states and tables stand in a page's text."""
    return name.startswith("segue_") and name not in objects and not STATE.search(name)


def name_section(names: list[str], objects: set[str]) -> list[str]:
    """Names without a file that a page covers."""
    rest = [name for name in dict.fromkeys(names) if not is_linked(name, objects)]
    return [".Sh ALSO DECLARED", *wrapped(" ".join(rest))] if rest else []


def parameters(text: str) -> list[str]:
    """The parameters of a declaration. A comma within brackets separates none."""
    text = " ".join(headers.COMMENT.sub("", text).split())
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [p.strip() for p in [*parts, text[start:]] if p.strip()]


def returned(function: headers.Function) -> str:
    return re.sub(r"\b(static|inline|SEGUEI_COLD|SEGUEI_BUILD|SEGUEI_MUST_CHECK|SEGUE_(HOT_)?FUNCTION)\b", "", function.returns).replace("  ", " ").strip()


def declaration(function: headers.Function) -> list[str]:
    words = [argument(p) for p in parameters(function.parameters)]
    # If name and first parameter are too long for a line, it may break between them. The \& keeps mandoc from taking that for punctuation.
    breaks = "\\:\\&" if len(function.name) + len((words or [""])[0]) > 60 else ""
    kind = returned(function)
    return [*([f".Ft {argument(kind)}"] if kind else []), f".Fo {function.name}{breaks}", *[f".Fa {word}" for word in words], ".Fc"]


def described(function: headers.Function) -> list[str]:
    """A function's own comment: paragraphs, and its parameters as a list."""
    out: list[str] = []
    plain: list[str] = []
    listed = False

    def flush() -> None:
        for paragraph in headers.paragraphs(plain):
            if out and not out[-1].startswith(".S"):
                out.append(".Pp")
            summary = re.match(rf"{function.name}\(\) - (.)", paragraph)
            out.extend(flow(summary[1].upper() + paragraph[summary.end() :] if summary else paragraph))
        plain.clear()

    def close() -> None:
        nonlocal listed
        if listed:
            out.append(".El")
        listed = False

    for line in headers.lines_of(function.comment):
        parameter = re.match(r"@([\w, @]+?):\s*(.*)", line)
        if parameter:
            flush()
            if not listed:
                out.append(".Bl -tag -width Ds")
                listed = True
            names = [name.strip(" @") for name in parameter[1].split(",")]
            out.append(".It " + " , ".join(f"Fa {name}" for name in names))
            out.extend(flow(parameter[2]) or ["\\&"])
        elif listed and line:
            out.extend(flow(line.strip()))
        elif listed:
            close()
        else:
            plain.append(line)
    close()
    flush()
    return out


def shared(functions: list[headers.Function]) -> list[list[headers.Function]]:
    """Functions with one comment between them belong together."""
    groups: list[list[headers.Function]] = []
    for function in functions:
        if groups and function.comment == groups[-1][0].comment:
            groups[-1].append(function)
        else:
            groups.append([function])
    return groups


def short(title: str) -> str:
    """As much of a sentence as a list of pages has room for, as mandoc wants it: no function's brackets."""
    title = re.split(r"[:?(]", title)[0].strip()
    return title[:1].lower() + title[1:] if title[:2].istitle() else title


def type_section(one: headers.Type) -> list[str]:
    kind = one.text.split(" ", 1)[0]
    return [f'.Ss "{kind} {one.name}"', *described(headers.Function("", one.name, "", "", one.comment)), *literal(one.text, 8)]


def page(name: str, section: str, date: str, version: str) -> list[str]:
    return ['.\\" SPDX-License-Identifier: BSD-2-Clause', f".Dd {date}", f".Dt {name.upper()} {section}", f".Os Segue {version}"]


def neighbours(text: str, names: list[str], calls: set[str]) -> list[str]:
    """The pages of the headers that this one includes, and of calls that its first comment names."""
    included = {"segue_" + stem.replace("/", "_") for stem in re.findall(r'#include "segue/([\w/]+)\.h"', text)}
    named = set(re.findall(r"\b(segue_\w+)\(\)", headers.first_comment(text))) & calls
    return [name for name in names if name in included] + sorted(named - {f.name for f in headers.functions("", text)})


def example_section(names: list[str], known: list[examples.Example]) -> list[str]:
    out: list[str] = []
    for one in examples.of(names, known):
        out += ([".Pp"] if out else []) + ["From", f".Pa {one.file} :", *literal(one.text, 4)]
    return [".Sh EXAMPLES", *out] if out else []


def header_page(header: Path, text: str, near: list[str], known: list[examples.Example], generated: Path, date: str, version: str) -> tuple[str, list[str]]:
    """The text of a header's page, and the names that it is to be found by. What its detail/ headers declare follows in the header's own text."""
    objects = tables(generated)
    view = headers.overview(text)
    functions = list({f.name: f for f in headers.functions(header.name, text)}.values())
    out = page(name_of(header), "3", date, version)
    names = [name_of(header)] + [f.name for f in functions if f.name != name_of(header)]
    kinds = headers.types(text)
    hidden = [t.name for t in kinds] + [c for t in kinds for c in t.constants] + list(headers.others(text))
    if stem(header) in COVERED:
        hidden += [name for name in sorted(generated_names(generated)) if COVERED[stem(header)].fullmatch(name) and name not in names + hidden]
    out += [".Sh NAME", *[f".Nm {n} ," for n in names[:-1]], f".Nm {names[-1]}", f".Nd {escape(short(view.title))}"]
    out += [".Sh SYNOPSIS", *[f".In segue/{part}.h" for part in [stem(header), *(part for part, of in PARTS.items() if of == stem(header))]]]
    for function in functions:
        out += declaration(function)
    out.append(".Sh DESCRIPTION")
    for number, paragraph in enumerate([view.title + ".", *view.paragraphs]):
        out += ([".Pp"] if number else []) + flow(paragraph)
    for part in headers.sections(text):
        out += [f".Ss {argument(short(part.title))}", *flow(part.title + ".")]
        for paragraph in [*part.paragraphs, *(f"{label} {said}" for label, said in part.labels.items())]:
            out += [".Pp", *flow(paragraph)]
    for group in shared(functions):
        out += [".Ss " + argument(" and ".join(f.name + "()" for f in group)), *described(group[0])]
    for kind in kinds:
        out += type_section(kind)
    if headers.others(text):
        out += [".Ss Others", *literal("\n".join(headers.others(text).values()), 8)]
    for label, title in (("Owner:", "OWNERSHIP"), ("Threads:", "THREADS"), ("Errors:", "ERRORS"), ("Source:", "SOURCES")):
        if label == "Errors:":
            out += example_section(names + hidden, known)
        if label == "Source:":
            out += see_also(name_of(header), near)
        if label in view.labels:
            out += [f".Sh {title}", *flow(view.labels[label])]
    return "\n".join(out + name_section(names + hidden, objects)) + "\n", list(dict.fromkeys(names + hidden))


def reference_page(one: reference.Page, known: list[examples.Example], objects: set[str], date: str, version: str) -> str:
    writer = reference.Writer()
    writer.write(one.text)
    out = page(one.name, "3", date, version)
    called = [name for name in one.names if name.startswith("segue_")]
    names = [one.name, *[name for name in called if name != one.name]]
    out += [".Sh NAME", *[f".Nm {n} ," for n in names[:-1]], f".Nm {names[-1]}", f".Nd {escape(short(one.title))}"]
    out += [".Sh SYNOPSIS", f".In {one.header}"]
    for name, parts in reference.calls(one):
        out += [f".Fo {name}", *[f".Fa {argument(part)}" for part in parts], ".Fc"]
    out += [".Sh DESCRIPTION", *writer.out]
    built = one.header.endswith("builders.h")
    if built:
        out += [".Sh RETURN VALUES", f".Fn {one.name}", "returns a state, which the next step takes; the one-call posts return what",
                ".Xr segue_post 3", "does."]
    out += [".Sh EXAMPLES", *writer.examples] if writer.examples else example_section(called, known)
    see = [".Sh SEE ALSO", *([".Xr segue_post 3 ,"] if built else []), ".Xr segue 7"]
    return "\n".join([*out, *see, *name_section(one.names, objects)]) + "\n"


def see_also(name: str, others: list[str]) -> list[str]:
    seen = [other for other in sorted(others) if other != name]
    return [".Sh SEE ALSO", ".Xr segue 1 ,", *[f".Xr {other} 3 ," for other in seen], ".Xr segue 7"]


def help_parts(text: str) -> tuple[list[str], list[str]]:
    """Usage lines, and the rest."""
    lines = text.rstrip().split("\n")
    usage = []
    while lines and (lines[0].startswith(("Usage:", "usage:")) or (usage and lines[0].startswith("  "))):
        usage.append(re.sub(r"^[Uu]sage:\s*", "", lines.pop(0)).strip())
    return usage, lines


def syntax_of(usage: str) -> str:
    """A usage line without its explanation, which follows two blanks."""
    return usage.partition("  ")[0]


def meanings(usage: list[str]) -> list[str]:
    """Explanations in usage lines."""
    said = [(syntax_of(line), line.partition("  ")[2].strip()) for line in usage if "  " in line]
    listed = [part for syntax, words in said for part in (f".It Cm {argument(syntax)}", *flow(words))]
    return [".Bl -tag -width Ds", *listed, ".El"] if listed else []


def help_body(lines: list[str]) -> list[str]:
    """Options as a list, the rest as text."""
    out: list[str] = []
    plain: list[str] = []
    listed = False

    def flush() -> None:
        for paragraph in headers.paragraphs(plain):
            if out and not out[-1].startswith(".S"):
                out.append(".Pp")
            out.extend(flow(paragraph))
        plain.clear()

    for line in lines:
        option = re.match(r"  (\S(?:\S| (?! ))*)(?:  +(.*))?$", line)
        further = re.match(r" {6,}(\S.*)$", line)
        if option:
            flush()
            if not listed:
                out.append(".Bl -tag -width Ds")
                listed = True
            out.append(f".It Cm {argument(option[1])}")
            out.extend(flow(option[2] or "") or ["\\&"])
        elif listed and further:
            out.extend(flow(further[1]))
        else:
            if listed:
                out.append(".El")
            listed = False
            plain.append(line)
    if listed:
        out.append(".El")
    flush()
    return out


def command_page(command: str, helps: dict[str, str], see: list[str], more: str, date: str, version: str) -> str:
    usage, body = help_parts(helps[command])
    parts = {name: help_parts(text) for name, text in helps.items() if name.startswith(command + " ")}
    first = headers.paragraphs(body)[0] if body else command
    title = {"segue": "read dumps, syndromes, specs and devices of mlx5 cards"}.get(command) or re.split(r"[.;:]", first)[0]
    out = page(command, "1", date, version)
    out += [".Sh NAME", f".Nm {command}", f".Nd {escape(title[:1].lower() + title[1:])}", ".Sh SYNOPSIS"]
    for line in usage + [line for name in parts for line in parts[name][0]]:
        # Another program may start it.
        begins, _, rest = syntax_of(line).partition(" ")
        out += [".Nm" + (f" {begins}" if begins != command else ""), ".Cm " + argument(rest.strip() or "--help")]
    out += [".Sh DESCRIPTION", *help_body(body)]
    for name, (lines, text) in parts.items():
        out += [f".Ss {name}", *meanings(lines), *help_body(text)]
    out += more.rstrip("\n").split("\n") if more else []
    out.append(".Sh SEE ALSO")
    out += [f".Xr {name} {section}" + (" ," if (name, section) != see[-1] else "") for name, section in see]
    return "\n".join(out) + "\n"


def list_page(readme: Path, pages: dict[str, str], date: str, version: str) -> str:
    text = readme.read_text(encoding="utf-8")
    first = next(p for p in text.split("\n\n")[1:] if not p.startswith("#"))
    out = page("segue", "7", date, version)
    out += [".Sh NAME", ".Nm segue", ".Nd RDMA data paths on mlx5 cards in typed C", ".Sh DESCRIPTION"]
    out += flow(re.sub(r"[*`]", "", " ".join(first.split())))
    out += [".Pp", ".Xr segue_tutorial 7", "walks through a first program;", ".Xr segue_post 3", "and the pages below have examples.",
            ".Pp", "Programs include the headers they need and link with", ".Fl lsegue lmlx5 libverbs ,", "with many peers also", ".Fl lsegue_peers ,", "or ask pkg-config for", ".Pa segue.pc", "or", ".Pa segue-peers.pc .",
            "Headers, each with a page of its own:", ".Bl -tag -width Ds"]
    for name, title in sorted(pages.items()):
        out += [f".It Xr {name} 3", *flow(title + ".")]
    out += [".El", ".Sh SEE ALSO", ".Xr segue 1 ,", ".Xr softhca 1 ,", ".Xr segue_tutorial 7"]
    return "\n".join(out) + "\n"


def tutorial_page(text: str, date: str, version: str) -> str:
    """docs/tutorial.md, code and all."""
    writer = reference.Writer(apart=False)
    writer.write(re.sub(r"^(`[^`\n]+`):$", r"\1:\n", text, flags=re.MULTILINE))
    out = page("segue_tutorial", "7", date, version)
    out += [".Sh NAME", ".Nm segue_tutorial", ".Nd a first program over RDMA, step by step", ".Sh DESCRIPTION", *writer.out]
    return "\n".join([*out, ".Sh SEE ALSO", ".Xr softhca 1 ,", ".Xr segue_post 3 ,", ".Xr segue 7"]) + "\n"


def generated_names(folder: Path) -> set[str]:
    text = "\n".join(header.read_text(encoding="utf-8") for header in folder.rglob("*.h"))
    return set(re.findall(r"\b(?:segue|SEGUE)_\w+", headers.COMMENT.sub("", text)))


def tables(folder: Path) -> set[str]:
    """Constant objects of the generated headers."""
    text = "\n".join(header.read_text(encoding="utf-8") for header in folder.rglob("*.h"))
    return set(re.findall(r"^extern const [\w ]+[ *](segue_\w+)[\[;]", text, re.MULTILINE))


def write_reference(options: argparse.Namespace, hand_written: str, known: list[examples.Example], leads: dict[str, str]) -> None:
    """Pages of generated headers. Names that hand-written headers declare keep their page."""
    declared, objects = generated_names(options.generated), tables(options.generated)
    for one in reference.pages(options.reference, hand_written):
        if one.name in leads:
            one.name += "_" + one.header.rpartition("/")[2].removesuffix(".h").removesuffix("s")
        one.names = [name for name in one.names if name in declared and name not in leads]
        one.names += [n for n in sorted(declared - {*one.names, *leads}) if any(re.fullmatch(p, n) for p in one.patterns)]
        (options.out / "man3" / f"{one.name}.3").write_text(reference_page(one, known, objects, options.date, options.version), encoding="utf-8")
        leads.update({name: one.name for name in [one.name, *one.names]})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--date", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--readme", type=Path, required=True)
    parser.add_argument("--reference", type=Path, required=True)
    parser.add_argument("--page", type=Path, action="append", default=[])
    parser.add_argument("--generated", type=Path, required=True)
    parser.add_argument("--more", type=Path, action="append", default=[])
    parser.add_argument("--tutorial", type=Path, required=True)
    parser.add_argument("--help-of", action="append", default=[])
    parser.add_argument("--example", type=Path, action="append", default=[])
    parser.add_argument("headers", type=Path, nargs="+")
    options = parser.parse_args()
    texts = {h: h.read_text(encoding="utf-8") for h in options.headers}
    for header in [h for h in texts if "detail" in h.parts]:
        owner = next(h for h in texts if below(h) == DETAIL.get(header.stem, "segue") + ".h")
        texts[owner] += "\n" + texts.pop(header)
    for header in [h for h in texts if stem(h) in PARTS]:
        texts[next(h for h in texts if stem(h) == PARTS[stem(header)])] += "\n" + texts.pop(header)
    documented = sorted((h for h in texts if headers.functions(h.name, texts[h]) or headers.types(texts[h]) or headers.others(texts[h])), key=name_of)
    names = [name_of(h) for h in documented]
    for section in ("man1", "man3", "man7"):
        (options.out / section).mkdir(parents=True, exist_ok=True)
    leads: dict[str, str] = {}
    calls = {f.name for h in documented for f in headers.functions(h.name, texts[h])}
    known = examples.find(options.example)
    for header in documented:
        text, found = header_page(header, texts[header], neighbours(texts[header], names, calls), known, options.generated, options.date, options.version)
        (options.out / "man3" / f"{found[0]}.3").write_text(text, encoding="utf-8")
        leads.update({name: found[0] for name in found})
    for path in options.page:
        text = path.read_text(encoding="utf-8")
        leads.update({name: path.stem for name in re.findall(r"^\.Nm (\w+)", text, re.MULTILINE)})
        for also in re.findall(r'^\.\\" also: (.*)$', text, re.MULTILINE):
            more_names = [name for name in sorted(generated_names(options.generated)) if re.fullmatch(also, name) and name not in leads]
            leads.update({name: path.stem for name in more_names})
            text += "\n".join([*name_section(more_names, tables(options.generated)), ""])
        text = text.replace("@DATE@", options.date).replace("@VERSION@", options.version)
        (options.out / "man3" / path.name).write_text(text, encoding="utf-8")
    tables_there = tables(options.generated)
    write_reference(options, "\n".join(texts.values()), known, leads)
    for name, to in leads.items():
        if name != to and is_linked(name, tables_there):
            (options.out / "man3" / f"{name}.3").write_text(f".so man3/{to}.3\n", encoding="utf-8")
    helps = {name: Path(path).read_text(encoding="utf-8") for name, path in (one.split("=", 1) for one in options.help_of)}
    commands = sorted(name for name in helps if " " not in name)
    more = {path.name.partition(".")[0]: path.read_text(encoding="utf-8") for path in options.more}
    for command in commands:
        see = [(other, "1") for other in commands if other != command] + [("segue", "7")]
        (options.out / "man1" / f"{command}.1").write_text(command_page(command, helps, see, more.get(command, ""), options.date, options.version), encoding="utf-8")
    tutorial = tutorial_page(options.tutorial.read_text(encoding="utf-8"), options.date, options.version)
    (options.out / "man7" / "segue_tutorial.7").write_text(tutorial, encoding="utf-8")
    titles = {name_of(h): headers.overview(texts[h]).title for h in documented}
    (options.out / "man7" / "segue.7").write_text(list_page(options.readme, titles, options.date, options.version), encoding="utf-8")


if __name__ == "__main__":
    main()
