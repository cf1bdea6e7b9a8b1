"""A call of every public function, class and method of the engine, with arguments that are in order: see test_arguments.py.

Arrays hold integers of a size that overflows in eight bits as soon as two are multiplied; `CALLS` tells what an argument is by
the type of its value: an array, a list of arrays, an integer, a float for any number, a `Fraction` for an exponent, and so on.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import pkgutil
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

import verify.cones
from verify import matrices, networks, piecewise
from verify.cones import (
    completely_positive,
    conical_hull,
    copositive,
    covariance_pairs,
    exposed_faces,
    hidden_layers,
    reference,
    support_graphs,
)
from verify.networks import circular, leaky_resnet, ntk, training
from verify.numbers import arithmetic
from verify.numbers.arithmetic import rationals
from verify.piecewise import certificates

CONES = [
    importlib.import_module(f"verify.cones.{module.name}")
    for module in pkgutil.iter_modules(verify.cones.__path__)
    if not module.ispkg and not module.name.startswith("_")
]
NAMESPACES = [arithmetic, networks, leaky_resnet, circular, training, ntk, matrices, *CONES, piecewise, certificates]
"""Where public names are: those of ``__all__``, else those that are defined there."""


@dataclass(frozen=True)
class Call:
    """A function with arguments that are in order.

    Attributes
    ----------
    accepts
        Of some arguments the labels of values in test_arguments.py that are in order for this function alone.
    optional
        Arguments that may be None.
    """

    function: Any
    arguments: dict[str, Any]
    accepts: dict[str, str] = field(default_factory=dict)

    def __call__(self, arguments: dict[str, Any]) -> Any:
        """The function with the values of all its arguments."""
        parameters = inspect.signature(self.function).parameters
        positional = [arguments[name] for name in arguments if parameters[name].kind is inspect.Parameter.POSITIONAL_ONLY]
        named = {
            name: value for name, value in arguments.items() if parameters[name].kind is not inspect.Parameter.POSITIONAL_ONLY
        }
        return self.function(
            *positional, **named | {"generator": copy.deepcopy(named["generator"])} if "generator" in named else named
        )


def public() -> dict[str, Any]:
    """All public functions and classes, and the public methods of these classes, that ask for something, by name."""
    found = {}
    for module in NAMESPACES:
        names = getattr(module, "__all__", None) or [
            name
            for name, value in vars(module).items()
            if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
        ]
        for name in names:
            value = getattr(module, name)
            if value in found.values():
                continue  # in the namespace of the package already
            if inspect.isfunction(value) or (inspect.isclass(value) and not _is_abstract(value)):
                found[f"{module.__name__}.{name}"] = value
            if inspect.isclass(value) and not _is_abstract(value):
                for method, function in inspect.getmembers(value, lambda one: inspect.isfunction(one) or inspect.ismethod(one)):
                    if method == "__call__" or not method.startswith("_"):
                        found[f"{module.__name__}.{name}.{method}"] = function
    return {name: value for name, value in found.items() if set(inspect.signature(value).parameters) - {"self"}}


def _is_abstract(value: type) -> bool:
    """Exceptions, which the package raises, and protocols."""
    return issubclass(value, BaseException) or getattr(value, "_is_protocol", False)


A = np.array([[100.0, 60], [60, 90]])  # positive definite, without negative entries
B = np.array([[50.0, 20], [20, 120]])
V = np.array([100.0, 90])
X = np.array([[100.0, 30], [20, 110], [60, 50]])  # points
Y = np.array([[50.0], [100], [30]])
W1, W2 = np.array([[100.0, 50], [30, 90], [20, 10]]), np.array([[100.0, 20, 50]])
FLOAT = networks.FullyConnected([W1, W2], [np.array([10.0, 20, 100]), np.array([5.0])])
SQUARE = networks.FullyConnected([W1, np.array([[100.0, 20, 50], [10, 30, 40]])])
EXACT = FLOAT.as_exact()
SMALL = networks.FullyConnected([rationals([[1, 1], [1, -1]]), rationals([[1, -1]])])
LINEAR = networks.FullyConnected([rationals([[1, 0], [0, 1]])])
RELU = networks.relu()
BOX = piecewise.Polytope.box([-1, -1], [1, 1])
KERNEL = np.array([[[[100.0, 20], [30, 40]]]])
CNN = circular.CircularCNN([KERNEL, KERNEL])
IMAGE = np.array([[[100.0, 20], [30, 40]]])
RESNET = leaky_resnet.LeakyResNet([np.array([[50.0, 20, 10], [30, 40, 10]])], 0.5)
ODE = leaky_resnet.ContinuousLeakyResNet.piecewise_constant([np.array([[1.0, 2, 1], [0, 1, 1]])], 1.0)
PATH = RESNET.activations(A)
STATE = np.array([[1.0, 2], [2, 1]])
CRITICAL = leaky_resnet.critical_network(STATE, STATE / 8, 0.5, np.array([0.01, 0.01]))
GENERIC = networks.FullyConnected(
    [np.array([[1.0, 2], [3, -1]]), np.array([[1.0, -2]])], [np.array([0.25, -0.5]), np.array([0.0])]
)
CELLS = piecewise.float_cells(GENERIC, BOX)
POINT = conical_hull.contains(A, V)
PAIR = covariance_pairs.covariance_pair(np.array([[1.0, 2], [3, 1]]), RELU)
EQUALITY = piecewise.equal(SMALL, EXACT, BOX)


def constant(_: float) -> Any:
    """Weights of a leaky ResNet."""
    return np.array([[1.0, 2, 1], [0, 1, 1]])


def _of(module: Any, arguments: dict[str, Any], *names: str, **accepts: str) -> dict[str, Call]:
    return {f"{module.__name__}.{name}": Call(getattr(module, name), dict(arguments), accepts) for name in names}


def _methods(module: Any, name: str, value: Any, calls: dict[str, dict[str, Any]], **accepts: str) -> dict[str, Call]:
    return {
        f"{module.__name__}.{name}.{method}": Call(getattr(value, method), arguments, accepts)
        for method, arguments in calls.items()
    }


ANY_SHAPE = "empty, empty list, no axes, number"
ANY_INTEGERS = f"infinite ball, negative, {ANY_SHAPE}"
ANY_FLOAT = f"NaN, infinity, infinite ball, negative, {ANY_SHAPE}"
HAMILTONIAN = {"activations": STATE, "adjoints": STATE}
ONE_BIAS = {"bias": 0.0}

CALLS: dict[str, Call] = {
    **_of(arithmetic, {"array": A}, "is_exact", "array_module", array="anything"),
    **_of(arithmetic, {"value": 0.5}, "rational", "ball", value="text number, infinite ball"),
    **_of(arithmetic, {"values": A}, "rationals", "chosen_rationals", values=f"text array, {ANY_SHAPE}"),
    **_of(arithmetic, {"value": fmpq(1, 2)}, "fraction", value="number"),
    **_of(arithmetic, {"array": A}, "floats", array=ANY_FLOAT),
    **_of(arithmetic, {"bits": 64}, "precision"),
    **_of(arithmetic, {"array": A}, "sqrt", "log", "exp", "absolute", "floor", array=ANY_FLOAT),
    **_of(
        arithmetic,
        {"array": A},
        "sin",
        "cos",
        "tan",
        "arctan",
        "sinh",
        "cosh",
        "tanh",
        "arcsinh",
        "erf",
        "erfc",
        "digamma",
        "gamma",
        array=ANY_FLOAT,
    ),
    **_of(arithmetic, {"array": A / 200}, "arcsin", "arccos", "arctanh", array=ANY_FLOAT),
    **_of(arithmetic, {"array": 1 + A * A}, "arccosh", array=f"{ANY_FLOAT}, zeros"),
    **_of(arithmetic, {"base": A, "exponent": Fraction(1, 2)}, "power", base=ANY_FLOAT),
    **_of(arithmetic, {"left": A, "right": B}, "maximum", "minimum", "certain_order", left=ANY_FLOAT, right=ANY_FLOAT),
    **_of(arithmetic, {"left": A, "right": A}, "gcd", left=ANY_INTEGERS, right=ANY_INTEGERS),
    **_of(arithmetic, {"left": A, "right": B}, "compare", left=ANY_FLOAT, right=ANY_FLOAT),
    **_of(arithmetic, {"array": A, "axis": 0}, "largest", "smallest", array="NaN, infinity, infinite ball"),
    **_of(arithmetic, {"condition": A, "values": B}, "where_positive", condition=ANY_FLOAT, values=ANY_FLOAT),
    **_of(
        matrices,
        {"matrix": A},
        "singular_values",
        "rank",
        "pseudo_determinant",
        "log_pseudo_determinant",
        "nuclear_norm",
        "operator_norm",
        "frobenius_norm_squared",
        "stable_rank",
        "spectral_radius",
        "determinant",
        "inverse",
        "pseudo_inverse",
        "polar_factor",
        "log_plus",
        "logarithm",
        "condition_number",
        "eigenvalues",
        "exponential",
    ),
    **_of(matrices, {"matrix": A}, "cholesky", matrix="zeros, negative"),
    **_of(matrices, {"matrix": A, "exponent": Fraction(3, 2)}, "schatten_power", "psd_power", "gram_power"),
    **_of(matrices, {"matrix": A, "right": B}, "solve"),
    **_of(matrices, {"first": A, "second": B, "weight": Fraction(1, 2)}, "geometric_mean"),
    **_of(networks, {"positive": 1.0, "negative": 0.5}, "HomogeneousActivation", positive="array", negative="array"),
    **_methods(
        networks,
        "HomogeneousActivation",
        networks.leaky_relu(0.5),
        {"__call__": {"values": A}, "derivative": {"values": A}},
        values=ANY_SHAPE,
    ),
    **_of(networks, {"slope": 0.5}, "leaky_relu", slope="array"),
    **_of(
        networks,
        {"weights": [W1, W2], "biases": [V.repeat(2)[:3], V[:1]], "activation": RELU},
        "FullyConnected",
        weights="stack",
    ),
    **_methods(
        networks,
        "FullyConnected",
        FLOAT,
        {
            "with_parameters": {"parameters": list(FLOAT.parameters)},
            **{
                name: {"x": X}
                for name in ("__call__", "preactivations", "activations", "activation_pattern", "distance_to_kink", "jacobian")
            },
            "jacobian_to_layer": {"layer": 1, "x": X},
            "jacobian_from_layer": {"layer": 1, "x": X},
            "rescale_neurons": {"factors": [np.array([100.0, 50, 20])]},
            "insert_identity_layers": {"position": 1, "count": 2, "shift": np.array([100.0, 50, 20])},
            "pad_to_depth": {"depth": 4, "shift": np.array([100.0, 50, 20])},
            "embed": {"widths": [2, 4, 1]},
        },
    ),
    **_of(networks, {"outer": LINEAR, "inner": LINEAR, "merge": True}, "compose"),
    **_of(networks, {"left": FLOAT, "right": FLOAT}, "add"),
    **_of(networks, {"inner": SQUARE, "outer": FLOAT, "depth": 5, "shift": V, "scale": V}, "through_bottleneck"),
    **_of(networks, {"matrix": A, "depth": 2, "activation": RELU}, "from_matrix"),
    **_of(
        networks, {"matrix": X, "offsets": np.array([100.0, 20, 30]), "kind": "max", "activation": RELU}, "from_affine_pieces"
    ),
    **_of(
        networks,
        {"matrix": X, "offsets": np.array([100.0, 20, 30]), "outputs": [[[0, 1], [2]]], "activation": RELU},
        "from_lattice",
    ),
    **_of(networks, {"network": FLOAT, "points": X, "layers": 2, "position": 1, "rank": 1}, "depth_continuation"),
}

CALLS |= {
    **_of(networks, {"kernels": [KERNEL, KERNEL], "biases": [V[:1], V[:1]], "activation": RELU, "axes": 2}, "CircularCNN"),
    **_of(
        networks,
        {"weights": [np.array([[50.0, 20, 10], [30, 40, 10]])], "leak": 0.5, "steps": np.array([1.0])},
        "LeakyResNet",
        weights="stack",
        leak="array",
    ),
    **_of(networks, {"weights": constant, "leak": 0.5, "breaks": [0.0, 1.0]}, "ContinuousLeakyResNet", leak="array"),
    **_methods(
        networks,
        "CircularCNN",
        CNN,
        {
            "with_parameters": {"parameters": list(CNN.parameters)},
            **{name: {"x": IMAGE} for name in ("__call__", "preactivations", "jacobian")},
            "singular_values_by_frequency": {"layer": 1},
        },
    ),
    **_methods(
        networks,
        "LeakyResNet",
        RESNET,
        {
            "with_parameters": {"parameters": list(RESNET.parameters)},
            "__call__": {"x": A},
            "activations": {"x": A},
            "adjoints": {"activations": list(PATH), "last": A},
            "relative_distances": {"activations": list(PATH)},
        },
        parameters="stack",
    ),
    **_methods(
        networks,
        "ContinuousLeakyResNet",
        ODE,
        {
            "piecewise_constant": {"weights": [constant(0)], "leak": 1.0, "breaks": [0.0, 1.0]},
            "piecewise_linear": {"weights": [constant(0), constant(1)], "leak": 1.0, "breaks": [0.0, 1.0]},
            "weights_at": {"position": 0.5},
            "__call__": {"x": STATE},
            "activations": {"x": STATE, "positions": np.array([0.0, 1.0])},
            "adjoints": {"x": STATE, "last": STATE, "positions": np.array([0.0, 1.0])},
            "stretched": {"factor": 2.0},
            "discretised": {"steps": np.array([0.5, 0.5])},
        },
        leak="array",
        weights="stack",
    ),
    **_of(leaky_resnet, {"activations": A}, "rectified", "active"),
    **_of(
        leaky_resnet,
        {"activations": A, "bias": True},
        "feature_matrix",
        "activation_kernel",
        "cost_of_identity",
        "kernel_inverse",
    ),
    **_of(leaky_resnet, {"matrix": A}, "squared_norm"),
    **_of(leaky_resnet, {"left": A, "right": B}, "inner"),
    **_of(leaky_resnet, {**HAMILTONIAN, "bias": True}, "hamiltonian", "velocity"),
    **_of(leaky_resnet, HAMILTONIAN, "adjoint_velocity"),
    **_of(leaky_resnet, {**HAMILTONIAN, "leak": 0.5, "bias": True}, "critical_weights", leak="array"),
    **_of(leaky_resnet, {"activations": A, "moved": B, "bias": True}, "kinetic_energy"),
    **_of(leaky_resnet, {"activations": A, "bias": True}, "potential_energy"),
    **_of(leaky_resnet, {"activations": A, "moved": B, "gamma": 0.5, "bias": True}, "stable_hamiltonian", gamma="array"),
    **_of(leaky_resnet, {"path": np.stack([A, B])}, "path_length"),
    **_of(
        leaky_resnet,
        {"activations": STATE, "adjoints": STATE, "leak": 0.25, "nodes": 3, "bias": True},
        "integrate_hamiltonian",
        leak="array",
    ),
    **_of(leaky_resnet, {"matrix": A, "features": B}, "is_in_row_space", "feature_norm_squared"),
    **_of(leaky_resnet, {"matrix": A, "kernel": B}, "kernel_norm_squared"),
    **_of(leaky_resnet, {"matrix": A, "kernel": B, "gamma": 0.5}, "stable_kernel_norm_squared", gamma="array"),
    **_of(leaky_resnet, {"target": A, "features": B}, "smallest_weights"),
    **_of(
        leaky_resnet, {"activations": A, "derivative": B, "leak": 0.5, "bias": True}, "weights_from_activations", leak="array"
    ),
    **_of(leaky_resnet, {"activations": A, "gamma": 0.5, "bias": True}, "stable_cost_of_identity", gamma="array"),
    **_of(leaky_resnet, {"count": 3, "exact": False}, "equidistant_steps"),
    **_of(leaky_resnet, {"count": 3, "contrast": 0.5}, "irregular_steps", "irregular_steps_renormalised", contrast="array"),
    **_of(leaky_resnet, {"distances": V}, "adaptive_steps"),
    **_of(
        leaky_resnet,
        {**HAMILTONIAN, "leak": 0.5, "step": 0.5, "bias": True},
        "symplectic_euler_step",
        leak="array",
        step="array",
    ),
    **_of(
        leaky_resnet,
        {**HAMILTONIAN, "leak": 0.01, "steps": np.array([1.0, 1.0]), "bias": True},
        "critical_network",
        leak="array",
    ),
    **_methods(leaky_resnet, "CriticalNetwork", CRITICAL, {"target": {"ridge": 0.5}}, ridge="array"),
    **_of(circular, {"kernel": KERNEL, "axes": 2}, "convolution_matrix", "frequency_blocks", "singular_values_by_frequency"),
    **_of(circular, {"kernel": KERNEL, "axes": 2}, "image_shape"),
    **_of(circular, {"kernel": KERNEL, "depth": 2, "axes": 2}, "balanced_frequency_factors"),
    **_of(circular, {"real": A, "imaginary": B}, "real_form"),
    **_of(circular, {"network": FLOAT, "image": [2]}, "equivariant_network"),
    **_of(
        training,
        {"network": FLOAT, "x": X, "targets": Y, "loss": training.MeanSquaredError(), "ridge": 0.5},
        "loss_and_gradient",
    ),
    **_of(
        training,
        {
            "network": FLOAT,
            "x": X,
            "targets": Y,
            "loss": training.MeanSquaredError(),
            "ridge": 0.5,
            "iterations": 2,
            "memory": 3,
            "gradient_tolerance": 0.5,
        },
        "finish",
    ),
    **_of(
        training,
        {
            "network": FLOAT,
            "x": X,
            "targets": Y,
            "steps": 2,
            "optimiser": training.GradientDescent(1e-9),
            "loss": training.MeanSquaredError(),
            "ridge": 0.5,
            "callbacks": [lambda _: None],
            "progress": False,
            "checkpoint": None,
            "checkpoint_every": 2,
        },
        "train",
        ridge="function",
        callbacks="empty list",
    ),
    **_of(
        training,
        {
            "generator": np.random.default_rng(0),
            "widths": [2, 3],
            "activation": RELU,
            "batch": (2,),
            "scale": 0.5,
            "dtype": np.float64,
        },
        "he_network",
        batch="empty list",
    ),
    **_of(training, {"learning_rate": 0.5}, "GradientDescent", learning_rate="function"),
    **_of(training, {"learning_rate": 0.5, "first": 0.5, "second": 0.5, "epsilon": 0.5}, "Adam", learning_rate="function"),
    **_of(training, {"peak": 0.5, "steps": 5, "warm_up": 2, "final": 0.5}, "Cosine"),
    **_of(training, {"peak": 0.5, "steps": 5, "decay": 2, "warm_up": 2}, "Linear"),
    **_of(training, {"value": 0.5, "steps": 5, "start": 2}, "WarmUp"),
    **_of(training, {"per_output": True}, "MeanSquaredError"),
    **_of(ntk, {"network": FLOAT, "x": X, "y": X[:1], "biases": True}, "ntk", "ntk_gram", "ntk_trace_gram"),
    **_of(ntk, {"network": FLOAT, "x": X, "biases": True}, "ntk_trace"),
    **_of(ntk, {"network": FLOAT, "x": X}, "ntk_mixed_derivative"),
    **_of(ntk, {"network": FLOAT, "x": X, "vector": Y[:, 0], "biases": True}, "ntk_matvec"),
    **_of(ntk, {"network": FLOAT, "x": X, "biases": True, "accuracy": 0.5}, "ntk_operator_norm"),
}

CALLS |= {
    **_of(completely_positive, {"matrix": A}, "is_completely_positive", "cp_rank_lower_bound"),
    **_of(completely_positive, {"matrix": A, "found": completely_positive.is_completely_positive(A)}, "cp_rank_upper_bound"),
    **_of(completely_positive, {"matrix": A, "columns": 2, "starts": 2, "seed": 0}, "factorise"),
    **_of(conical_hull, {"generators": A, "point": V}, "contains", "contains_quickly", "decompose"),
    **_of(conical_hull, {"generators": X, "weights": np.array([1.0, 2, 3]), "cost": np.array([1.0, 2, 3])}, "caratheodory"),
    **_of(copositive, {"matrix": A}, "is_copositive"),
    **_of(
        covariance_pairs, {"vectors": X, "activation": RELU, "bias": 0.5, "weights": np.array([1.0, 2, 3])}, "covariance_pair"
    ),
    **_of(covariance_pairs, {"S": A, "T": B, "activation": RELU}, "is_dual"),
    **_of(covariance_pairs, {"K": A, "K_sigma": B, "activation": RELU, "bias": 0.5, "rounds": 2}, "contains"),
    **_of(covariance_pairs, {"size": 3, "activation": RELU}, "largest_rank"),
    **_of(covariance_pairs, {"K": A, "K_sigma": B, "activation": RELU, "bias": 0.5, "membership": None}, "rank_of_pair"),
    **_of(covariance_pairs, {"K": PAIR[0], "K_sigma": PAIR[1], "activation": RELU, "bias": 0.0}, "two_point_vectors"),
    **_of(exposed_faces, {"matrix": A}, "exposed_face"),
    **_of(hidden_layers, {"network": networks.FullyConnected([W1, W2]), **ONE_BIAS}, "regularised_norm"),
    **_of(hidden_layers, {"network": FLOAT, "inputs": X}, "representations"),
    **_of(hidden_layers, {"network": FLOAT, "inputs": X, "bias": 0.5}, "covariances"),
    **_of(hidden_layers, {"network": FLOAT, "inputs": X[:2], "bias": 0.5}, "covariance_cost"),
    **_of(
        hidden_layers,
        {"inputs": A, "layers": [B, A], "activation": RELU, "bias": 0.0},
        "network_from_representations",
    ),
    **_of(
        hidden_layers,
        {"inputs": A, "decompositions": [(V, B)], "outputs": A, "activation": RELU, "bias": 0.0},
        "network_from_covariances",
        decompositions="empty list",
    ),
    **_of(hidden_layers, {"network": FLOAT, "inputs": X, "layer": 1, "bias": 0.5, "keep": "outputs"}, "prune_hidden_layer"),
    **_of(hidden_layers, {"network": FLOAT, "inputs": X, "bias": 0.5, "keep": "outputs"}, "prune_network"),
    **_of(
        reference,
        {"inputs": X[:2], "targets": Y[:2], "activation": RELU, "bias": 0.5, "ridge": 0.5, "fit": 0.5},
        "shallow_sdp",
    ),
    **_of(reference, {"inputs": Y, "targets": Y, "bias": 0.5, "ridge": 0.5, "fit": 0.5}, "line_socp"),
    **_of(reference, {"inputs": X[:1], "targets": Y[:1], "activation": RELU, "depth": 2}, "one_point"),
    **_of(reference, {"inputs": X[:2], "targets": Y[:2], "depth": 2, "hidden_widths": [3]}, "linear_network"),
    **_of(
        reference,
        {
            "inputs": X[:2],
            "targets": Y[:2],
            "activation": RELU,
            "bias": 0.5,
            "ridge": 0.5,
            "fit": 0.5,
            "tolerance": 0.5,
            "iterations": 2,
        },
        "conic_frank_wolfe",
    ),
    **_of(reference, {"features": A, "U": B, "activation": RELU}, "largest_ratio"),
    **_of(support_graphs, {"matrix": A}, "support_graph"),
    **_of(support_graphs, {"adjacency": 1 - np.eye(3)}, "number_of_triangles", "edge_clique_cover"),
    **_of(
        piecewise,
        {"normals": np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]]), "offsets": np.array([100.0, 1, 2, 3])},
        "Polytope",
    ),
    **_methods(
        piecewise,
        "Polytope",
        BOX,
        {
            "from_inequalities": {
                "normals": np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]]),
                "offsets": np.array([100.0, 1, 2, 3]),
            },
            "box": {"lower": np.array([0.0, 1]), "upper": V},
            "from_vertices": {"points": X},
            "contains": {"x": V},
        },
    ),
    **_of(
        piecewise,
        {"network": SMALL, "polytope": BOX, "limit": 100},
        "linear_regions",
        "linear_pieces",
        "range_over",
        "minimum_shift",
        "is_nonnegative",
        "jacobian_rank",
    ),
    **_of(piecewise, {"network": SMALL, "polytope": BOX, "functional": V[:1], "limit": 100}, "maximum"),
    **_of(
        piecewise,
        {"network": SMALL, "polytope": BOX, "norm": 2, "limit": 100},
        "lipschitz_constant",
        norm="whole float, infinity, array of floats",
    ),
    **_of(piecewise, {"network": SMALL, "polytope": BOX}, "simplify"),
    **_of(
        piecewise,
        {"network": SMALL, "polytope": BOX, "functional": V[:1], "parts": 10, "seconds": 0.5, "threshold": 0.5},
        "maximum_by_search",
        threshold="text number",
    ),
    **_of(piecewise, {"network": GENERIC, "polytope": BOX, "prove": True, "limit": 100}, "float_cells"),
    **_of(piecewise, {"f": SMALL, "g": SMALL, "polytope": BOX, "limit": 100}, "equal"),
    **_of(
        piecewise,
        {"f": SMALL, "factorisation": piecewise.Factorisation(LINEAR, SMALL), "polytope": BOX, "limit": 100},
        "bottleneck_rank_upper_bound",
    ),
    **_of(piecewise, {"inner": LINEAR, "outer": SMALL}, "Factorisation"),
    **_of(piecewise, {"f": SMALL, "inner": LINEAR, "polytope": BOX, "limit": 100}, "factor_through"),
    **_of(piecewise, {"pieces": [(V, 1), (B[0], 2)], "kind": "max", "activation": RELU}, "from_pieces"),
    **_of(
        piecewise,
        {
            "knots": np.array([0.0, 50, 100]),
            "values": np.array([100.0, 50, 70]),
            "left_slope": 0.5,
            "right_slope": 0.5,
            "activation": RELU,
        },
        "from_breakpoints",
        left_slope="array, text number",
        right_slope="array, text number",
    ),
    **_of(piecewise, {"points": X, "values": Y, "simplices": None, "activation": RELU}, "triangulated_interpolant"),
    **_of(piecewise, {"network": SMALL, "path": None}, "to_onnx"),
    **_of(piecewise, {"network": SMALL, "polytope": BOX, "color": "rank", "ax": None, "limit": 100}, "plot_regions"),
    **_methods(piecewise, "FloatCells", CELLS, {"cell_vertices": {"index": 0}}),
    **_of(certificates, {"cells": CELLS}, "existing", "missing_volume", "jacobian_ranks", "jacobian_rank"),
    **_of(certificates, {"cells": CELLS, "norm": 2}, "lipschitz_constant", norm="whole float, infinity, array of floats"),
}

RESULTS = {
    "verify.networks.leaky_resnet": "CriticalNetwork HamiltonianTrajectories IntegratedPath",
    "verify.networks.training": "Training TrainingStep",
    "verify.cones.completely_positive": "CompletePositivity Factorisation",
    "verify.cones.conical_hull": "Membership",
    "verify.cones.copositive": "Copositivity",
    "verify.cones.covariance_pairs": "PairMembership PairRank",
    "verify.cones.exposed_faces": "ExposedFace",
    "verify.cones.hidden_layers": "Covariances Pruned",
    "verify.cones.reference": "Optimum",
    "verify.piecewise": (
        "Bracket Equality FactorThrough FloatCells LinearPiece LinearRegions Nonnegativity Range Region SearchedMaximum"
    ),
}
"""Classes whose objects functions return, and callers do not make."""

INTERNAL = {
    "verify.numbers.arithmetic": "maximum_reduce is_number integer array_of any_traced chosen raised object_array",
    "verify.networks.HomogeneousActivation": "apply pattern slopes accepts each_slope",
    "verify.networks.training.MeanSquaredError": "__call__ check",
    "verify.networks.training.CrossEntropy": "__call__ check",
    "verify.networks.training.Adam": "step",
    "verify.networks.training.GradientDescent": "step",
    "verify.networks.training.Cosine": "__call__",
    "verify.networks.training.Linear": "__call__",
    "verify.networks.training.WarmUp": "__call__",
    "verify.piecewise.Polytope": "range_of_row highest_point point_between",
    "verify.piecewise.FloatCells": "activation_pattern affine_maps",
    "verify.cones.conical_hull": "least_squares",
    "verify.cones.support_graphs": "like",
}
"""What loops call that run thousands of times, whose callers have checked the arguments; and the checks themselves."""
