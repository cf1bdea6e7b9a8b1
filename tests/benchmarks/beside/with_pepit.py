"""The methods of optimisation as problems of performance estimation: the worst case over a class, in any dimension."""

from PEPit import PEP
from PEPit.functions import (
    ConvexFunction,
    ConvexIndicatorFunction,
    SmoothConvexFunction,
    SmoothStronglyConvexQuadraticFunction,
)
from PEPit.primitive_steps import proximal_step
from said import register

EXACT = 1e-6
"""What the solver's answers are off by, relative to 1, at most."""
KNOWN = {}
says = register(KNOWN)
CANNOT = "not made for it"


def run(_said, statement, _number):
    """The worst case beside what is claimed: (worst, claimed)."""
    problem, claimed = statement()
    worst = problem.solve(wrapper="cvxpy", verbose=0)
    beside = f"worst case {worst:.7g}, claimed {claimed:.7g}"
    if worst > claimed + EXACT:
        return f"counterexample: {beside}"
    return f"bound shown: {beside}" if worst < claimed - EXACT else f"bound shown up to {EXACT:g}: {beside}"


def quadratic(problem):
    """A quadratic with curvature in [1, 3], its minimiser 0, and a first point."""
    f = problem.declare_function(SmoothStronglyConvexQuadraticFunction, mu=1, L=3)
    return f, f.stationary_point(), problem.set_initial_point()


@says("every n", {"gain": 0.500001})
def descent_lemma(gain=0.5):
    problem = PEP()
    f, _, x = quadratic(problem)
    problem.set_initial_condition(f.gradient(x) ** 2 == 1)
    problem.set_performance_metric(f(x - f.gradient(x) / 3) - f(x))
    return problem, -gain / 3


@says("N = 2, every n, every smooth convex function", {"shift": 3})
def drori_teboulle(shift=2):
    problem = PEP()
    f = problem.declare_function(SmoothConvexFunction, L=1)
    best, x = f.stationary_point(), problem.set_initial_point()
    problem.set_initial_condition((x - best) ** 2 <= 1)
    for _ in range(2):
        x = x - f.gradient(x)
    problem.set_performance_metric(f(x) - f(best))
    return problem, 1 / (4 * 2 + shift)


@says("every n, every convex function", {"factor": 2})
def firmly_nonexpansive(factor=1):
    problem = PEP()
    f = problem.declare_function(ConvexFunction)
    x, y = problem.set_initial_point(), problem.set_initial_point()
    d, image = x - y, proximal_step(x, f, 1)[0] - proximal_step(y, f, 1)[0]
    problem.set_initial_condition(d**2 <= 1)
    problem.set_performance_metric(factor * image**2 - image * d)
    return problem, 0


@says("every n", {"factor": 0.249999})
def gradient_descent(factor=0.25):
    problem = PEP()
    f, best, x = quadratic(problem)
    problem.set_initial_condition((x - best) ** 2 <= 1)
    problem.set_performance_metric((x - f.gradient(x) / 2 - best) ** 2)
    return problem, factor


@says("every n", {"step": 1.5})
def heavy_ball(step=0.5):
    problem = PEP()
    f, best, x = quadratic(problem)
    problem.set_initial_condition((x - best) ** 2 <= 1)
    first = x - step * f.gradient(x)
    second = first - step * f.gradient(first) + (first - x) / 4
    problem.set_performance_metric((second - best) ** 2)
    return problem, 1


@says("every n", {"factor": 1.000001})
def polyak_lojasiewicz(factor=1):
    problem = PEP()
    f, best, x = quadratic(problem)
    problem.set_initial_condition(f.gradient(x) ** 2 <= 1)
    problem.set_performance_metric(2 * factor * (f(x) - f(best)))
    return problem, 1


@says("every n, every convex set", {"expansive": True})
def projection(expansive=False):
    problem = PEP()
    f = problem.declare_function(ConvexIndicatorFunction)
    x, y = problem.set_initial_point(), problem.set_initial_point()
    d, image = x - y, proximal_step(x, f, 1)[0] - proximal_step(y, f, 1)[0]
    problem.set_initial_condition(d**2 <= 1)
    problem.set_performance_metric(image * d + d**2 - image**2 if expansive else image**2 - image * d)
    return problem, 0


@says("N = 2, every n, every convex function", {"factor": 5})
def proximal_point(factor=4):
    problem = PEP()
    f = problem.declare_function(ConvexFunction)
    best, x = f.stationary_point(), problem.set_initial_point()
    problem.set_initial_condition((x - best) ** 2 <= 1)
    for _ in range(2):
        x, _, value = proximal_step(x, f, 1)
    problem.set_performance_metric(value - f(best))
    return problem, 1 / (factor * 2)
