"""What the environment says, read once. No secret is held here: keys are read where they are used.

| variable | meaning | default |
| --- | --- | --- |
| `PROCTOR_DB` | the database file | `proctor.duckdb` |
| `PROCTOR_REGISTRY` | a folder of registry files beside the bundled ones | none |
| `PROCTOR_DB_WAIT` | seconds to wait for another writer | 60 |
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tasks.core.errors import BadInput

ROOT = Path(__file__).resolve().parents[2]
SQL = ROOT / "sql"
DATA = ROOT / "data"
REGISTRY = DATA / "registry"


@dataclass(frozen=True, slots=True)
class Settings:
    """`database_wait_s`: how long a writer waits for another before it gives up, seconds."""

    database: Path
    user_registry: Path | None
    database_wait_s: float


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the variables above. Raises BadInput on a value that cannot be meant."""
    wait = environment.get("PROCTOR_DB_WAIT", "60")
    try:
        wait_s = float(wait)
    except ValueError:
        wait_s = -1.0
    if not 0 <= wait_s < 86_400:
        raise BadInput(f"PROCTOR_DB_WAIT={wait!r} is not a number of seconds from 0 to 86400")
    folder = environment.get("PROCTOR_REGISTRY")
    return Settings(
        database=Path(environment.get("PROCTOR_DB") or "proctor.duckdb"),
        user_registry=Path(folder) if folder else None,
        database_wait_s=wait_s,
    )


def read_key(variable: str | None, environment: Mapping[str, str] = os.environ) -> str | None:
    """The API key in an environment variable, for the client only; None where there is none."""
    return environment.get(variable) if variable else None
