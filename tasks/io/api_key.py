"""The secret of an endpoint. It goes into the request header and nowhere else: it has no repr,
and it is struck out of every text that comes back before that text is kept, shown or logged."""

import json

from tasks.core.errors import BadInput

STRUCK_OUT = "[key]"
_SHORTEST_IN_ERRORS = 4
_SHORTEST_IN_REPLIES = 16


class ApiKey:
    """A key, and the name of the environment variable that it came from (None: from elsewhere).

    Raises BadInput for a key that no HTTP header can hold. An endpoint without a key is sent a
    stand-in, so that the key of another endpoint never is.
    """

    def __init__(self, value: str | None, variable: str | None) -> None:
        self._value = (value or "").strip()
        if not all(" " < character <= "~" for character in self._value):
            raise BadInput(f"{variable or 'the API key'} holds a character that no key can have")
        self.variable = variable
        in_json = json.dumps(self._value)[1:-1]
        self._spellings = tuple(dict.fromkeys((self._value, in_json, in_json.replace("/", "\\/"))))

    def __repr__(self) -> str:
        return f"ApiKey({self.variable})"

    def __str__(self) -> str:
        return f"key in {self.variable}" if self.variable else "key"

    def reveal(self) -> str:
        """Return the secret, for the request header."""
        return self._value or "no-key"

    def strike_out(self, text: str) -> str:
        """Take the key out of the text of an error. Stand-ins of under 4 characters stay."""
        if self._has(_SHORTEST_IN_ERRORS):
            for spelling in self._spellings:
                text = text.replace(spelling, STRUCK_OUT)
        return text

    def strike_out_of_reply(self, content: bytes, *, is_error: bool = False) -> bytes:
        """Take the key out of the bytes of a response.

        In a proper reply only keys of 16 characters and more: no text of a model holds such a
        key by chance, but it may well hold a stand-in such as `EMPTY`.
        """
        if self._has(_SHORTEST_IN_ERRORS if is_error else _SHORTEST_IN_REPLIES):
            for spelling in self._spellings:
                content = content.replace(spelling.encode(), STRUCK_OUT.encode())
        return content

    def _has(self, n_characters: int) -> bool:
        return len(self._value) >= n_characters
