"""Theorems for Coq: what is written is true at points, what is changed is not. Coq agrees, where it is there."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files

import numpy as np
import pytest
from typer.testing import CliRunner

from verify import Claim, Domain, Source, eq, interval, le, reals
from verify.cli import app
from verify.evidence.files import certificate_folder
from verify.proofs import identities, independent, squares
from verify.proofs.certificate import Certificate, Deadline, Proof, document_of, read_certificate, write_certificate
from verify.proofs.coq import kernel
from verify.proofs.coq.export import AXIOMS, CHECKER, NOTHING, PART, WHOLE, coq_text, write_folder
from verify.proofs.coq.kernel import (
    Accepted,
    NotAccepted,
    Record,
    accepted,
    axioms_in,
    compile_folder,
    exporter,
    kernel_file,
    read_record,
    united,
    write_record,
)
from verify.proofs.coq.text import comment, integer, module_name
from verify.words import absolute, sqrt

PLANE = Domain({"x": reals(), "y": interval(0, np.inf)})
COQC = shutil.which("coqc")
POINTS = 300


def written(method, statement, domain=PLANE):
    claim = Claim("toy.export", "", Source("toy", "derived here"), statement, domain, {"a": lambda x: le(x, 0 * x)})
    return coq_text(Certificate(claim.id, "0" * 16, (method.prove(claim, {}, Deadline()),)), "a toy")


# A reader of the theorems: it knows numbers, + - * /, comparisons, -> and /\, and nothing of the checker.


def read(words):
    """The first proposition of a list of words, which is consumed; a function of the values of names."""
    left = [operand(words)]
    while words and words[0] == "/\\":
        words.pop(0)
        left.append(operand(words))

    def both(known):
        return all(one(known) for one in left)

    if words and words[0] == "->":
        words.pop(0)
        right = read(words)
        return lambda known: not both(known) or right(known)
    return both


def operand(words):
    if words[0] in ("True", "False"):
        answer = words.pop(0) == "True"
        return lambda _: answer
    if words[0] == "(":
        # a proposition in brackets: no number that is written begins a comparison with one
        words.pop(0)
        inner = read(words)
        assert words.pop(0) == ")"
        return inner
    left, relation, right = number(words), words.pop(0), number(words)
    return lambda known: RELATIONS[relation](left(known), right(known))


RELATIONS = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}


def number(words):
    """A sum of products, as Python reads it: its names are looked up."""
    taken = []
    depth = 0
    while words and not (depth == 0 and words[0] in {*RELATIONS, "->", "/\\", ")"}):
        depth += (words[0] == "(") - (words[0] == ")")
        taken.append(words.pop(0))
    text = compile(re.sub(r"\b(\d+)\b", r"Fraction(\1)", " ".join(taken)), "a number", "eval")
    return lambda known: eval(text, {"Fraction": Fraction}, known)


def theorems(text):
    """Of each theorem: the real numbers, the definitions it may use, the statement as a function of them, and its text."""
    text = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
    variables, defined = [], {}
    for line in text.splitlines():
        if found := re.fullmatch(r"Variables (.*) : R\.", line):
            variables, defined = found[1].split(), {}
        elif found := re.fullmatch(r"Definition (p\d+) : R := \((.*)\)%R\.", line):
            defined[found[1]] = number(re.findall(r"\w+|[-+*/()]", found[2]))
        elif found := re.fullmatch(r"Theorem (\w+) : \((.*)\)%R\.", line):
            words = re.findall(r"->|/\\|<=|<>|\w+|[-+*/()<=]", found[2])
            yield variables, dict(defined), read(words), found[2]
            assert not words, "something stands after the statement"


RESULT = re.compile(
    r"(r\d+) = ((?:\(-\d+\)|[^<>()])*?) (?=->)|\(0 <= (r\d+) -> (r\d+) = (r\d+)\) -> \(r\d+ < 0 -> r\d+ = (r\d+)\)"
)


def accepted_at_points(text, _folder):
    rng = np.random.default_rng(0)
    for variables, defined, statement, words in theorems(text):
        for _ in range(POINTS):
            known = {name: Fraction(int(rng.integers(-8, 9)), int(rng.integers(1, 5))) for name in variables}
            # where results are said by equations and choices, they are what these say
            for name, formula, asked, chosen, one, other in RESULT.findall(words):
                if asked:
                    known[chosen] = known[one if known[asked] >= 0 else other]
                else:
                    known[name] = number(formula.split())(known) if divisible(formula, known) else Fraction(0)
            known |= {name: one(known) for name, one in defined.items()}
            if not statement(known):
                return False
    return True


def divisible(text, known):
    _, _, bottom = text.partition(" / ")
    return not bottom or bottom.isdecimal() or known[bottom] != 0


@pytest.fixture(scope="module")
def checker(tmp_path_factory):
    """A folder with the compiled checker, if Coq is there."""
    folder = tmp_path_factory.mktemp("coq")
    write_folder(folder, [])
    if COQC:
        subprocess.run(
            ["make", "-C", folder, *(f"checker/{name}.vo" for name in (*CHECKER, "Numbers"))], check=True, capture_output=True
        )
    return folder


def accepted_by_coq(text, folder):
    path = folder / "claims" / "a_claim.v"
    path.write_text(text)
    command = [COQC, "-q", "-Q", "checker", "Verify", str(path)]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


JUDGES = {"points": accepted_at_points, **({"coq": accepted_by_coq} if COQC else {})}
judges = pytest.mark.parametrize("accepted", JUDGES.values(), ids=JUDGES)

TRUE = {
    "a square": (squares, lambda x, y: le(2 * x * y, x * x + y * y)),
    "choices": (squares, lambda x, y: le(absolute(x + y), absolute(x) + absolute(y))),
    "an assumption": (squares, lambda x, y: le(0, y + y * y + 0 * x)),
    "a root": (squares, lambda x, y: le(x, sqrt(x * x + y))),
    "an identity": (identities, lambda x, y: eq((x + y) ** 2, x * x + 2 * x * y + y * y)),
    "an identity with choices": (identities, lambda x, y: eq(absolute(2 * x), 2 * absolute(x) + 0 * y)),
    "an identity with quotients": (identities, lambda x, y: eq(1 / (1 + x * x) * (1 + x * x) * y, y)),
}


@judges
@pytest.mark.parametrize("name", TRUE)
def test_what_is_proved_is_accepted(name, accepted, checker):
    text, row = written(*TRUE[name])
    assert row.status == WHOLE
    assert row.theorems == len(list(theorems(text))) >= 1
    assert accepted(text, checker)


def changed(text, *changes):
    """A text with all places of a pattern changed, each of which must be there."""
    for here, there in changes:
        assert re.search(here, text, re.MULTILINE), f"{here} is not in what is written"
        text = re.sub(here, there, text, flags=re.MULTILINE)
    return text


CHANGED = {
    # in what is said and in what the checker reads, so that they agree
    "a coefficient": ("a square", [(r"- 2 \* ", "- 3 * "), (r"\bM m2\b", "M m3")]),
    "the sign of the goal": ("a square", [(r"0 <= (p\d+)", r"\1 <= 0"), (r"(?<=\[\()(q\d+), Nonnegative", r"\1, Nonpositive")]),
    "no assumption": ("an assumption", [(r"0 <= p\d+ -> ", ""), (r"^(Definition a\d+ : list fact :=) \(.*", r"\1 [].")]),
    # only in what is said
    "another claim": ("a square", [(r"- 2 \* ", "- 3 * ")]),
    "a constant of a programme": ("an identity", [(r"= 2 ->", "= 3 ->"), (r"Rational \(2\)", "Rational (3)")]),
    "an operation": ("an identity with choices", [(r"r(\d+) = r(\d+) - r", r"r\1 = r\2 + r"), (r"\(Minus ", "(Plus ")]),
}


@judges
@pytest.mark.parametrize("name", CHANGED)
def test_what_is_changed_is_refused(name, accepted, checker):
    which, changes = CHANGED[name]
    text, _ = written(*TRUE[which])
    assert not accepted(changed(text, *changes), checker)


def test_each_theorem_says_where_it_is_from():
    text, _ = written(*TRUE["choices"])
    above = dict(re.findall(r"^\(\* (.*) \*\)\nTheorem (\w+)", text, re.MULTILINE))
    leaves = [words for words, name in above.items() if "_leaf" in name]
    assert leaves
    assert all(words.startswith("toy.export at all sizes, case 0, leaf ") for words in leaves)
    assert all("Assumed: " in words and "Claimed: " in words and "0 <= y_0" in words for words in leaves)


CERTIFICATES = [
    "leaky_resnets.prop_5.cost_change",  # both methods
    "leaky_resnets.zero_representation",
    "notion_of_rank.ridge.local_minimum",
    "symmetry_learning.summary_statistics.closed_form",
]


@judges
@pytest.mark.parametrize("name", CERTIFICATES)
def test_certificates_of_the_package_are_accepted(name, accepted, checker):
    text, row = coq_text(read_certificate(certificate_folder() / f"{name}.json"))
    assert row.status == WHOLE
    assert text.count("\nTheorem ") == row.theorems
    assert accepted(text, checker)


def test_a_certificate_that_does_not_stand_is_not_written():
    proof = squares.prove(
        Claim("toy.a", "", Source("toy", "derived here"), TRUE["a square"][1], PLANE, {"a": lambda x: le(x, 0 * x)}),
        {},
        Deadline(),
    )
    data = json.loads(json.dumps(proof.data))
    (goal,) = data["cases"][0]["tree"]["goals"]
    goal["value"] = dict.fromkeys(goal["value"], "3")
    with pytest.raises(independent.Rejected):
        coq_text(Certificate("toy.a", "0" * 16, (replace(proof, data=data),)))


def test_what_is_not_written_has_a_reason():
    digits = {"instances": 2, "valid": 2, "digest": "0" * 64, "grid": False}
    finite = Proof("finite_cases", {}, "all 2 instances", (), digits)
    text, row = coq_text(Certificate("toy.finite", "0" * 16, (finite,)))
    assert (text, row.status, row.theorems) == ("", NOTHING, 0)
    assert "finite_cases" in row.reasons[0]
    square = squares.prove(
        Claim("toy.a", "", Source("toy", "derived here"), TRUE["a square"][1], PLANE, {"a": lambda x: le(x, 0 * x)}),
        {},
        Deadline(),
    )
    text, row = coq_text(Certificate("toy.both", "0" * 16, (replace(finite, sizes={"n": 2}), square)))
    assert row.status == PART
    assert "(* not here: toy.both at n=2: " in text


@pytest.mark.parametrize("number", [0, 1, -1, 127, 128, -128, -129, 255, 256, -(10**40), 10**40 + 7])
def test_integers_are_written_by_their_bytes(number):
    def value(text):
        head, _, rest = text.partition(" (")
        if rest:
            return 256 * value(rest.removesuffix(")")) + int(head[1:])
        return int(head[1:]) * (-1 if head[0] == "m" else 1)

    assert value(integer(number)) == number


def test_names_are_those_of_modules():
    assert module_name("a.b_c") != module_name("a_b.c")
    assert re.fullmatch(r"\w+", module_name("bottleneck_structure.theorem_3.lower-bound"))
    assert comment('a *) Axiom false : False. (* "') == "(* a * ) Axiom false : False. ( * ' *)"


def test_a_name_that_is_no_identifier_is_replaced():
    proof = squares.prove(
        Claim("toy.a", "", Source("toy", "derived here"), TRUE["a square"][1], PLANE, {"a": lambda x: le(x, 0 * x)}),
        {},
        Deadline(),
    )
    data = json.loads(json.dumps(proof.data)) | {"coordinates": ["x_0 : R. Axiom false : False. Variables y", "R"]}
    text, _ = coq_text(Certificate("toy.a", "0" * 16, (replace(proof, data=data),)))
    assert "Variables u0 u1 : R." in text
    assert "Axiom" not in re.sub(r"\(\*.*?\*\)", "", text)


def test_the_checker_is_in_the_package_and_assumes_nothing():
    for name in CHECKER:
        text = (files("verify.proofs.coq") / f"{name}.v").read_text()
        assert not re.search(r"\b(Axiom|Axioms|Parameter|Admitted|admit|Conjecture)\b", re.sub(r"\(\*.*?\*\)", "", text))


def test_the_command_writes_a_folder(tmp_path):
    name = "leaky_resnets.zero_representation.injective"
    out = tmp_path / "coq"
    result = CliRunner().invoke(app, ["export", name, "--coq", str(out), "--package", "theorems"])
    assert result.exit_code == 0, result.output
    assert "1 of 1 certificates are written" in result.stdout
    (row,) = json.loads((out / "table.json").read_text())["claims"]
    assert (row["claim"], row["status"]) == (name, WHOLE)
    assert row["file"] in (out / "_CoqProject").read_text().split()
    assert f"{row['file']}o" in (out / "Makefile").read_text()
    assert not (tmp_path / "smtlib").exists()
    # what is there no more is removed, and nothing else
    (out / "notes.txt").write_text("mine")
    other = "leaky_resnets.adaptive_steps.cycle"
    arguments = ["export", other, "--coq", str(out), "--out", str(tmp_path / "smt"), "--package", "theorems"]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert not (out / row["file"]).exists()
    assert (out / "notes.txt").exists()
    assert (tmp_path / "smt" / f"{other}.smt2").exists()


def test_the_command_refuses_what_does_not_stand(tmp_path):
    name = "leaky_resnets.adaptive_steps.cycle"
    certificate = read_certificate(certificate_folder() / f"{name}.json")
    document = json.loads(json.dumps(document_of(certificate)))
    tree = document["proofs"][0]["data"]["cases"][0]["tree"]
    while "ask" in tree:
        tree = tree["yes" if "undefined" not in tree["yes"] else "no"]
    assert "goals" in tree
    tree["goals"] = [{"value": {"": "-1"}, "sense": ">=", "groups": [[]]}]
    proofs = (replace(certificate.proofs[0], data=document["proofs"][0]["data"]),)
    write_certificate(replace(certificate, proofs=proofs), tmp_path / f"{name}.json")
    arguments = ["export", name, "--certificates", str(tmp_path), "--coq", str(tmp_path / "coq"), "--package", "theorems"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert "no certificate" in result.output


# The folder as a whole, and the record of what was accepted.

needs_coq = pytest.mark.skipif(COQC is None or shutil.which("make") is None, reason="needs coqc and make")


@pytest.fixture
def folder(tmp_path, checker):
    """A folder with one claim, whose checker is compiled already."""
    shutil.copytree(checker / "checker", tmp_path / "coq" / "checker")
    text, row = written(*TRUE["a square"])
    write_folder(tmp_path / "coq", [(text, row)])
    return tmp_path / "coq", text, row


@needs_coq
def test_what_make_accepts_is_what_is_recorded(folder):
    path, text, row = folder
    record = compile_folder(path, [row])
    assert record.exporter == exporter()
    assert record.claims == {"toy.export": Accepted(row.digest, row.theorems, True, record.claims["toy.export"].coq)}
    assert re.fullmatch(r"\d+\.\d+.*", record.claims["toy.export"].coq)
    assert "ClassicalDedekindReals.sig_forall_dec" in record.axioms
    # what is the same is not compiled again, what has changed is
    claim, log = (path / row.file).with_suffix(".vo"), path / "assumptions.log"
    before = claim.stat().st_mtime_ns, log.stat().st_mtime_ns
    write_folder(path, [(text, row)])
    compile_folder(path, [row])
    assert (claim.stat().st_mtime_ns, log.stat().st_mtime_ns) == before
    write_folder(path, [(text + "(* more *)\n", row)])
    asked = subprocess.run(["make", "-q", "-C", path], check=False)
    assert asked.returncode == 1


FOREIGN = {
    "an axiom that is used": [
        (r"^Section Reals\.", "Axiom foreign : False.\nSection Reals."),
        (r"^Proof\. exact_no_check.*", "Proof. destruct foreign. Qed."),
    ],
    "a leaf that is admitted": [(r"^(Theorem \w+_leaf0 :.*\n)Proof\..*", r"\1Admitted.")],
}


@needs_coq
@pytest.mark.parametrize("name", FOREIGN)
def test_make_refuses_a_foreign_axiom(name, folder):
    """To the end: Coq compiles the file, and the folder is refused because of what it rests on."""
    path, text, row = folder
    (path / row.file).write_text(changed(text, *FOREIGN[name]))
    result = subprocess.run(["make", "-C", path], capture_output=True, text=True, check=False)
    assert (path / row.file).with_suffix(".vo").exists(), result.stderr
    assert result.returncode
    assert not (path / "assumptions.log").exists()
    with pytest.raises(NotAccepted, match="make -C"):
        compile_folder(path, [row])


@needs_coq
def test_the_command_records_what_coq_accepts(tmp_path, checker, monkeypatch):
    name = "leaky_resnets.zero_representation.injective"
    out, file = tmp_path / "coq", tmp_path / "kernel.json"
    shutil.copytree(checker / "checker", out / "checker")
    monkeypatch.setattr("verify.proofs.coq.kernel.kernel_file", lambda _: file)
    arguments = ["export", name, "--coq", str(out), "--package", "theorems", "--record"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    record = read_record(file)
    certificate = read_certificate(certificate_folder() / f"{name}.json")
    assert record.claims[name].digest == document_of(certificate)["digest"]
    # nothing is recorded of what is refused
    file.unlink()
    monkeypatch.setattr("verify.proofs.coq.export.AXIOMS", ())
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert "nothing is recorded" in result.output
    assert not file.exists()


def test_a_record_needs_a_folder():
    result = CliRunner().invoke(app, ["export", "leaky_resnets.zero_representation", "--record", "--package", "theorems"])
    assert result.exit_code == 2
    assert "--coq" in result.output


def test_a_record_is_void_where_something_changed(tmp_path, monkeypatch):
    file = tmp_path / "kernel.json"
    monkeypatch.setattr("verify.proofs.coq.kernel.kernel_file", lambda _: file)
    one = Accepted("a" * 64, 3, True, "8.16.1")
    assert accepted("toy", "toy.a", one.digest) is None
    write_record(Record(exporter(), ("sig_forall_dec",), {"toy.a": one, "toy.b": replace(one, whole=False)}), file)
    assert read_record(file).claims["toy.a"] == one
    assert accepted("toy", "toy.a", "a" * 64) == one
    assert accepted("toy", "toy.a", "b" * 64) is None, "of another certificate"
    assert accepted("toy", "toy.b", "a" * 64) is None, "of a part"
    assert accepted("toy", "toy.c", "a" * 64) is None
    write_record(Record("0" * 64, (), {"toy.a": one}), file)
    assert accepted("toy", "toy.a", "a" * 64) is None, "by another exporter"
    file.write_text('{"schema": 1}')
    assert accepted("toy", "toy.a", "a" * 64) is None


def test_records_are_united():
    one, other = Accepted("a" * 64, 3, True, "8.16.1"), Accepted("b" * 64, 2, True, "9.0")
    known = Record("new", ("x",), {"toy.a": one, "toy.b": one, "toy.gone": one})
    new = Record("new", ("y",), {"toy.b": other})
    present = {"toy.a": one.digest, "toy.b": other.digest, "toy.gone": "c" * 64}
    assert united(known, new, present) == Record("new", ("x", "y"), {"toy.a": one, "toy.b": other})
    assert united(replace(known, exporter="old"), new, present) == new


def test_axioms_are_read_from_what_coq_prints():
    log = "Axioms:\nClassicalDedekindReals.sig_not_dec : forall P : Prop, {~ ~ P} + {~ P}\nfoo\n  : forall A,\n    B\n"
    assert axioms_in(log) == ("ClassicalDedekindReals.sig_not_dec", "foo")
    assert axioms_in("Closed under the global context\n") == ()


def test_the_record_of_the_package_is_one():
    jsonschema = pytest.importorskip("jsonschema")
    document = json.loads(kernel_file().read_text())
    jsonschema.validate(document, json.loads((files("verify") / "schemas" / "kernel.json").read_text()))
    assert set(document["axioms"]) <= set(AXIOMS)
    record = read_record(kernel_file())
    folder = certificate_folder()
    assert all((folder / f"{name}.json").exists() for name in record.claims)


def test_the_record_of_the_catalogue_is_of_what_is_exported_now():
    record = kernel.read_record(kernel.kernel_file("theorems"))
    again = "the exporter has changed: `verify export --coq DIR --record` has Coq compile everything again"
    assert record.exporter == kernel.exporter(), again
    folder = certificate_folder("theorems")
    kept = [read_certificate(folder / f"{name}.json") for name in record.claims]
    assert [document_of(certificate)["digest"] for certificate in kept] == [
        accepted.digest for accepted in record.claims.values()
    ]
