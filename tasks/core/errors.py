"""Every failure Proctor explains itself: one root, few leaves, the message inside.

A message is one line that says what is wrong, where (file, row, field) and how to mend it. The
command line prints it as it is and exits with the leaf's `exit_code`; anything that is not a
`ProctorError` is a defect of ours.
"""


class ProctorError(Exception):
    """Root of all explained failures. `exit_code` is what the command line ends with."""

    exit_code = 1


class BadInput(ProctorError):
    """The user's file, option or registry is wrong. Nothing was changed."""

    exit_code = 2


class UnknownName(BadInput):
    """A model, benchmark, mode, type … that nothing defines. The message lists what there is."""


class DatabaseBusy(ProctorError):
    """Another process holds the database file longer than we wait. The message names it."""


class DatabaseTooNew(BadInput):
    """The database was written by a newer Proctor than this one."""


class CheckFailed(ProctorError):
    """A file of `sql/checks` returned rows: stored data breaks a rule that must always hold."""


class ModelUnavailable(ProctorError):
    """A model cannot be asked at all (refused key, unknown model, endpoint down)."""


class StoppedEarly(ProctorError):
    """The run stopped before every row was final (budget, interrupt); it can be resumed."""

    exit_code = 3
