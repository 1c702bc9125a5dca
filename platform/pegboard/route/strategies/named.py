"""Every strategy by the name that documents and requests give it."""

from collections.abc import Mapping

from pegboard.catalog.contract import Strategy as Name
from pegboard.route.strategies.batch import ByBatch
from pegboard.route.strategies.cascade import ByCascade
from pegboard.route.strategies.embedded import ByEmbedded
from pegboard.route.strategies.functions import ByFunctions
from pegboard.route.strategies.score import ByScore
from pegboard.route.strategies.strategy import Strategy

STRATEGIES: Mapping[Name, Strategy] = {
    "score": ByScore(),
    "batch": ByBatch(),
    "functions": ByFunctions(),
    "embedded": ByEmbedded(),
    "cascade": ByCascade(),
}
