"""The picture of the README: a statement as it is printed, and the smallest instance at which it is false.

``python docs/erratum.py`` writes ``docs/_static/erratum.png``, ``erratum_dark.png`` and ``card.png``, the picture of a link to
the site. All numbers are those of the witness file, decided again.
"""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from verify import catalogue
from verify.evidence import packaged_witness, read_witness, recheck, stands

FOLDER = Path(__file__).parent / "_static"
CLAIM = "notion_of_rank.prop_3.printed"
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
    left, right, _ = relation.worst()
    numbers = {name: int(np.asarray(values).item()) for name, values in witness.sample.coordinates.items()}
    depth, slope, x = witness.sample.sizes["depth"], numbers["f.slope"], numbers["x"]
    first, second = numbers["f.W1"], numbers["f.W2"]

    figure = Figure(figsize=(9, height), facecolor=paper)
    share = 3.1 / height  # the drawing keeps its size, from the bottom

    def say(x: float, y: float, text: str, **style: Any) -> None:
        figure.text(x, y * share, text, **{"color": ink, "fontsize": 10} | style)

    if title:
        figure.text(0.03, 0.83, title, color=ink, fontsize=26, weight="bold")
        figure.text(0.03, 0.735, "Inequalities of papers, refuted or tried hard", color=quiet, fontsize=14)
    say(0.03, 0.87, "As printed (Proposition 3)", fontsize=12, weight="bold")
    say(0.03, 0.77, r"For every positively homogeneous activation $\sigma$ and depth $L$,")
    say(0.06, 0.56, r"$\sum_i s_i(Jf(x))^{2/L} \;\leq\; R(f)\,/\,L$", fontsize=19)
    say(0.03, 0.38, "Corrected", fontsize=12, weight="bold")
    say(0.03, 0.28, r"Where the slopes of $\sigma$ are at most 1 in absolute value.")
    say(0.03, 0.13, "The search found the network and rationals decide it. A second program, which", color=quiet, fontsize=8.5)
    say(0.03, 0.07, "imports nothing of this package, comes to the same answer.", color=quiet, fontsize=8.5)

    axes = figure.add_axes((0.64, 0.16 * share, 0.33, 0.55 * share), facecolor=paper)
    grid = np.linspace(-2, 2, 201)
    hidden = first * grid
    axes.plot(grid, second * np.where(hidden >= 0, hidden, slope * hidden), color=ink, linewidth=2)
    value = second * (slope * first * x if first * x < 0 else first * x)
    axes.plot([x], [value], "o", color=red)
    axes.annotate(f"slope {left}", (x, value), (x - 0.2, value + 0.3), color=red, ha="right", fontsize=10)
    axes.set(xticks=[-2, -1, 0, 1, 2], yticks=[0, 2, 4], xlim=(-2, 2), ylim=(-0.3, 4.2))
    axes.tick_params(labelsize=8, colors=quiet)
    for name, side in axes.spines.items():
        side.set_visible(name in ("left", "bottom"))
        side.set_color(quiet)
    say(0.64, 0.87, f"False: {left} is not at most {right}", color=red, fontsize=12, weight="bold")
    network = rf"$f(x) = {second}\cdot\sigma({first}\cdot x)$, $\sigma(z) = {slope}z$ for $z < 0$, $L = {depth}$"
    say(0.64, 0.77, network, fontsize=9)
    return figure


if __name__ == "__main__":
    main()
