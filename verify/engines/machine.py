"""What computes here: numbers of two machines are compared only if it is known what computed them."""

from __future__ import annotations

import functools
import platform
import sysconfig
import time
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

PACKAGES = ("numpy", "scipy", "python-flint", "deep-l2-verify")


@functools.cache
def versions() -> Mapping[str, str]:
    """What numbers may depend on: versions of Python and of packages, the platform, and two choices that libraries make.

    These are ``blas``, the kernels of the linear algebra, and ``simd``, the instructions that NumPy uses. Sums of floats round
    differently where one of them differs.
    """
    known = {name: _version(name) for name in PACKAGES}
    return {
        "python": platform.python_version(),
        **known,
        "platform": sysconfig.get_platform(),
        "blas": _blas(),
        "simd": _simd(),
    }


REFERENCE = 0.0045
"""Seconds of the loop of `slowness` on the machine whose times stand in the documents."""


@functools.cache
def slowness() -> float:
    """How many times longer a small piece of work takes here than on our machine, at least 1: by the clock, busy or not."""
    return max(1.0, sorted(_loop() for _ in range(5))[2] / REFERENCE)


def _loop() -> float:
    """Seconds of steps of Python and of small arrays, which is what checks consist of."""
    import numpy as np

    start, matrix, total = time.perf_counter(), np.eye(8), 0
    for k in range(1000):
        matrix = matrix @ matrix.T * 0.05 + 0.5
        total += sum(j * k for j in range(16))
    return time.perf_counter() - start


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _blas() -> str:
    """Such as "openblas 0.3.30 Haswell"; NumPy and SciPy may carry one each. Those that other packages carry do not count."""
    import numpy as np
    import scipy.linalg  # noqa: F401 (what is not loaded is not found)
    from threadpoolctl import threadpool_info

    packages = Path(np.__file__).resolve().parents[1]

    def counts(file: str) -> bool:
        path = Path(file).resolve()
        return not path.is_relative_to(packages) or path.relative_to(packages).parts[0].startswith(("numpy", "scipy"))

    libraries = [library for library in threadpool_info() if library["user_api"] == "blas" and counts(library["filepath"])]
    words = {
        " ".join(str(library[key]) for key in ("internal_api", "version", "architecture") if library.get(key))
        for library in libraries
    }
    return ", ".join(sorted(words)) or "unknown"


def _simd() -> str:
    """Such as "AVX512_ICL": the furthest extension that NumPy knows and the processor has."""
    import numpy as np

    configuration = np.show_config(mode="dicts")
    extensions = configuration.get("SIMD Extensions", {}).get("found", []) if configuration else []
    return extensions[-1] if extensions else "baseline"
