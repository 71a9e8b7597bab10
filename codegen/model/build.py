# SPDX-License-Identifier: BSD-2-Clause
"""Builds the model from spec files: shape by schema, then every name resolved. All errors are collected."""

from __future__ import annotations

import os
from typing import Sequence

from codegen.machine.automaton import elements
from codegen.model.layout import Expander, build_fragment, build_work_request, check_elements
from codegen.model.device import build_devices, build_rings, find_device
from codegen.model.segment import build_enums, build_segment, build_table, fill_images, resolve_formats
from codegen.model.transport import build_transport
from codegen.load.load import Document, Node, Problem, load
from codegen.model.model import Model, Place, Repository, SpecError
from codegen.model.resolve import Context
from codegen.load.schema import KINDS, check_shape, dedupe, spoken
from codegen.load.source import ELSEWHERE

NodesByKind = dict[str, list[Node]]


def build_model(files: list[str]) -> Model:
    """The model that `files` describe together. Raises SpecError with all errors."""
    return model_of([load(file) for file in files])


def model_of(documents: Sequence[Document]) -> Model:
    """build_model() for files that are in memory already."""
    model, problems = build(documents)
    if problems:
        raise SpecError(problems)
    return model


def build(documents: Sequence[Document]) -> tuple[Model, list[Problem]]:
    """The model, as far as it could be built, and the errors. Raises SpecError if a file cannot be read at all."""
    context = Context()
    context.model.files = [document.file for document in documents]
    nodes = sort_nodes(context, documents)
    build_values(context, nodes)
    build_layouts(context, nodes)
    for items in every_list(context.model):
        items.sort(key=lambda item: item.name)
    return context.model, dedupe(context.errors)


def every_list(model: Model) -> list[list]:
    return [model.devices, model.enums, model.segments, model.cqes, model.fragments, model.work_requests, model.transports]


def sort_nodes(context: Context, documents: Sequence[Document]) -> NodesByKind:
    """The well-formed items by kind. The others become errors and broken names."""
    unread = [problem for document in documents if document.root is None for problem in document.errors]
    if unread:
        raise SpecError(dedupe(unread))  # other errors may follow from the missing files
    nodes: NodesByKind = {kind: [] for kind in KINDS}
    first: dict[tuple[str, str], Place] = {}
    for document in documents:
        problems = list(document.errors)
        root = document.root
        if root is not None and not problems:
            problems = check_shape(root)
        context.errors.extend(problems)
        if root is None:
            continue
        kind, name = root.text("kind"), root.text("name")
        if problems:
            context.broken |= {(one, name) for one in ([kind] if kind in KINDS else KINDS)}
            context.lost |= {node.text("name") for node in root.parts("values")}
        elif (kind, name) in first:
            context.error(root.child("name").place,
                          f"{spoken(kind)} '{name}' exists already, at {first[kind, name]}; expected another name, or one of the files")
        else:
            first[kind, name] = root.child("name").place
            nodes[kind].append(root)
            check_file_name(context, document.file, root)
    return nodes


def check_file_name(context: Context, file: str, root: Node) -> None:
    stem, extension = os.path.splitext(os.path.basename(file))
    name = root.text("name")
    if stem != name or extension != ".yaml":
        kind = spoken(root.text("kind"))
        context.error(root.child("name").place, f"{kind} '{name}' is in the file '{stem}{extension}'; expected '{name}.yaml'")


def build_values(context: Context, nodes: NodesByKind) -> None:
    """Enums, segments and CQE formats."""
    model = context.model
    build_repositories(context, nodes["repositories"])
    enums = build_enums(context, nodes["enum"])
    build_devices(context, nodes["device"])
    model.segments = [build_segment(context, root) for root in nodes["segment"]]
    model.cqes = [build_segment(context, root) for root in nodes["cqe"]]
    for root, segment in zip(nodes["segment"] + nodes["cqe"], model.segments + model.cqes):
        resolve_formats(context, root, segment)
        segment.table = build_table(context, root, segment)
    for part in enums:
        fill_images(context, part)


def build_repositories(context: Context, roots: list[Node]) -> None:
    """The repositories that sources may cite. Built first, because every item has a source."""
    known = context.model.repositories
    for node in (node for root in roots for node in root.child("repositories").items()):
        name = node.text("name")
        if name in known or name in ELSEWHERE:
            context.error(node.place, f"repository '{name}' exists already; expected another name")
        known[name] = Repository(name, node.text("url"), node.text("commit"), node.text("confidence") == "secondary", node.text("doc"))


def build_layouts(context: Context, nodes: NodesByKind) -> None:
    """Everything that has a layout. Needs the segments."""
    model = context.model
    find_device(context, nodes)
    find_control(context, nodes)
    find_queue_controls(context, nodes["device"])
    build_rings(context, nodes["device"])
    model.transports = [build_transport(context, root) for root in nodes["transport"]]
    model.fragments = [build_fragment(context, root) for root in nodes["fragment"]]
    model.work_requests = [build_work_request(context, root) for root in nodes["work_request"]]
    expander = Expander(context, {root.text("name"): root for root in nodes["fragment"]})
    expander.expand_all()
    for root, request in zip(nodes["work_request"], model.work_requests):
        expander.expand(request.layout, root.child("layout").items(), [])
    for root, transport in zip(nodes["transport"], model.transports):
        expander.expand(transport.address, root.parts("address"), [])
    known = len(context.errors)
    check_elements(context)
    if len(context.errors) > known:
        raise SpecError(dedupe(context.errors))
    check_when(context)


def find_control(context: Context, nodes: NodesByKind) -> None:
    """The control segments. One is needed as soon as anything is posted. The builder of rings takes
    no more than one."""
    roots = [root for root in nodes["segment"] if root.get("control") is not None]
    ring = not context.model.devices or context.model.device.ring
    for root in roots[1:] if ring else []:
        context.error(root.key_place("control"), f"segment '{root.text('name')}' is a second control segment, after "
                                                 f"'{roots[0].text('name')}'; expected exactly one")
    users = nodes["work_request"] + nodes["transport"]
    if not roots and users and not any(kind == "segment" for kind, _ in context.broken):
        context.error(users[0].child("name").place, f"{spoken(users[0].text('kind'))} '{users[0].text('name')}' needs a "
                                                    "control segment, and no segment has the key 'control'")
    context.controls = [s for root in roots for s in context.model.segments
                        if s.name == root.text("name")][:1 if ring else None]


def find_queue_controls(context: Context, roots: list[Node]) -> None:
    for device, root in zip(context.model.devices, roots):
        for queue, node in zip(device.queues, root.parts("queues")):
            if node.get("control") is not None and device.ring:
                context.error(node.key_place("control"), f"queue '{queue.name}' of device "
                                                         f"'{device.name}' has 'control'; "
                                                         "expected it only "
                                                         "on a device that posts to blocks")
            elif node.get("control") is not None:
                queue.control = context.control(node, f"queue '{queue.name}' of device "
                                                      f"'{device.name}'")
                context.lost_controls |= {queue.name} if queue.control is None else set()


def check_when(context: Context) -> None:
    """Every transport that a `when` names exists."""
    model = context.model
    known = [transport.name for transport in model.transports]
    for element in {id(e): e for _, layout in model.layouts for e in elements(layout)}.values():
        for name in element.when or []:
            if name not in known:
                context.lookup("transport", model.transports, Node(name, element.place), "'when'")
