"""What is imported when, in processes of their own, and what imports what, from the source."""

import ast
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import verify

SLOW = ("scipy", "sympy", "cvxpy", "networkx", "hypothesis", "matplotlib", "distributed", "mpi4py", "rich", "typer", "pytest")


def loaded(code):
    report = f"import sys\n{code}\nprint(*[name for name in {SLOW!r} if name in sys.modules])"
    return subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True).stdout.split()


def test_the_package_loads_nothing_slow():
    assert loaded("import verify") == []


def test_the_plugin_loads_no_search():
    code = (
        "import verify.pytest_plugin\n"
        "assert not {'verify.search', 'verify.checker.checking'} & set(sys.modules), 'the search is loaded'"
    )
    assert set(loaded(code)) <= {"pytest", "rich"}


def test_the_command_line_loads_what_it_needs_when_it_needs_it():
    assert set(loaded("import verify.cli")) <= {"typer", "rich"}


def import_graph(files):
    """Modules with those of them that they import anywhere, inside functions and under `TYPE_CHECKING`, too.

    `files` are their texts by their dotted names. What a module imports comes with its packages, but for those that the module
    lies in itself.
    """
    graph = {name: set() for name in files}
    for name, text in files.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                wanted = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{name} has a relative import"
                wanted = {f"{node.module}.{alias.name}" for alias in node.names}
                wanted = {one if one in files else node.module for one in wanted}
            else:
                continue
            around = {package for one in wanted for package in packages(one)} - {name, *packages(name)}
            graph[name] |= (wanted | around) & graph.keys()
    return graph


def packages(name):
    """The packages that a module lies in."""
    parts = name.split(".")
    return [".".join(parts[:k]) for k in range(1, len(parts))]


def circle(files):
    """Modules of which each imports the next, the first one again at the end; empty if there are none."""
    try:
        TopologicalSorter(import_graph(files)).prepare()
    except CycleError as error:
        return error.args[1][::-1]
    return []


def test_no_two_modules_need_one_another():
    root = Path(verify.__file__).parent
    files = {
        ".".join(("verify", *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__"): path.read_text()
        for path in root.rglob("*.py")
    }
    assert circle(files) == []


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"p": "", "p.a": "from p import b", "p.b": "import p.c", "p.c": "import numpy"}, []),
        ({"p": "from p.a import x", "p.a": "from p.b import y", "p.b": ""}, []),
        ({"p": "", "p.a": "from p import b", "p.b": "def f():\n    import p.a"}, ["p.a", "p.b", "p.a"]),
        ({"p": "", "p.a": "import p.b", "p.b": "if TYPE_CHECKING:\n    from p.a import x"}, ["p.a", "p.b", "p.a"]),
        ({"p": "import p.a", "p.a": "from p import x"}, ["p", "p.a", "p"]),
        (
            {"p.q": "import p.q.a", "p.q.a": "import p.b", "p.b": "from p.q.c import x", "p.q.c": ""},
            ["p.b", "p.q", "p.q.a", "p.b"],
        ),
    ],
)
def test_circles_are_found(files, found):
    assert sorted(set(circle(files))) == sorted(set(found))
