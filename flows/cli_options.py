"""What every command takes, and how it opens the database and shows rows."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from flows.terminal import print_json, print_rows, say
from tasks.database import open_database

Names = Annotated[tuple[str, ...], Parameter(consume_multiple=True)]


@Parameter(name="*")
@dataclass(frozen=True)
class Common:
    """Options that every command has."""

    db: Annotated[Path | None, Parameter(help="Database file (default: PROCTOR_DB).")] = None
    json: Annotated[bool, Parameter(help="One JSON document on stdout.")] = False

    @property
    def path(self) -> str | None:
        """The database as the flow takes it."""
        return None if self.db is None else str(self.db)


def open_named(common: Common) -> Any:
    """The database that `--db` or the environment names."""
    return open_database(common.path)


def show(rows: list[dict[str, Any]], common: Common) -> None:
    """Rows as a table, or as the one JSON document."""
    if common.json:
        print_json(rows)
    else:
        print_rows(rows)


def show_leaderboard(database: str | None, benchmark: str, epoch: str, *, as_json: bool) -> None:
    """The leaderboard of an epoch, and on stderr what to know before reading it."""
    from tasks.leaderboard import read_board

    with open_database(database).read() as store:
        board = read_board(store, benchmark, epoch)
    for line in board.warnings:
        say(f"note: {line}")
    rows = [asdict(row) for row in board.rows]
    if as_json:
        print_json(rows)
    else:
        shown = ("model", "mode", "epoch", "n_scored", "n_expected", "score", "score_lower")
        more = ("score_upper", "truncated_rate", "unparsed_rate", "cost_usd")
        print_rows([{name: row[name] for name in shown + more} for row in rows], benchmark)
