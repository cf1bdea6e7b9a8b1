"""Whose code is looked into: that of users, not that of `verify`, of Python or of what is installed."""

from __future__ import annotations

import functools
import site
import sys
import sysconfig


@functools.cache
def is_followed(top: str) -> bool:
    """Whether the code of a package is looked into: it is not `verify`, not Python's own, and not installed."""
    if top == "verify" or top in sys.builtin_module_names or top in sys.stdlib_module_names:
        return False
    module = sys.modules.get(top)
    places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return not any(isinstance(place, str) and place.startswith(installed_places()) for place in places)


@functools.cache
def installed_places() -> tuple[str, ...]:
    """Where distributions are installed, and where Python's own modules are."""
    own = {
        *map(sysconfig.get_path, ("purelib", "platlib", "stdlib", "platstdlib")),
        site.getusersitepackages(),
        *site.getsitepackages(),
    }
    return tuple(sorted(own))
