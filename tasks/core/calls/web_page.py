"""Tells a web page from the reply of an API: what a wrong address, a login or a captive portal
sends where JSON was expected."""

import html
import re

_TYPES = ("text/html", "application/xhtml+xml")
_STARTS = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.I | re.S)
_LONGEST_READ = 20_000
_LONGEST_TITLE = 80


def web_page_title(content: bytes, content_type: str) -> str | None:
    """The title of a web page, empty where it has none; None: the body is no web page.

    `content_type` is the header of the response. Only for bodies that are not JSON.
    """
    start = content[:_LONGEST_READ].removeprefix(b"\xef\xbb\xbf")
    if not start.strip():
        return None
    is_declared = content_type.partition(";")[0].strip().lower() in _TYPES
    if not is_declared and not _STARTS.match(start):
        return None
    title = _TITLE.search(start.decode("utf-8", "replace"))
    return " ".join(html.unescape(title[1]).split())[:_LONGEST_TITLE] if title else ""
