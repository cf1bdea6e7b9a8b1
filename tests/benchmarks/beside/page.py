"""Write docs/beside_other_tools.md from results.json: python tests/benchmarks/beside/page.py."""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path

RESULTS = Path(__file__).with_name("results.json")
PAGE = Path(__file__).parents[3] / "docs" / "beside_other_tools.md"
TOOLS = {"pepit": "PEPit", "hypothesis": "Hypothesis", "sympy": "SymPy", "z3": "Z3", "ours": "verify"}


def seconds(one):
    return f"{one['seconds']:.2f} s" if one["seconds"] >= 0.01 else "0.01 s"


def is_proved(tool, row):
    """Of all instances at the sizes that the cell names."""
    found = row[tool]
    if "cannot" in found:
        return False
    verdict = (found["proof"] if tool == "ours" else found["theorem"])["verdict"]
    return verdict.startswith(("proved", "bound shown"))


def is_refuted(tool, row):
    """With each seed."""
    return "cannot" not in row[tool] and all(one["verdict"].startswith("counterexample") for one in row[tool]["false"])


def of_the_variant(found):
    tries = found["false"]
    refuted = [one for one in tries if one["verdict"].startswith("counterexample")]
    if not refuted:
        return f"{tries[0]['verdict']} ({seconds(tries[0])})"
    how = refuted[0]["verdict"].replace("counterexample", "refuted").replace(" 1 examples", " 1 example")
    of_seeds = f" with {len(refuted)} of {len(tries)} seeds" if len(refuted) < len(tries) else ""
    return f"{how}{of_seeds} ({seconds(refuted[0])})"


def cell(tool, row):
    found = row[tool]
    if "cannot" in found:
        return found["cannot"] if found["cannot"].startswith("not ") else f"not written: {found['cannot']}"
    lines = [f"{found['theorem']['verdict']} ({seconds(found['theorem'])}), {found['size']}"]
    if tool == "ours":
        lines.append(f"{found['proof']['verdict']} ({seconds(found['proof'])})")
    lines += [f"*false:* {of_the_variant(found)}", f"{found['lines']} lines"]
    return "<br>".join(lines)


def table(rows):
    text = f"| theorem | {' | '.join(TOOLS.values())} |\n| --- |{' --- |' * len(TOOLS)}\n"
    for name, row in rows.items():
        title = row["title"].replace("|", "\\|")
        first = f"{title} (`{name}`)<br>*false:* {row['false']}"
        text += f"| {first} | {' | '.join(cell(tool, row) for tool in TOOLS)} |\n"
    return text


def summary(fields):
    text = f"| field | theorems | {' | '.join(TOOLS.values())} |\n| --- | --- |{' --- |' * len(TOOLS)}\n"
    together = dict.fromkeys(TOOLS, (0, 0))
    for field, rows in fields.items():
        counts = {
            tool: (sum(is_proved(tool, row) for row in rows.values()), sum(is_refuted(tool, row) for row in rows.values()))
            for tool in TOOLS
        }
        together = {tool: (together[tool][0] + counts[tool][0], together[tool][1] + counts[tool][1]) for tool in TOOLS}
        text += line(field, len(rows), counts)
    return text + line("together", sum(len(rows) for rows in fields.values()), together)


def line(name, theorems, counts):
    cells = [f"{proved} proved, {refuted} refuted" for proved, refuted in counts.values()]
    return f"| {name} | {theorems} | {' | '.join(cells)} |\n"


def names(fields, chosen):
    found = [f"`{name}`" for rows in fields.values() for name, row in rows.items() if chosen(row)]
    return ", ".join(found) or "none"


def wrapped(text):
    """Paragraphs and items with lines of the usual length; tables and headings are left."""
    found = []
    for one in text.strip().split("\n\n"):
        items = re.split(r"\n(?=- |\d\. )", one)
        if one.startswith(("#", "|")):
            found.append(one)
        else:
            hang = {True: "  ", False: ""}
            found.append("\n".join(filled(item, hang[item.startswith("- ")] or "   " * item[:1].isdigit()) for item in items))
    return "\n\n".join(found) + "\n"


def filled(text, hang):
    words = " ".join(text.split())
    return textwrap.fill(words, 128, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False)


