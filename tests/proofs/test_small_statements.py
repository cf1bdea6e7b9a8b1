"""What is false, or void, gets no certificate, from any method and at any of its sizes; what is true and small does."""

import more_statements as more
import other_statements as other
import pytest
import roundabout_statements as roundabout
import small_statements as small
from small_statements import TRUE, UNDECIDED

from verify import Claim, Source
from verify.claims.domain import Sample
from verify.evidence.fingerprint import claim_fingerprint
from verify.numbers.arithmetic import rationals
from verify.numbers.relation import Verdict
from verify.proofs import second_look
from verify.proofs.certificate import Certificate, Deadline, NotProved, Refuted, UnusableCertificate
from verify.proofs.methods import METHODS, answered, check, prove
from verify.search.decide import decide_sample, verdict_of
from verify.words import le

pytestmark = pytest.mark.filterwarnings("ignore::verify.instances.SlowerOneByOne")
SECONDS = 0.3
"""Of the processor, for each method: errors prove quickly what is false."""

FALSE = small.FALSE | more.FALSE | other.FALSE | roundabout.FALSE
VOID = small.VOID | more.VOID | other.VOID | roundabout.VOID
AT = small.AT | more.AT | other.AT | roundabout.AT
KINDS = [(kind, name) for kind, ones in FALSE.items() for name in ones]


def nonsense(**variables):
    """False everywhere."""
    *_, last = variables.values()  # sizes come first
    return le(1 + 0 * last, 0)


def claim(statement, domain):
    return Claim("toy.small", "", Source("toy", "derived here"), statement, domain, {"nonsense": nonsense})


def proved(statement, domain):
    """What any method proves by itself at any size, and checks again."""
    toy, found = claim(statement, domain), []
    for sizes in domain.all_sizes():
        for method in METHODS:
            try:
                with answered():
                    one = method.prove(toy, sizes, Deadline(SECONDS))
                    check(Certificate(toy.id, claim_fingerprint(toy), (one,)), toy)
            except (NotProved, Refuted, UnusableCertificate):  # also: it says other things each time
                continue
            found.append(one)
    return found


def test_there_are_enough_of_all_kinds():
    assert len(KINDS) + len(VOID) >= 600
    assert len(FALSE) == len(small.FALSE) + len(more.FALSE) + len(other.FALSE) + len(roundabout.FALSE)
    assert len(FALSE) >= 20
    assert len(TRUE) >= 40


@pytest.mark.parametrize(("kind", "name"), KINDS, ids=[f"{kind}: {name}" for kind, name in KINDS])
def test_what_is_false_gets_no_certificate(kind, name):
    assert proved(*FALSE[kind][name]) == []


@pytest.mark.parametrize("name", VOID)
def test_what_is_void_gets_no_certificate(name):
    assert proved(*VOID[name]) == []


@pytest.mark.parametrize("name", more.NOTHING)
def test_what_says_nothing_tells_nothing(name):
    assert [one for one in proved(*more.NOTHING[name]) if one.tells] == []


@pytest.mark.parametrize("name", more.AT_A_SIZE)
def test_what_is_false_at_one_size_gets_no_certificate_at_others(name):
    with pytest.raises(Refuted, match="it is false at"):
        prove(claim(*more.AT_A_SIZE[name]), 2, 20)


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_gets_one(name):
    certificate, reasons = prove(claim(*TRUE[name]), 2, 20)
    assert certificate is not None, reasons


@pytest.mark.one_of(5)
@pytest.mark.parametrize(("kind", "name"), KINDS, ids=[f"{kind}: {name}" for kind, name in KINDS])
def test_what_is_called_false_is(kind, name):
    if name in (*UNDECIDED, *more.UNDECIDED, *other.UNDECIDED, *roundabout.UNDECIDED):
        return
    statement, domain = FALSE[kind][name]
    toy = claim(statement, domain)
    sizes = domain.all_sizes()[0]
    # the point is of the statement of that name whose variables it has
    if AT.get(name, {}).keys() == domain.layout(sizes).keys():
        point = Sample(sizes, {key: rationals(value) for key, value in AT[name].items()})
        relation = decide_sample(statement, domain, point).relation
        assert relation is not None
        assert verdict_of(relation) == Verdict.FAILS
        return
    for sizes in domain.all_sizes():
        with pytest.raises(Refuted, match="it is false at"):
            second_look.at_statement(toy, sizes)
