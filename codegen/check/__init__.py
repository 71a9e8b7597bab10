# SPDX-License-Identifier: BSD-2-Clause
"""The semantic checks: what a model may say. One concept per file; each returns (place, sentence) pairs."""

from __future__ import annotations

from codegen.build import build_model
from codegen.load import Problem
from codegen.model import Model, SpecError
from codegen.schema import dedupe


def check(model: Model) -> list[Problem]:
    """Every offence of the model, sorted by place; empty when it is fine."""
    problems: list[Problem] = []
    return dedupe(problems)


def checked_model(files: list[str]) -> Model:
    """build_model() and check() in one; SpecError with every error of the first step that found any."""
    model = build_model(files)
    problems = check(model)
    if problems:
        raise SpecError(problems)
    return model
