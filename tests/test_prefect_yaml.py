"""`prefect.yaml` agrees with the code: entry points, parameters, what must not start by itself."""

import ast
import inspect
from typing import Any

import pytest
from prefect.utilities.callables import parameter_docstrings
from ruamel.yaml import YAML

from flows.evaluate import evaluate
from tasks.io.settings import ROOT
from tasks.registry import open_registry
from tasks.sample import SAMPLE_BENCHMARK

PARAMETERS = inspect.signature(evaluate.fn).parameters


def _deployments() -> dict[str, dict[str, Any]]:
    document = YAML(typ="safe").load(ROOT / "prefect.yaml")
    return {deployment["name"]: deployment for deployment in document["deployments"]}


DEPLOYMENTS = _deployments()
each_deployment = pytest.mark.parametrize("deployment", DEPLOYMENTS.values(), ids=list(DEPLOYMENTS))


@each_deployment
def test_entry_point_is_a_flow(deployment: dict[str, Any]) -> None:
    path, _, name = deployment["entrypoint"].partition(":")
    functions = {
        node.name: [ast.unparse(decorator) for decorator in node.decorator_list]
        for node in ast.parse((ROOT / path).read_text()).body
        if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef)
    }
    assert any(decorator.startswith("flow") for decorator in functions[name])


@each_deployment
def test_parameters_are_those_of_the_flow(deployment: dict[str, Any]) -> None:
    needed = {name for name, p in PARAMETERS.items() if p.default is inspect.Parameter.empty}
    assert needed <= deployment["parameters"].keys() <= PARAMETERS.keys()


@each_deployment
def test_default_parameters_name_what_is_there(deployment: dict[str, Any]) -> None:
    registry = open_registry()
    parameters = deployment["parameters"]
    assert parameters["benchmark"] == SAMPLE_BENCHMARK
    assert set(parameters["models"]) <= registry.models.keys()
    assert set(parameters["modes"]) <= registry.modes.keys()


@each_deployment
def test_runs_of_a_deployment_follow_each_other(deployment: dict[str, Any]) -> None:
    limit = deployment["concurrency_limit"]
    assert (limit["limit"], limit["collision_strategy"]) == (1, "ENQUEUE")


@each_deployment
def test_no_schedule_starts_by_itself(deployment: dict[str, Any]) -> None:
    schedules = deployment.get("schedules", [])
    assert not any(schedule["active"] for schedule in schedules)


def test_the_form_describes_every_parameter() -> None:
    assert parameter_docstrings(inspect.getdoc(evaluate.fn)).keys() == PARAMETERS.keys()
