"""Names that users give to benchmarks, models, modes and epochs."""

from tasks.core.errors import BadInput

MAX_LENGTH = 200


def check_name(option: str, name: str, *, may_be_empty: bool = False) -> None:
    """Refuse a name that nobody could type again: blank, with blanks at its ends, or with line
    breaks and other characters that do not show. `option` is what messages call it."""
    if may_be_empty and not name:
        return
    if not name.strip():
        raise BadInput(f"{option}: the name is empty")
    if name != name.strip() or not name.isprintable():
        raise BadInput(f"{option} {name!r}: blanks at the ends or characters that do not show")
    if len(name) > MAX_LENGTH:
        raise BadInput(f"{option}: a name of {len(name)} characters; at most {MAX_LENGTH}")
