"""Witness files: what was written is read and decided again, and what cannot be trusted is refused with the reason."""

import errno
import json
from functools import partial

import pytest

from verify.checker.checking import Checker
from verify.claims.claim import Claim, FalseAsPrinted, Source
from verify.claims.domain import Domain
from verify.claims.variables import integers, interval, reals
from verify.evidence import (
    UnusableWitness,
    fingerprint,
    packaged_witness,
    read_witness,
    recheck,
    stands,
    witness_of,
    write_whole,
    write_witness,
)
from verify.numbers.arithmetic import floats
from verify.numbers.relation import Verdict
from verify.words import le, norm2


def norm_is_small(matrix, scale, count, bound=1):
    return le(norm2(matrix) * scale, bound + 0 * count)


CLAIM = Claim(
    id="toy.norm",
    title="A norm",
    source=Source("notion_of_rank", "derived here"),
    status=FalseAsPrinted(corrected_by="toy.other"),
    statement=norm_is_small,
    domain=Domain(
        {"matrix": reals("n", 2), "scale": interval(0, 8), "count": integers(0, 3)},
        {"n": (1, 2)},
        {"first entry positive": lambda matrix: matrix[0, 0] > 0},
    ),
    false_variants={"bound 2": {"bound": 2}},
)
CLAIMS = {CLAIM.id: CLAIM}


@pytest.fixture
def path(tmp_path):
    found = Checker(CLAIM).searched()
    write_witness(witness_of(CLAIM, found.refutation), tmp_path / "witness.json")
    return tmp_path / "witness.json"


def changed(path, **changes):
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return path


def test_a_witness_is_read_and_decided_again(path):
    witness, claim = read_witness(path, CLAIMS)
    relation = recheck(witness, claim)
    assert claim is CLAIM
    assert stands(relation)
    left, right, _ = relation.worst()
    assert (str(left), str(right)) == (witness.left, witness.right)
    assert list(path.parent.iterdir()) == [path]


def test_a_round_trip_loses_nothing(path, tmp_path):
    witness, _ = read_witness(path, CLAIMS)
    write_witness(witness, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == path.read_text()
    matrix = witness.sample.coordinates["matrix"]
    assert floats(matrix).shape == (witness.sample.sizes["n"], 2)


def test_a_variant_has_witnesses_too(tmp_path):
    witness = witness_of(CLAIM, Checker(CLAIM).searched().refutation, variant="bound 2")
    write_witness(witness, tmp_path / "two.json")
    read, claim = read_witness(tmp_path / "two.json", CLAIMS)
    assert read.variant == "bound 2"
    assert recheck(read, claim).verdict in (Verdict.FAILS, Verdict.HOLDS)


@pytest.mark.parametrize("variant", [None, "bound 2"])
def test_a_witness_of_the_first_schema_is_read(tmp_path, variant):
    now, then = tmp_path / "now.json", tmp_path / "then.json"
    write_witness(witness_of(CLAIM, Checker(CLAIM).searched().refutation, variant), now)
    then.write_text(now.read_text().replace('"schema": 2', '"schema": 1').replace('"variant"', '"neighbour"'))
    assert then.read_text() != now.read_text()
    write_witness(read_witness(then, CLAIMS)[0], then)
    assert then.read_text() == now.read_text()


def test_a_file_that_is_cut_short_is_refused(path):
    whole = path.read_text()
    for length in range(0, len(whole) - 2, 7):
        path.write_text(whole[:length])
        with pytest.raises(UnusableWitness, match=r"witness.json: not a witness file"):
            read_witness(path, CLAIMS)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b"3", b"{}", b'{"schema": 1}', b"\x00" * 50, b"NaN"])
