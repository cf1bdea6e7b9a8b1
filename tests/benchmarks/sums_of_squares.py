"""The ten largest polynomials that certificates show to be sums of squares, once more, and by certo-math and z3. Run by hand.

    python tests/benchmarks/sums_of_squares.py [--peer PYTHON] [--seconds 60]

PYTHON is one that has certo-math and z3-solver; nothing of ours runs there. What is compared is one polynomial, without
assumptions: from its text to a certificate that has been checked. Times are those of the processor.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from pathlib import Path

COUNT = 10


def polynomials():
    """Of each certificate the largest goal that is a sum of squares without assumptions; the largest of these, as text."""
    from verify.evidence.files import certificate_folder

    found = []
    for path in sorted(certificate_folder("theorems").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        trees = [
            case["tree"] for one in document["proofs"] if one["method"] == "sum_of_squares" for case in one["data"]["cases"]
        ]
        goals = [text for tree in trees for text in plain_goals(tree, free=True)]
        if goals:
            found.append((document["claim"], max(goals, key=len)))
    found.sort(key=lambda one: (-len(one[1]), one[0]))
    return found[:COUNT]


def plain_goals(node, *, free):
    free = free and all(sign != "=" for _, sign in node["new"])
    if "ask" in node:
        for way in ("yes", "no"):
            # an equality may have been used to write a goal as a sum
            yield from plain_goals(node[way], free=free and not (node["zero"] and way == "yes"))
    elif free:
        for goal in node.get("goals", ()):
            terms = [term for group in goal.get("groups", ()) for term in group]
            terms += goal["rest"]["terms"] if "rest" in goal and not goal["rest"]["by"] else []
            if goal["sense"] == ">=" and terms and not any(factors for _, factors, _ in terms):
                yield goal["value"]


def ours(text, seconds):
    from verify.proofs.certificate import Deadline, NotProved
    from verify.proofs.expressions import new_path
    from verify.proofs.squares import Prover
    from verify.proofs.texts import to_polynomial

    count = 1 + max(int(word) for monomial in text for word in monomial.split())
    begin = time.process_time()
    path = new_path([f"x{k}" for k in range(count)], ())
    try:
        found = Prover(Deadline(seconds)).shows(path, to_polynomial(path, text)) is not None
    except NotProved:
        found = False
    return found, time.process_time() - begin


PEER = """
import json, sys, time
from fractions import Fraction
import z3
from certo import SOSSpec, api
text, seconds = json.load(sys.stdin)
count = 1 + max(int(word) for monomial in text for word in monomial.split())
xs = [z3.Real(f"x{k}") for k in range(count)]
p = z3.RealVal(0)
for monomial, c in text.items():
    term = z3.Q(*map(int, (Fraction(c).numerator, Fraction(c).denominator)))
    for word in monomial.split():
        term = term * xs[int(word)]
    p = p + term
begin = time.process_time()
solver = z3.Solver()
solver.set("timeout", 1000 * seconds)
solver.add(p < 0)
answer = str(solver.check())
print(json.dumps({"z3": [answer == "unsat", time.process_time() - begin]}), flush=True)
begin = time.process_time()
result = api.run("sos", SOSSpec(variables=[str(x) for x in xs], poly=p))
print(json.dumps({"certo": [result.verdict.name == "PROVED", time.process_time() - begin]}), flush=True)
"""


def peers(python, text, seconds):
    """What the peers answer; one that is not done in time has no answer."""
    try:
        done = subprocess.run(
            [python, "-c", PEER],
            input=json.dumps([text, seconds]),
            capture_output=True,
            text=True,
            timeout=3 * seconds,
            check=False,
        )
        lines, problem = done.stdout, done.stderr
    except subprocess.TimeoutExpired as error:
        lines, problem = (error.stdout or b"").decode(), ""
    answers = {name: one for line in lines.splitlines() for name, one in json.loads(line).items()}
    if not answers:
        raise RuntimeError(f"{python} has no answer: {problem[-300:]}")
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--peer", type=Path)
    parser.add_argument("--seconds", type=int, default=60)
    options = parser.parse_args()
    print("| claim | terms | degree | here | certo-math | z3 |\n|---|---|---|---|---|---|")
    for name, text in polynomials():
        answers = {"ours": ours(text, options.seconds)}
        if options.peer:
            answers |= peers(str(options.peer), text, options.seconds)
        cells = []
        for one in ("ours", "certo", "z3"):
            shown, seconds = answers.get(one, (False, None))
            cells.append(f"{seconds:.2f} s" if shown else "no answer" if seconds is None else f"not shown, {seconds:.1f} s")
        degree = max(len(monomial.split()) for monomial in text)
        print(f"| {name} | {len(text)} | {degree} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
