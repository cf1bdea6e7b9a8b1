"""The picture of the README: a statement as it is printed, and the smallest instance at which it is false.

``python docs/erratum.py`` writes ``docs/_static/erratum.png``, ``erratum_dark.png`` and ``card.png``, the picture of a link to
the site. All numbers are those of the witness file, decided again.
"""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from theorems.bottleneck_structure.theorem_3.addition import cost
from verify import catalogue
from verify.evidence import packaged_witness, read_witness, recheck, stands

FOLDER = Path(__file__).parent / "_static"
CLAIM = "bottleneck_structure.theorem_3.addition.printed"
COLOURS = {
    "erratum": ("white", "#1b1f24", "#57606a", "#b42318"),
    "erratum_dark": ("#0d1117", "#e6edf3", "#9198a1", "#ff7b72"),
}
"""Paper, ink, small print and what is false: for a light page, and for a dark one."""


def main() -> None:
    """Draw the picture in both colours, and on a card of the shape that links have."""
    for name in COLOURS:
        drawn(name).savefig(FOLDER / f"{name}.png", dpi=160)
    card = drawn("erratum", height=4.725, title="deep-l2-verify")
    card.savefig(FOLDER / "card.png", dpi=1200 / 9)


def drawn(colours: str, height: float = 3.1, title: str = "") -> Figure:
    """The statement, the witness and the correction; nine inches wide, the rest below a title if there is one."""
    paper, ink, quiet, red = COLOURS[colours]
    claims = catalogue("theorems")
    path = packaged_witness(claims[CLAIM], "theorems")
    assert path is not None
    witness, claim = read_witness(path, claims)
    relation = recheck(witness, claim)
    assert stands(relation)
    left, right = (int(side) for side in relation.worst()[:2])
    c, d = (int(np.asarray(witness.sample.coordinates[name]).item()) for name in ("c", "d"))

    figure = Figure(figsize=(9, height), facecolor=paper)
    share = 3.1 / height  # the drawing keeps its size, from the bottom

    def say(x: float, y: float, text: str, **style: Any) -> None:
        figure.text(x, y * share, text, **{"color": ink, "fontsize": 10} | style)

    if title:
        figure.text(0.03, 0.83, title, color=ink, fontsize=26, weight="bold")
        figure.text(0.03, 0.735, "Inequalities of papers, refuted or tried hard", color=quiet, fontsize=14)
    say(0.03, 0.87, "As printed (Bottleneck Structure, Theorem 3 (2))", fontsize=12, weight="bold")
    say(0.03, 0.76, r"If $R^{(0)}(f + g) = R^{(0)}(f) + R^{(0)}(g)$, then")
    say(0.06, 0.6, r"$R^{(1)}(f + g) \;\leq\; R^{(1)}(f) + R^{(1)}(g)$", fontsize=16)
    say(0.03, 0.42, "Corrected", fontsize=12, weight="bold")
    say(0.03, 0.31, r"$R(f + g; L) \leq R(f; L) + R(g; L) + 2\langle b_f, b_g\rangle$, the biases of the last layers.")
    say(0.03, 0.13, "The search found the functions, and rationals decide them. A second program,", color=quiet, fontsize=8.5)
    say(0.03, 0.07, "which imports nothing of this package, comes to the same answer.", color=quiet, fontsize=8.5)

    axes = figure.add_axes((0.67, 0.2 * share, 0.3, 0.52 * share), facecolor=paper)
    grid = np.linspace(0, 2, 201)
    axes.plot(grid, cost(grid), color=ink, linewidth=2)
    for value in sorted({c, d}):
        axes.plot([value], [cost(value)], "o", color=ink)
        axes.annotate(f"{cost(value):g}", (value, cost(value)), (value - 0.08, cost(value) + 0.2), color=ink, ha="right")
    axes.plot([c + d], [left], "o", color=red)
    axes.annotate(f"{left}", (c + d, left), (c + d - 0.08, left + 0.05), color=red, ha="right")
    axes.plot([c + d], [right], "_", color=quiet, markersize=14)
    axes.annotate(f"bound {right}", (c + d, right), (c + d - 0.1, right - 0.45), color=quiet, ha="right", fontsize=9)
    axes.set(xticks=[0, 1, 2], yticks=[0, 1, 2, 3], xlim=(0, 2.1), ylim=(0, 3.4))
    axes.set_xlabel("constant function", color=quiet, fontsize=8, labelpad=1)
    axes.set_ylabel(r"its cost $R^{(1)}$", color=quiet, fontsize=8)
    axes.tick_params(labelsize=8, colors=quiet)
    for name, side in axes.spines.items():
        side.set_visible(name in ("left", "bottom"))
        side.set_color(quiet)
    say(0.63, 0.87, f"False: {left} is not at most {right}", color=red, fontsize=12, weight="bold")
    say(0.63, 0.76, f"$f = {c}$, $g = {d}$, on a domain that contains 0", fontsize=10)
    return figure


if __name__ == "__main__":
    main()
