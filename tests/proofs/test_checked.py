"""What is listed as proved was checked by this package: a file that says so is not enough, whatever its digest."""

import importlib
import json
import sys
from dataclasses import replace

import pytest

from verify.checker.running import claims_in
from verify.proofs import independent
from verify.proofs.certificate import (
    NotProved,
    UnusableCertificate,
    certificate_of,
    document_of,
    read_certificate,
    write_certificate,
)
from verify.proofs.checked import check_and_remember, is_checked
from verify.proofs.coq.kernel import Accepted, Record, exporter, write_record
from verify.proofs.methods import prove
from verify.report.index import listing

MODULE = """
from verify import Claim, Domain, Source, integers, reals
from verify.words import ge, power

def cases(k):
    return ge(k * k, k)

def wrong_cases(k):
    return ge(k, k * k)

def squares(x, y):
    return ge(x * x + y * y, 2 * x * y)

def wrong_squares(x, y):
    return ge(x * y, x * x)

FEW, PLANE = Domain({"k": integers(0, 5)}), Domain({"x": reals(), "y": reals()})
CASES = Claim("toy.cases", "", Source("toy", "1"), cases, FEW, {"reversed": wrong_cases})
SQUARES = Claim("toy.squares", "", Source("toy", "2"), squares, PLANE, {"reversed": wrong_squares})
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with two claims, and an empty cache."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    folder = tmp_path / "certified_claims"
    (folder / "certificates").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "both.py").write_text(MODULE)
    yield folder
    forget()


def forget():
    """As in a new process."""
    for name in [*sys.modules]:
        if name.startswith("certified_claims"):
            del sys.modules[name]
    claims_in.cache_clear()
    importlib.invalidate_caches()


def tiers():
    """What is listed of each claim."""
    forget()
    found = {name: one.evidence for name, one in listing("certified_claims").items()}
    forget()
    return found


def certificates(folder):
    """Certificates of both claims, written, and the claims."""
    forget()
    claims = claims_in("certified_claims")
    found = {}
    for name, claim in claims.items():
        certificate, reasons = prove(claim, 2, 20)
        assert certificate is not None, reasons
        write_certificate(certificate, folder / "certificates" / f"{name}.json")
        found[name] = certificate
    return found, claims


def test_what_nobody_checked_is_not_listed_as_proved(package):
    found, claims = certificates(package)
    assert tiers() == dict.fromkeys(found, "searched, certificate not checked here")
    for name, certificate in found.items():
        assert not is_checked(certificate, claims[name])
        check_and_remember(certificate, claims[name])
        assert is_checked(certificate, claims[name])
    assert all(tier.startswith(("proved", "identity", "on a grid")) for tier in tiers().values())


def test_what_coq_accepted_is_listed_behind_what_is_proved(package):
    found, claims = certificates(package)
    accepted = {name: Accepted(document_of(one)["digest"], 1, True, "8.16.1") for name, one in found.items()}
    write_record(Record(exporter(), (), {"toy.squares": accepted["toy.squares"]}), package / "kernel.json")
    # nothing is proved by a record alone
    assert tiers() == dict.fromkeys(found, "searched, certificate not checked here")
    for name, certificate in found.items():
        check_and_remember(certificate, claims[name])
    listed = tiers()
    assert listed["toy.squares"].startswith("proved at ")
    assert listed["toy.squares"].endswith(", Coq")
    assert ", Coq" not in listed["toy.cases"]
    write_record(Record("0" * 64, (), accepted), package / "kernel.json")
    assert ", Coq" not in str(tiers())


def test_of_a_certificate_whose_meaning_alone_differs_only_a_check_tells(package):
    found, claims = certificates(package)
    path, certificate = package / "certificates" / "toy.squares.json", found["toy.squares"]
    source, _, said = certificate.fingerprint.partition("-")
    write_certificate(replace(certificate, fingerprint=f"{source}-{'0' * len(said)}"), path)
    assert tiers()["toy.squares"] == "searched, certificate not checked here"
    with pytest.raises(UnusableCertificate, match="has changed since"):
        check_and_remember(read_certificate(path), claims["toy.squares"])
    assert tiers()["toy.squares"] == "searched, certificate not checked here"
    write_certificate(replace(certificate, fingerprint=f"{'0' * len(source)}-{said}"), path)
    assert tiers()["toy.squares"] == "searched, certificate is stale"


def test_a_file_that_is_made_up_is_not_listed_as_proved(package):
    found, claims = certificates(package)
    for name, certificate in found.items():
        check_and_remember(certificate, claims[name])
    made_up = document_of(found["toy.cases"])
    made_up["proofs"][0]["data"] |= {"instances": 1, "valid": 1, "digest": "0" * 64}
    made_up["proofs"][0]["covers"] = "all 1 instances"
    made_up["proofs"] = json.loads(json.dumps(made_up["proofs"]))
    made_up["digest"] = independent.digest(made_up["proofs"])
    with pytest.raises(NotProved):
        check_and_remember(certificate_of(made_up), claims["toy.cases"])
    with pytest.raises((independent.NotChecked, independent.Rejected)):
        independent.check_document(json.loads(json.dumps(made_up)))
    # the proof of one claim under the name of the other
    borrowed = json.loads(json.dumps(document_of(found["toy.squares"])))
    borrowed |= {"claim": "toy.cases", "fingerprint": found["toy.cases"].fingerprint}
    for document in (made_up, borrowed):
        (package / "certificates" / "toy.cases.json").write_text(json.dumps(document))
        assert tiers()["toy.cases"] == "searched, certificate not checked here"


def test_another_statement_and_another_certificate_are_not_checked(package):
    found, claims = certificates(package)
    for name, certificate in found.items():
        check_and_remember(certificate, claims[name])
    (package / "both.py").write_text(MODULE.replace("ge(k * k, k)", "ge(2 * k * k, k)"))
    assert tiers()["toy.cases"] == "searched, certificate is stale"
    assert not tiers()["toy.squares"].startswith("searched")
