"""The checks that every metric and every reward of CABS passes, for the authors of others."""

from cabs.testing.metrics import METRIC_CHECKS, check_metric, examples
from cabs.testing.rewards import REWARD_CHECKS, check_reward

__all__ = ["METRIC_CHECKS", "REWARD_CHECKS", "check_metric", "check_reward", "examples"]
