# SPDX-License-Identifier: BSD-2-Clause
"""The devices that Segue has."""

from __future__ import annotations

from typing import Any

from codegen.main import arguments, expand, model_for
from codegen.model.model import Model
from codegen.model.export import neutral

DEVICES = ("mlx5", "efa", "bnxt_re", "hns", "ionic", "nvme")


# Those that are small specs of tests, which bring no repositories.
SMALL = ("dsa", "ena", "mana")


def checked(device: str) -> Model:
    paths = [f"tests/devices/{device}", "spec/verbs/repositories.yaml"] if device in SMALL else [f"spec/{device}"]
    options = arguments(["model", *paths])
    options.files = expand(options.files)
    return model_for(options)


def model_of(device: str) -> dict[str, Any]:
    return neutral(checked(device))
