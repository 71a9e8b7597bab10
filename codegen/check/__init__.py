# SPDX-License-Identifier: BSD-2-Clause
"""The semantic checks: what a model may say. One concept per file; each returns (place, sentence) pairs."""

from __future__ import annotations

from typing import Sequence

from codegen.automaton import check_grammar
from codegen.build import model_of
from codegen.check.cover import check_cover
from codegen.check.device import check_device
from codegen.check.enums import check_enums
from codegen.check.fields import check_fields
from codegen.check.layouts import check_layouts
from codegen.check.names import check_names
from codegen.check.needs import check_needs
from codegen.check.segments import check_segments
from codegen.check.text import check_texts
from codegen.check.transports import check_transports
from codegen.check.vectors import check_vectors
from codegen.load import Document, Problem, load
from codegen.model import Model, SpecError
from codegen.schema import dedupe

ALWAYS = (check_texts, check_enums, check_fields, check_names, check_transports)
WITH_SOUND_BITS = (check_segments, check_vectors, check_layouts)


def check(model: Model) -> list[Problem]:
    """Every offence of the model, sorted by place; empty when it is fine."""
    bits = check_cover(model)
    problems = bits + [problem for one_check in ALWAYS for problem in one_check(model)]
    if not bits:  # what follows takes each field to lie inside its segment
        problems += [problem for one_check in WITH_SOUND_BITS for problem in one_check(model)]
    if not problems:
        problems = check_device(model) + check_needs(model)
    if not problems:
        problems = check_grammar(model)  # builds the machines, which only sound layouts allow
    return dedupe(problems)


def checked_model(files: list[str]) -> Model:
    """The model that `files` describe together; SpecError with every error of the first step that found any."""
    return checked_documents([load(file) for file in files])


def checked_documents(documents: Sequence[Document]) -> Model:
    """checked_model() for files that are in memory already."""
    model = model_of(documents)
    problems = check(model)
    if problems:
        raise SpecError(problems)
    return model
