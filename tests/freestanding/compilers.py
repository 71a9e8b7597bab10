# SPDX-License-Identifier: BSD-2-Clause
"""Where compilers of device code are."""

import os
import shutil
from typing import Optional

CUDA_HOME = "/usr/local/cuda/bin"  # where packages of CUDA put them, which is in nobody's PATH


def tool(name: str) -> Optional[str]:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{CUDA_HOME}")
