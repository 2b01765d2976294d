"""Names come from CABS and from other packages; clashes are refused, faults are told and not hidden."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cabs.errors import CabsError, SettingError
from cabs.registry import Registry

Cabs = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def plugin(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the example package was installed into, by pip."""
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    source = root / "tests" / "example_plugin"
    subprocess.run([*command, "--target", str(target), str(source)], check=True, capture_output=True)
    return target


def installed(folder: Path, package: str, *lines: str, module: str = "", code: str = "") -> Path:
    """A package in `folder` as an installer leaves it."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join(["[cabs.metrics]", *lines]) + "\n")
    if module:
        (folder / f"{module}.py").write_text(code)
    return folder


def run(root: Path, *args: str, site: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(site)]), "NO_COLOR": "1"}
    command = [sys.executable, *args]
    return subprocess.run(command, cwd=site, env=env, capture_output=True, text=True, check=False)


def test_an_installed_package_brings_its_metric(root: Path, plugin: Path) -> None:
    code = """
from cabs.metrics.registered import METRICS, pair_metric
from cabs.testing import check_metric
metric = pair_metric("shared_words")
check_metric(metric)
print(METRICS.names[-1], METRICS.entries["shared_words"].package, metric.measure(["a b"], ["b c d"]).value)
"""
    done = run(root, "-c", code, site=plugin)
    assert (done.stderr, done.stdout) == ("", "shared_words cabs-example-plugin 0.25\n")


def test_an_installed_package_brings_its_reward(root: Path, plugin: Path) -> None:
    code = """
from cabs.rewards import Example, reward
from cabs.testing import check_reward
made = reward("brevity:words=2")
check_reward(made)
print(made.package, [result.value for result in made.score_batch([Example("a b"), Example("a b c d")])])
"""
    done = run(root, "-c", code, site=plugin)
    assert (done.stderr, done.stdout) == ("", "cabs-example-plugin [1.0, 0.5]\n")


def test_the_list_shows_it_with_its_package(root: Path, plugin: Path) -> None:
    rows = json.loads(run(root, "-m", "cabs", "metrics", "--json", site=plugin).stdout)["metrics"]
    mine = rows[-1]
    assert (mine["name"], mine["package"], mine["available"]) == ("shared_words", "cabs-example-plugin", True)


def test_a_built_in_name_is_refused(root: Path, tmp_path: Path) -> None:
    site = installed(tmp_path, "pirate", "rouge_l = pirate:rouge_l")
    done = run(root, "-m", "cabs", "metrics", site=site)
    assert done.returncode == 1
    assert "package 'pirate', cabs.metrics:rouge_l: 'cabs' has a metric of this name already" in done.stderr
    assert "Traceback" not in done.stderr


def test_two_packages_of_one_name_are_refused(root: Path, tmp_path: Path) -> None:
    site = installed(tmp_path, "first", "mine = first:mine")
    installed(site, "second", "mine = second:mine")
    done = run(root, "-m", "cabs", "metrics", site=site)
    assert done.returncode == 1
    assert "package 'second', cabs.metrics:mine: 'first' has a metric of this name already" in done.stderr


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("absent:mine", "can't be loaded: No module named 'absent'"),
        ("faulty:other", "can't be loaded: module 'faulty' has no attribute 'other'"),
        ("worse:mine", "can't be loaded: division by zero"),
        ("faulty:number", "'mine' is no metric"),
        ("faulty:named_otherwise", "the metric calls itself 'f1'"),
    ],
)
def test_a_faulty_package_is_told_and_leaves_the_others(root: Path, tmp_path: Path, target: str, message: str) -> None:
    code = "from cabs.metrics.registered import pair_metric\nnumber = 3\nnamed_otherwise = pair_metric('f1')\n"
    site = installed(tmp_path, "faulty", f"mine = {target}", module="faulty", code=code)
    (site / "worse.py").write_text("1 / 0\n")
    done = run(root, "-m", "cabs", "metrics", "--json", site=site)
    page = json.loads(done.stdout)
    assert done.returncode == 0
    assert message in page["faulty"][0]
    assert "package 'faulty'" in page["faulty"][0]
    assert message in done.stderr
    assert page["metrics"]


def test_a_name_has_to_be_one(root: Path, tmp_path: Path) -> None:
    site = installed(tmp_path, "loud", "My-Metric = loud:mine")
    done = run(root, "-m", "cabs", "metrics", site=site)
    assert "'My-Metric' is no name of a metric" in done.stderr


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    registry = Registry("thing", "cabs.no_such_group", {"alpha": "math:pi", "beta": "math:e"})
    assert registry.load("alpha") == pytest.approx(3.14159, abs=1e-5)
    with pytest.raises(SettingError, match=r"there is no thing 'alpa' .did you mean 'alpha'"):
        registry.load("alpa")


def test_a_fault_of_ours_keeps_its_traceback() -> None:
    with pytest.raises(ModuleNotFoundError):
        Registry("thing", "cabs.no_such_group", {"alpha": "cabs.absent:pi"}).load("alpha")
    assert not issubclass(ModuleNotFoundError, CabsError)