def test_a_foreign_file_is_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(UnusableWitness, match="not a witness file"):
        read_witness(path, CLAIMS)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(UnusableWitness, match="there is no such file"):
        read_witness(tmp_path / "none.json", CLAIMS)
    with pytest.raises(UnusableWitness, match="not a witness file"):
        read_witness(tmp_path, CLAIMS)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"schema": 3}, "schema 3 is not the schema 2"),
        ({"schema": 1}, "schema 1 is not the schema 2"),
        ({"claim": "toy.unknown"}, "no claim has the id 'toy.unknown'"),
        ({"claim": ["toy.norm"]}, "no claim has the id"),
        ({"variant": "bound 3"}, "has no false variant called 'bound 3'"),
        ({"fingerprint": "0" * 16}, "the statement of toy.norm has changed since"),
        ({"sizes": {"n": 7}}, "sizes {'n': 7} are not in the domain"),
        ({"sizes": 3}, "sizes 3 are not in the domain"),
        ({"coordinates": {"matrix": []}}, "the coordinates must be matrix, scale, count"),
        ({"coordinates": None}, "the coordinates must be matrix, scale, count"),
    ],
)
def test_a_tampered_or_outdated_file_is_refused(path, changes, reason):
    with pytest.raises(UnusableWitness, match=reason):
        read_witness(changed(path, **changes), CLAIMS)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("matrix", [["1", "2"], ["3", "4"], ["5", "6"]], r"matrix must have the shape \(\d, 2\), got \(3, 2\)"),
        ("matrix", [["1"], ["2", "3"]], "matrix"),
        ("scale", "nine", "scale is not an array of rationals"),
        ("scale", 1.5, "scale is not an array of rationals"),
        ("scale", "1/0", "scale is not an array of rationals"),
        ("scale", "9", "scale must be from 0 to 8, got 9"),
        ("scale", None, "scale is not an array of rationals"),
        ("scale", {"a": 1}, "scale is not an array of rationals"),
        ("count", "1/2", "count must consist of integers, got 1/2"),
    ],
)
def test_a_tampered_coordinate_is_refused(path, name, value, reason):
    coordinates = json.loads(path.read_text())["coordinates"] | {name: value}
    with pytest.raises(UnusableWitness, match=reason):
        read_witness(changed(path, coordinates=coordinates), CLAIMS)


def test_an_instance_outside_the_domain_refutes_nothing(path):
    coordinates = json.loads(path.read_text())["coordinates"]
    coordinates["matrix"] = [["-9"] * 2 for _ in coordinates["matrix"]]
    witness, claim = read_witness(changed(path, coordinates=coordinates), CLAIMS)
    with pytest.raises(UnusableWitness, match="it breaks first entry positive"):
        recheck(witness, claim)


def test_sides_that_were_tampered_with_change_nothing(path):
    witness, claim = read_witness(changed(path, left="0", right="10"), CLAIMS)
    assert stands(recheck(witness, claim))


def test_an_instance_at_which_the_statement_is_true_does_not_stand(path):
    coordinates = json.loads(path.read_text())["coordinates"] | {"scale": "0"}
    witness, claim = read_witness(changed(path, coordinates=coordinates), CLAIMS)
    assert not stands(recheck(witness, claim))


def test_the_fingerprint_is_of_the_code_and_not_of_its_words():
    def one(x):
        """Says one thing."""
        return le(x, 1)

    original = fingerprint(one)

    def one(x: float):
        """Says another."""
        # with a comment
        return le(x, 1)

    assert fingerprint(one) == original

    def one(x):
        return le(x, 2)

    assert fingerprint(one) != original
    assert fingerprint(partial(norm_is_small, bound=2)) != fingerprint(partial(norm_is_small, bound=3))


def test_a_package_carries_its_witnesses(tmp_path, monkeypatch):
    folder = tmp_path / "carrier"
    (folder / "witnesses").mkdir(parents=True)
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert packaged_witness(CLAIM, "carrier") is None
    write_whole(folder / "witnesses" / "toy.norm.json", "{}")
    assert packaged_witness(CLAIM, "carrier") == folder / "witnesses" / "toy.norm.json"


def test_writing_leaves_the_old_file_or_the_new_one(tmp_path, monkeypatch):
    path = tmp_path / "file.json"
    write_whole(path, "old")

    def replace(_, target):
        raise OSError(errno.EIO, "the disk is broken", str(target))

    monkeypatch.setattr("pathlib.Path.replace", replace)
    with pytest.raises(OSError, match=r"the disk is broken.*file\.json"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