def page(results):
    fields, made = results["fields"], results["made"]
    version = made["versions"]
    head = f"""
# Beside other tools

What PEPit, Hypothesis, SymPy, Z3 and this project do with the first theorems of each field of the [classical
theorems](classics.md): at most ten of a field. SageMath could not be installed here and was not tried. Each
theorem, and the first false variant that its claim declares, is written for each tool as a user would write it in a few
lines, which `tests/benchmarks/beside/with_*.py` have. `python tests/benchmarks/beside/page.py` makes this page from what
`python tests/benchmarks/beside/run.py --peers PYTHON` measured.

- *Hypothesis* {version["hypothesis"]}: a property test on matrices of small integers, in floats, with 1000 examples;
`target` is told how nearly the property fails. Seconds of a refutation include those of shrinking.
- *SymPy* {version["sympy"]}: an expression that must not be negative, or must be zero. `expand`, `factor`, `simplify` and
`minimum` are tried; for the false variant the inequality is solved in one variable, while the others are small integers.
- *Z3* {version["z3-solver"]}: the negation as a formula over the reals, or over integers from 0 to 1 for graphs.
- *PEPit* {version["PEPit"]} with cvxpy {version["cvxpy"]}: the worst case over all functions of a class, in every
dimension, by a semidefinite programme in floats. A worst case is compared up to 1e-6.
- *verify*: the claim as it stands in `docs/examples/classics`. It is searched with the quick budget, then the prover is asked
for all sizes and for the two smallest. The false variant is searched on the same domain.

"No answer" means that these seconds of the processor were not enough, "gives up" that the tool said so
before. Sizes differ, and stand in each cell;
for Z3 and SymPy they are the smallest that say something. *Lines* are those of the formulation with the helpers of its file
that it uses; one formulation says the theorem and its false variant. A claim has its title, source, tight example and all
false variants, too. Seconds are of the processor, one thread, without imports. Seeds of what
goes by chance: {seeds_of(fields)}. Measured on {made["date"]} with Python
{made["python"]}, on a machine that took {made["slowness"]:.2f} times as long as the one of [the benchmarks](benchmarks.md)
for the same small work, and was busy otherwise. {made.get("remark", "")}

So many of the theorems were proved, and so many of the false variants refuted:
"""
    text = wrapped(head) + "\n" + summary(fields) + "\n" + wrapped(learned(fields))
    return text + "".join(f"\n## {field.capitalize()}\n\n{table(rows)}" for field, rows in fields.items())


def seeds_of(fields):
    """Of the searches for false variants; theorems have the first."""
    found = [row["hypothesis"] for rows in fields.values() for row in rows.values()]
    tries = min(len(one["false"]) for one in found if "cannot" not in one)
    return ", ".join(map(str, range(tries)))


def learned(fields):
    """Five sentences or a few more; their numbers are those of the tables."""
    rows = [row for of_field in fields.values() for row in of_field.values()]
    proved = {tool: sum(is_proved(tool, row) for row in rows) for tool in TOOLS}
    refuted = {tool: sum(is_refuted(tool, row) for row in rows) for tool in TOOLS}
    written = sum("cannot" not in row["z3"] for row in rows)
    both = [row for row in rows if is_proved("z3", row) and is_proved("ours", row)]
    sooner = sum(row["z3"]["theorem"]["seconds"] < row["ours"]["proof"]["seconds"] for row in both)
    only_z3 = names(fields, lambda row: is_proved("z3", row) and "proof" in row["ours"] and not is_proved("ours", row))
    only_here = names(fields, lambda row: is_proved("ours", row) and "theorem" in row["z3"] and not is_proved("z3", row))
    missed = names(fields, lambda row: "false" in row["hypothesis"] and not is_refuted("hypothesis", row))
    smallest = sum(row["ours"]["proof"]["verdict"] == "proved at n = 1" for row in rows if is_proved("ours", row))
    by_floats = names(fields, lambda row: is_proved("pepit", row) and not is_refuted("pepit", row))
    pepit = sum("cannot" not in row["pepit"] for row in rows)
    return f"""
## What one learns

1. **For polynomial inequalities of one size Z3 is better.** It proves {proved["z3"]} of the {written} theorems that were
written for it and measured; of the {len(both)} that the prover here proves, too, it proves {sooner} in less time. Z3 proves
these and the prover here does not: {only_z3}. Of those that can be written for Z3 the prover here proves these and Z3 does not:
{only_here}.
2. **For methods of first order PEPit is better.** It shows {proved["pepit"]} of {pepit} bounds in every dimension,
`drori_teboulle` and `proximal_point` for all convex functions of the class, where the claims here take one family. It shows
them in floats, so that it does not tell the false variant of {by_floats} from the theorem, and it is not made for the others.
3. **Hypothesis asks least of its user, and refutes {refuted["hypothesis"]} of {len(rows)} false variants**,
by small integers that one can look at. It missed: {missed}. It proves nothing, and a tolerance stands in
place of exact numbers.
4. **SymPy is better where one wants to see why.** Its user finds the proof (a root of Cholesky, an order of the variables,
a diagonal matrix), and it does the algebra: {proved["sympy"]} of {len(rows)} theorems were shown, at the smallest size.
5. **What is left for this project are spectra, exponentials and logarithms, and one text for all of it.** All theorems are
written in NumPy's words; {refuted["ours"]} of {len(rows)} false variants are refuted by exact numbers or balls, and
{proved["ours"]} theorems are proved at some sizes, {smallest} of them only at n = 1. For the others the search is
all the evidence there is.
"""


def main():
    PAGE.write_text(page(json.loads(RESULTS.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
