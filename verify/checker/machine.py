"""What computes here: numbers of two machines are compared only if it is known what computed them."""

from __future__ import annotations

import functools
import platform
import sysconfig
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
    found = {name: _version(name) for name in PACKAGES}
    return {
        "python": platform.python_version(),
        **found,
        "platform": sysconfig.get_platform(),
        "blas": _blas(),
        "simd": _simd(),
    }


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

    libraries = [one for one in threadpool_info() if one["user_api"] == "blas" and counts(one["filepath"])]
    words = {
        " ".join(str(one[key]) for key in ("internal_api", "version", "architecture") if one.get(key)) for one in libraries
    }
    return ", ".join(sorted(words)) or "unknown"


def _simd() -> str:
    """Such as "AVX512_ICL": the furthest extension that NumPy knows and the processor has."""
    import numpy as np

    configuration = np.show_config(mode="dicts")
    found = configuration.get("SIMD Extensions", {}).get("found", []) if configuration else []
    return found[-1] if found else "baseline"
