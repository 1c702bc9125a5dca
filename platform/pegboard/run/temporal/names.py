"""What runs, their activities, signals and queries are called in Temporal: runs of before know them by these."""

RUN = "pegboard_run"
DO, LOOK, FURTHER = "pegboard_do", "pegboard_look", "pegboard_further"
HEAR, ASK, RESUME = "hear", "ask", "resume"
STANDING, PAGE, KEPT = "standing", "page", "kept"

INPUTS_KEY = "\n"
"""The key of what a run was given, among those of what nodes gave."""
ABANDONED = "nobody waits for it any more"
"""Why a run within a node is cancelled."""
