"""Array libraries that tests run on: NumPy, read-only NumPy, CuPy where there is a CUDA device, and a strict stand-in for it.

The stand-in lives on the host. It is found by `verify.numbers.arithmetic.array_module` as CuPy's arrays are, and refuses what
CuPy refuses or what would move data behind the caller's back: functions of NumPy on its arrays, NumPy's arrays beside its own,
and conversions to NumPy's arrays and to numbers.
"""

import importlib.util
import sys
import types

import numpy as np


def _names(text):
    return frozenset(text.split())


# functions of NumPy that CuPy has too
MODULE_FUNCTIONS = _names(
    """abs all any arange array ascontiguousarray asarray broadcast_to concatenate copyto divide einsum empty exp eye full
    isfinite log log1p matmul max maximum min minimum moveaxis multiply ones ones_like result_type sqrt stack sum swapaxes
    where zeros zeros_like"""
)
CONSTANTS = _names("float32 float64 int64 inf newaxis bool_")
METHODS = _names(
    """all any argmax argmin argsort astype conj copy cumsum diagonal dot max mean min nonzero prod ravel repeat reshape squeeze
    sum swapaxes take trace transpose"""
)
OPTIONS = _names("axes axis compute_uv copy dtype full_matrices keepdims out s")
ATTRIBUTES = _names("dtype itemsize nbytes ndim shape size strides")


class StrictArray:
    """Array of the stand-in: the interface that CuPy's arrays share with NumPy's."""

    __module__ = "cupy"
    __array_ufunc__ = None  # NumPy's arrays and functions do not work with it
    __hash__ = None

    def __init__(self, host):
        self._host = host

    def __array__(self, *_, **__):
        raise TypeError("implicit conversion to a NumPy array")

    def __array_function__(self, function, *_):
        raise TypeError(f"numpy.{function.__name__} on an array of another library")

    def _refuse(self, *_):
        raise TypeError("implicit conversion to a number: it waits for the device")

    __float__ = __index__ = __complex__ = _refuse

    def __int__(self):
        return int(self._host) if self._host.dtype.kind in "iu" else self._refuse()  # a count that decides on a shape

    def __bool__(self):
        return bool(self._host)  # as an answer to a check

    def __len__(self):
        return len(self._host)

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def __getattr__(self, name):
        if name in ATTRIBUTES:
            return getattr(self._host, name)
        if name in ("T", "real", "imag"):
            return StrictArray(getattr(self._host, name))
        if name not in METHODS:
            raise AttributeError(f"{name!r} is not among the methods that the tests know of CuPy's arrays")
        return _wrapped(getattr(self._host, name))

    def __getitem__(self, index):
        return _wrap(self._host[_index(index)])

    def __setitem__(self, index, value):
        self._host[_index(index)] = _unwrap(value)


def _operator(name):
    def apply(self, *others):
        result = getattr(self._host, name)(*map(_unwrap, others))
        return NotImplemented if result is NotImplemented else _wrap(result)

    return apply


def _in_place(name):
    def apply(self, other):
        getattr(self._host, name)(_unwrap(other))
        return self

    return apply


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
    setattr(StrictArray, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(StrictArray, f"__r{_name}__", _operator(f"__r{_name}__"))
    if _name != "matmul":
        setattr(StrictArray, f"__i{_name}__", _in_place(f"__i{_name}__"))
for _name in ("lt", "le", "gt", "ge", "eq", "ne", "neg", "invert", "abs"):
    setattr(StrictArray, f"__{_name}__", _operator(f"__{_name}__"))


def _wrap(value):
    if isinstance(value, tuple):
        return tuple(map(_wrap, value))
    # where NumPy returns a number, CuPy returns an array without axes
    return StrictArray(np.asarray(value)) if isinstance(value, np.ndarray | np.generic) else value


def _unwrap(value):
    if isinstance(value, StrictArray):
        return value._host
    if isinstance(value, np.ndarray):
        raise TypeError("an array of NumPy beside arrays of another library")
    if isinstance(value, list | tuple):
        return type(value)(map(_unwrap, value))
    return value


def _index(index):
    if isinstance(index, tuple):
        return tuple(map(_index, index))
    return index if isinstance(index, np.ndarray) else _unwrap(index)  # CuPy takes indices from the host


def _wrapped(function):
    def call(*arguments, **options):
        if not OPTIONS.issuperset(options):
            raise TypeError(f"{', '.join(set(options) - OPTIONS)}: not an argument of CuPy's {function.__name__}")
        return _wrap(function(*map(_unwrap, arguments), **{name: _unwrap(value) for name, value in options.items()}))

    return call


def _entering(values, dtype=None):
    """`asarray` and `array`: the only ways of arrays of NumPy onto the device."""
    host = values._host if isinstance(values, StrictArray) else np.asarray(values)
    return host if dtype is None else host.astype(dtype, copy=False)


def stand_in():
    """A module for ``sys.modules["cupy"]``."""
    module = types.ModuleType("cupy")
    for name in MODULE_FUNCTIONS:
        setattr(module, name, _wrapped(getattr(np, name)))
    matmul = module.matmul
    module.matmul = lambda left, right, *, out=None: matmul(left, right, out=out)  # CuPy's takes out by name only
    module.asarray = lambda values, dtype=None: StrictArray(_entering(values, dtype))
    module.array = lambda values, dtype=None: StrictArray(np.array(_entering(values, dtype)))
    module.asnumpy = lambda array: array._host.copy()
    module.einsum = lambda subscripts, *operands: _wrapped(np.einsum)(subscripts, *operands)  # CuPy's takes no out
    for name in CONSTANTS:
        setattr(module, name, getattr(np, name))
    module.linalg = types.SimpleNamespace(
        **{name: _wrapped(getattr(np.linalg, name)) for name in ("svd", "norm", "eigh", "solve")}
    )
    module.fft = types.SimpleNamespace(**{name: _wrapped(getattr(np.fft, name)) for name in ("rfftn", "irfftn", "fftn")})
    return module


class Library:
    """An array library: how tests bring arrays to it and back."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name

    def asarray(self, values):
        """`values` as an array of this library."""
        values = np.asarray(values)
        if self.name == "numpy":
            return values
        if self.name == "read-only numpy":
            copy = values.copy()
            copy.flags.writeable = False
            return copy
        return sys.modules["cupy"].asarray(values)

    def on_host(self, array):
        """An array of this library, and of no other, as NumPy's."""
        if "numpy" in self.name:
            assert type(array) is np.ndarray or np.ndim(array) == 0, type(array)
            return np.asarray(array)
        assert type(array).__module__.split(".")[0] == "cupy", type(array)
        return sys.modules["cupy"].asnumpy(array)


def why_not_on_cuda():
    """None where tests can run on CUDA; else the reason that they cannot."""
    if importlib.util.find_spec("cupy") is None:
        return "CuPy is not installed"
    import cupy

    return None if cupy.cuda.is_available() else "there is no CUDA device"


LIBRARIES = ["numpy", "read-only numpy", "strict stand-in", *([] if why_not_on_cuda() else ["cupy"])]
