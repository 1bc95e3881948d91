"""What makes a page safe to open: its content security policy, computed over its own contents."""

import base64
import hashlib
from collections.abc import Sequence


def content_security_policy(styles: Sequence[str], scripts: Sequence[str]) -> str:
    """A policy that lets exactly these inline styles and scripts work and nothing else: no network,
    no other script, no attribute that runs or styles, no making of elements from text."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src {' '.join(_source(text) for text in styles)}",
            f"script-src {' '.join(_source(text) for text in scripts)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
