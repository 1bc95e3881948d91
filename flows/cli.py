"""The command line. Each command is one call of a flow or of a stage; nothing is computed here.

Exit status: 0 every row is final; 1 failed; 2 bad input; 3 stopped early, can be resumed.
Imports are inside the commands, so that `proctor sql` does not wait for what it does not need.
"""

import asyncio
import os
import sys

import cyclopts
from cyclopts import App, Parameter

from flows import cli_review, cli_run, cli_store
from flows.terminal import say
from tasks.core.errors import BadInput, ProctorError

app = App(
    name="proctor",
    help="Builds hard LLM benchmarks, sits models at them, marks them and ranks them.",
    version_flags=["--version"],
    default_parameter=Parameter(negative=()),
    suppress_keyboard_interrupt=False,
)
import_app = App(name="import", help="Bring in questions, answer keys, responses or reviews.")
export_app = App(name="export", help="Write out what is stored.")
review_app = App(name="review", help="Make sheets for people to check what was read.")
models_app = App(name="models", help="List models, or serve one locally.")
db_app = App(name="db", help="Publish, prove or back up the database.")
for each in (import_app, export_app, review_app, models_app, db_app):
    app.command(each)
app.command(cli_run.demo)
app.command(cli_run.evaluate)
app.command(cli_run.rescore)
app.command(cli_run.report)
import_app.command(cli_store.import_questions, name="questions")
import_app.command(cli_store.import_keys, name="keys")
import_app.command(cli_store.import_responses, name="responses")
import_app.command(cli_review.import_review, name="review")
review_app.command(cli_review.review_extracts, name="extracts")
export_app.command(cli_store.export_questions, name="questions")
app.command(cli_store.sql)
app.command(cli_store.trace)
app.command(cli_store.cost)
app.command(cli_store.doctor)
models_app.command(cli_store.list_models, name="list")
models_app.command(cli_store.serve_model, name="serve")
db_app.command(cli_store.publish_database, name="publish")
db_app.command(cli_store.verify_database, name="verify")
db_app.command(cli_store.backup_database, name="backup")

PREFECT_DEFAULTS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
}


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit status. Explained failures are one line on stderr."""
    for name, value in PREFECT_DEFAULTS.items():
        os.environ.setdefault(name, value)
    if sys.stderr.isatty():  # the progress bars say what the log would
        os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "WARNING")
    try:
        app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except cyclopts.CycloptsError as error:
        say(f"proctor: {' '.join(str(error).split())} (proctor --help lists the commands)")
        return BadInput.exit_code
    except ProctorError as error:
        say(f"proctor: {' '.join(str(error).split())}")
        return error.exit_code
    except (KeyboardInterrupt, asyncio.CancelledError):
        say("proctor: interrupted; everything that arrived is kept, the same command goes on")
        return 3
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
