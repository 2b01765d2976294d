"""Rewards as workers of trainers on clusters have them: imported and computed in Ray actors."""

from __future__ import annotations

import ray

from cabs.rewards import Example, reward

REPORT = "<findings>There is a 9 mm nodule in the right upper lobe. Small left pleural effusion.</findings>"
SAID = [REPORT, REPORT.replace("right", "left"), REPORT.replace("9 mm", "30 mm"), "", "The liver is enlarged."]
NAMES = ("tif", "tif_paper", "cabs_f1")


def test_actors_give_the_rewards_of_this_process(cluster) -> None:
    @ray.remote(num_cpus=1)
    class Actor:
        def __init__(self, name: str) -> None:
            from cabs.rewards import reward

            self.reward = reward(name)

        def values(self, said: list[str]) -> list[float | None]:
            return [found.value for found in self.reward.score_batch([Example(text, REPORT) for text in said])]

    for name in NAMES:
        actors = [Actor.remote(name) for _ in range(2)]
        expected = [found.value for found in reward(name).score_batch([Example(text, REPORT) for text in SAID])]
        assert ray.get([actor.values.remote(SAID) for actor in actors]) == [expected, expected]
        for actor in actors:
            ray.kill(actor)


def test_a_reward_travels_to_tasks(cluster) -> None:
    """Made here, pickled by Ray, used there: as by verl and TRL, which hand functions to their workers."""
    from cabs.rewards.adapters.trl import trl_reward
    from cabs.rewards.adapters.verl import compute_score

    function = trl_reward("tif")
    completions, references = [SAID[0], SAID[1]], [REPORT, REPORT]

    @ray.remote
    def as_trl() -> list[float | None]:
        return list(function(prompts=["", ""], completions=completions, reference=references))

    @ray.remote
    def as_verl() -> list[float]:
        scored = [
            compute_score(data_source="reports", solution_str=said, ground_truth=REPORT, extra_info={}, reward="tif")
            for said in completions
        ]
        return [one["score"] for one in scored]

    here = list(function(prompts=["", ""], completions=completions, reference=references))
    assert ray.get(as_trl.remote()) == here
    assert ray.get(as_verl.remote()) == here
