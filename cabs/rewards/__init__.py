"""Clinical rewards for training report generators: the same facts and alignment as the metrics, one number a sample."""

from cabs.rewards.example import Example
from cabs.rewards.judgement import Judgement, SectionJudgement, Verdict
from cabs.rewards.registered import reward, score_batch
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward

__all__ = ["Example", "Judgement", "Reward", "RewardResult", "SectionJudgement", "Verdict", "reward", "score_batch"]
