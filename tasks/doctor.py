"""Is everything there that Proctor needs? Looks, changes nothing; a key is named, never shown."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from prefect.settings import PREFECT_API_URL

from tasks.core.errors import ProctorError
from tasks.core.registry.entries import ModelEntry, Registry
from tasks.io.database import Database
from tasks.io.local_models import find_weights
from tasks.io.provenance import versions
from tasks.registry import open_registry


@dataclass(frozen=True, slots=True)
class Finding:
    """`state` is ok, missing (something cannot be used until it is mended) or broken."""

    what: str
    state: Literal["ok", "missing", "broken"]
    detail: str


def examine(database: Database) -> list[Finding]:
    """Every finding, in the order of the pipeline."""
    return [
        Finding("packages", "ok", ", ".join(f"{k} {v}" for k, v in versions().items())),
        _database(database),
        Finding("prefect", "ok", PREFECT_API_URL.value() or "a temporary server for each run"),
        *_registry(),
    ]


def _database(database: Database) -> Finding:
    if not database.is_there:
        return Finding(
            "database", "ok", f"{database.path} is not there yet; the first import makes it"
        )
    try:
        with database.open() as store:
            n_runs = store.query("count_runs").item()
    except ProctorError as error:
        return Finding("database", "broken", str(error))
    return Finding("database", "ok", f"{database.path}, {n_runs} runs")


def _registry() -> Iterator[Finding]:
    try:
        registry = open_registry()
    except ProctorError as error:
        yield Finding("registry", "broken", str(error))
        return
    yield Finding("registry", "ok", _counts(registry))
    for notice in registry.notices:
        yield Finding("registry", "ok", notice)
    for entry in registry.models.values():
        yield _model(entry)


def _model(entry: ModelEntry) -> Finding:
    what = f"model {entry.name}"
    if entry.served is not None:
        try:
            return Finding(what, "ok", f"weights {find_weights(entry.name, entry.served).name}")
        except ProctorError as error:
            return Finding(what, "missing", str(error))
    if entry.scripted is not None:
        return Finding(what, "ok", "scripted contestant, for trials")
    if entry.api_key_env and not os.environ.get(entry.api_key_env):
        return Finding(what, "missing", f"set the key in {entry.api_key_env} to use it")
    return Finding(what, "ok", str(entry.base_url))


def _counts(registry: Registry) -> str:
    return (
        f"{len(registry.models)} models, {len(registry.modes)} modes, "
        f"{len(registry.benchmarks)} benchmarks"
    )
