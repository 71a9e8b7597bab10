# SPDX-License-Identifier: BSD-2-Clause
"""The semantic checks of a model. One concept per file. Each returns (place, sentence) pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Sequence

from codegen.machine.automaton import check_grammar
from codegen.model.build import build
from codegen.check.cover import check_cover
from codegen.check.device import check_device
from codegen.check.enums import check_enums
from codegen.check.fields import check_fields
from codegen.check.layouts import check_layouts
from codegen.check.names import check_names
from codegen.check.needs import check_needs
from codegen.check.pieces import check_pieces
from codegen.check.segments import check_segments
from codegen.check.text import check_texts
from codegen.check.transports import check_transports
from codegen.check.vectors import check_vectors
from codegen.load.load import Document, Problem, load
from codegen.model.model import Model, SpecError
from codegen.load.schema import dedupe


def apart_from(model: Model, problems: list[Problem]) -> Model:
    """The model without the segments of files that have errors."""
    files = {place.file for place, _ in problems}
    return replace(model, segments=[s for s in model.segments if s.place.file not in files],
                   cqes=[c for c in model.cqes if c.place.file not in files], derived={})


def check(model: Model) -> list[Problem]:
    """Every offence of the model, sorted by place, or an empty list."""
    problems = check_part(model, [])
    if not problems:
        problems = check_device(model) + check_needs(model)
    if not problems:
        problems = check_grammar(model) + check_pieces(model)  # builds the machines, for which the layouts must be sound
    return dedupe(problems)


def check_part(model: Model, known: list[Problem]) -> list[Problem]:
    """Every offence that does not follow from another one. `known`: offences of items that could not be built and are not in the model."""
    files = {place.file for place, _ in known}
    whole = {segment.place for segment in model.segments + model.cqes if segment.place.file in files}
    bits = [problem for problem in check_cover(model) if problem[0] not in whole]  # a gap there may have another error as its cause
    problems = bits + check_texts(model) + check_fields(apart_from(model, known))
    problems += [problem for problem in check_enums(model) if problem[0].file not in files]
    sound = apart_from(model, known + bits)  # these assume that each field lies inside its segment
    problems += check_segments(sound) + check_vectors(sound)
    if not known:
        problems += check_names(model) + check_transports(model)
        problems += check_layouts(model) if not bits else []
    return problems


def checked_model(files: list[str]) -> Model:
    """The model that `files` describe together. Raises SpecError with every error of the first step that found any."""
    return checked_documents([load(file) for file in files])


def checked_documents(documents: Sequence[Document]) -> Model:
    """checked_model() for files that are in memory already."""
    model, problems = build(documents)
    problems = dedupe(problems + check_part(model, problems)) if problems else check(model)
    if problems:
        raise SpecError(problems)
    return model
