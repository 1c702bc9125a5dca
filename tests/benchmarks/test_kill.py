"""A few of the kills that `python -m benchmarks.kill` makes by the fifty: real processes, `kill -9`."""

from benchmarks.kill import killed


def test_no_recorded_node_runs_again_after_kill_9_and_the_run_ends_right() -> None:
    seen = killed(4, seed=7)
    assert (seen.kills, seen.repeated, seen.faults) == (4, [], [])
