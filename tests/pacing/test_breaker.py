"""When a breaker lets nobody through, and who finds out whether it closes."""

from hypothesis import given
from hypothesis import strategies as st

from pegboard.pacing.breaker import Breaker
from tests.pacing.virtual import VirtualClock


def a_breaker(failures: int = 3) -> tuple[Breaker, VirtualClock]:
    clock = VirtualClock()
    return Breaker(rest_seconds=30, failures=failures, clock=clock.now), clock


def fail(breaker: Breaker, times: int = 1) -> None:
    for _ in range(times):
        breaker.failed(breaker.now())


def test_it_opens_after_so_many_failures_in_a_row() -> None:
    breaker, clock = a_breaker()
    fail(breaker, 2)
    assert breaker.enter() == 0
    fail(breaker)
    assert (breaker.enter(), breaker.is_open) == (30, True)
    clock.time = 10
    assert breaker.enter() == 20


def test_a_success_between_failures_keeps_it_closed() -> None:
    breaker, clock = a_breaker()
    for _ in range(5):
        clock.time += 1
        fail(breaker, 2)
        clock.time += 1
        breaker.succeeded()
    assert breaker.enter() == 0


def test_a_failure_of_a_call_that_began_before_a_success_says_nothing() -> None:
    breaker, clock = a_breaker(1)
    began = breaker.now()
    clock.time = 1
    breaker.succeeded()
    breaker.failed(began)
    assert breaker.enter() == 0


def test_after_the_rest_one_call_finds_out_and_the_others_wait() -> None:
    breaker, clock = a_breaker()
    fail(breaker, 3)
    clock.time = 30
    assert [breaker.enter(), breaker.enter(), breaker.enter()] == [0, 30, 30]
    breaker.succeeded()
    assert [breaker.enter(), breaker.enter()] == [0, 0]


def test_one_failure_after_the_rest_opens_it_again() -> None:
    breaker, clock = a_breaker()
    fail(breaker, 3)
    clock.time = 30
    assert breaker.enter() == 0
    clock.time = 31
    fail(breaker)
    assert breaker.enter() == 30


def test_a_call_that_was_given_up_leaves_finding_out_to_the_next() -> None:
    breaker, clock = a_breaker()
    fail(breaker, 3)
    clock.time = 30
    assert breaker.enter() == 0
    breaker.left()
    assert [breaker.enter(), breaker.enter()] == [0, 30]


@given(st.integers(1, 4), st.lists(st.tuples(st.floats(0, 40), st.booleans()), max_size=60))
def test_it_is_open_exactly_after_so_many_failures_and_for_its_rest(most: int, calls: list[tuple[float, bool]]) -> None:
    breaker, clock = a_breaker(most)
    in_a_row, opened = 0, float("-inf")
    for pause, fails in calls:
        clock.time += pause + 0.001
        admitted = breaker.enter() == 0
        assert admitted == (in_a_row < most or clock.time >= opened + 30)
        if not admitted:
            continue
        if fails:
            in_a_row += 1
            breaker.failed(breaker.now())
            opened = clock.time
        else:
            in_a_row = 0
            breaker.succeeded()
