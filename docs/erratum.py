"""The picture of the README: a statement as it is printed, and the smallest instance at which it is false.

``python docs/erratum.py`` writes ``docs/_static/erratum.png``. All numbers are those of the witness file, decided again.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from verify import catalogue
from verify.checker.evidence import packaged_witness, read_witness, recheck, stands

CLAIM = "notion_of_rank.prop_3.printed"
INK, QUIET, RED = "#1b1f24", "#57606a", "#b42318"


def main() -> None:
    """Draw the picture."""
    claims = catalogue("theorems")
    path = packaged_witness(claims[CLAIM], "theorems")
    assert path is not None
    witness, claim = read_witness(path, claims)
    relation = recheck(witness, claim)
    assert stands(relation)
    left, right, _ = relation.worst()
    numbers = {name: int(np.asarray(values).item()) for name, values in witness.sample.coordinates.items()}
    depth, slope, x = witness.sample.sizes["depth"], numbers["f.slope"], numbers["x"]
    first, second = numbers["f.W1"], numbers["f.W2"]

    figure = Figure(figsize=(9, 3.1), dpi=160, facecolor="white")
    say = figure.text
    say(0.03, 0.87, "As printed (Proposition 3)", color=INK, fontsize=12, weight="bold")
    say(0.03, 0.77, r"For every positively homogeneous activation $\sigma$ and depth L,", color=INK, fontsize=10)
    say(0.06, 0.56, r"$\sum_i s_i(Jf(x))^{2/L} \;\leq\; R(f)\,/\,L$", color=INK, fontsize=19)
    say(0.03, 0.38, "Corrected", color=INK, fontsize=12, weight="bold")
    say(0.03, 0.28, r"Where the slopes of $\sigma$ are at most 1 in absolute value.", color=INK, fontsize=10)
    say(0.03, 0.13, "The search found the network and rationals decide it. A second program, which", color=QUIET, fontsize=8.5)
    say(0.03, 0.07, "imports nothing of this package, comes to the same answer.", color=QUIET, fontsize=8.5)

    axes = figure.add_axes((0.64, 0.16, 0.33, 0.55))
    grid = np.linspace(-2, 2, 201)
    hidden = first * grid
    axes.plot(grid, second * np.where(hidden >= 0, hidden, slope * hidden), color=INK, linewidth=2)
    value = second * (slope * first * x if first * x < 0 else first * x)
    axes.plot([x], [value], "o", color=RED)
    axes.annotate(f"slope {left}", (x, value), (x - 0.2, value + 0.3), color=RED, ha="right", fontsize=10)
    axes.set(xticks=[-2, -1, 0, 1, 2], yticks=[0, 2, 4], xlim=(-2, 2), ylim=(-0.3, 4.2))
    axes.tick_params(labelsize=8, colors=QUIET)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    say(0.64, 0.87, f"False: {left} is not at most {right}", color=RED, fontsize=12, weight="bold")
    say(
        0.64,
        0.77,
        rf"$f(x) = {second}\cdot\sigma({first}\cdot x)$, $\sigma(z) = {slope}z$ for $z < 0$, L = {depth}",
        color=INK,
        fontsize=9,
    )
    figure.savefig(Path(__file__).parent / "_static" / "erratum.png")


if __name__ == "__main__":
    main()
