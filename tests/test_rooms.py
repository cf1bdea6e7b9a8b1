"""Each room of `verify` imports only what stands below it, and no paper imports from another: a reader need not know those."""

import ast
from pathlib import Path

import theorems
import verify

ROOT = Path(verify.__file__).parent
PAPERS = Path(theorems.__file__).parent
OF_OTHER_PAPERS = {
    "bottleneck_structure/extension.py": "theorems.notion_of_rank.constructions.rank_one",
    "symmetry_learning/symmetry_overfitting.py": "theorems.notion_of_rank.theorem_2.dense_atoms",
}
"""What modules take from another paper: both need the class `PiecewiseCurve`, whose place is a part of fingerprints."""
# a line is a floor: what stands on it knows nothing of its neighbours there
FLOORS = """
numbers notation engines version
matrices linting
networks
instances cones
claims words piecewise
search families
evidence
checker experiments
proofs
report
trained pytest_plugin
interactive cli
__init__ __main__ site
"""
FLOOR = {room: height for height, line in enumerate(FLOORS.strip().splitlines()) for room in line.split()}


def imported(path):
    """Modules of `verify` that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "verify":
            for name in [one.name for one in node.names] if node.module == "verify" else [""]:
                part = node.module.split(".")[1] if node.module != "verify" else name
                yield part if (ROOT / part).is_dir() or (ROOT / f"{part}.py").exists() else "__init__"


def room_of(path):
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def test_every_room_has_a_floor():
    rooms = {room_of(path) for path in ROOT.rglob("*.py")}
    assert rooms == set(FLOOR)


def test_no_room_imports_from_above():
    upward = {
        f"{path.relative_to(ROOT)}: {other}"
        for path in ROOT.rglob("*.py")
        for other in imported(path)
        if other != room_of(path) and FLOOR[other] >= FLOOR[room_of(path)]
    }
    assert not upward


def test_papers_share_what_stands_in_shared():
    found = {}
    for path in PAPERS.glob("*/**/*.py"):
        place = str(path.relative_to(PAPERS))
        for node in ast.walk(ast.parse(path.read_text())):
            # nothing is imported as a whole
            name = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if name.startswith("theorems.") and name.split(".")[1] not in ("shared", place.partition("/")[0]):
                found[place] = name
    assert found == OF_OTHER_PAPERS
