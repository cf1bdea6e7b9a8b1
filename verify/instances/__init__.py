"""Arrays and networks of one instance, and functions of them called for a batch; see `verify.instances.array`."""

from verify.instances import functions as functions  # fills the tables of NumPy's functions
from verify.instances import linear_algebra as linear_algebra
from verify.instances.array import (
    InstanceArray,
    NeedsOneInstance,
    aligned,
    apply_ufunc,
    core_ndim,
    exact_integers,
    gathered,
    one_by_one,
    one_of,
)
from verify.instances.calls import SlowerOneByOne, batched, called
from verify.instances.views import InstanceView, lead_in, lifted, of_matrices, wrapped

__all__ = [
    "InstanceArray",
    "InstanceView",
    "NeedsOneInstance",
    "SlowerOneByOne",
    "aligned",
    "apply_ufunc",
    "batched",
    "called",
    "core_ndim",
    "exact_integers",
    "gathered",
    "lead_in",
    "lifted",
    "of_matrices",
    "one_by_one",
    "one_of",
    "wrapped",
]
