"""What happens on the way of a request, one frozen class per kind, for whoever listens."""

from pegboard.events.bus import Emit, silent
from pegboard.events.kinds import (
    AnswerEnded,
    AnswerPiece,
    ArgumentsBound,
    CallEnded,
    CallPiece,
    CallStarted,
    CandidateScored,
    Degraded,
    Event,
    FollowUpCompleted,
    ItemsFound,
    Noticed,
    QuestionAsked,
    ResultGiven,
    ToolChosen,
    UserAsked,
)

__all__ = [
    "AnswerEnded",
    "AnswerPiece",
    "ArgumentsBound",
    "CallEnded",
    "CallPiece",
    "CallStarted",
    "CandidateScored",
    "Degraded",
    "Emit",
    "Event",
    "FollowUpCompleted",
    "ItemsFound",
    "Noticed",
    "QuestionAsked",
    "ResultGiven",
    "ToolChosen",
    "UserAsked",
    "silent",
]
