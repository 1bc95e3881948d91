"""The child of `tasks/io/pdf.py`: `python -m tasks.io.pdf_process FILE`.

Writes a pickle of (pages, None) or (None, refusal) to standard output. Its memory is limited, so
that a hostile file ends this process and nothing else.
"""

import pickle
import resource
import sys
from pathlib import Path

from tasks.core.errors import BadInput
from tasks.core.pages.page import Page
from tasks.io.pdf_engine import read_document

MAX_MEMORY = 3 * 2**30


def main() -> None:
    """Read the file that the command line names."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MAX_MEMORY if hard == resource.RLIM_INFINITY else min(MAX_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    result: tuple[list[Page] | None, str | None]
    try:
        result = read_document(Path(sys.argv[1])), None
    except BadInput as refusal:
        result = None, str(refusal)
    sys.stdout.buffer.write(pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL))


if __name__ == "__main__":
    main()
