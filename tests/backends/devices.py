# SPDX-License-Identifier: BSD-2-Clause
"""The devices that Segue has."""

from __future__ import annotations

from typing import Any

from codegen.main import arguments, expand, model_for
from codegen.model.model import Model
from codegen.model.export import neutral

DEVICES = ("mlx5", "efa", "bnxt_re", "hns", "nvme")


def checked(device: str) -> Model:
    options = arguments(["model", f"spec/{device}"])
    options.files = expand(options.files)
    return model_for(options)


def model_of(device: str) -> dict[str, Any]:
    return neutral(checked(device))
