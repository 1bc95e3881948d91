"""The registry as commands see it: the bundled one, with the user's own folder beside it."""

from tasks.core.registry.entries import Registry
from tasks.io.registry import load_registry
from tasks.io.settings import REGISTRY, read_settings


def open_registry() -> Registry:
    """All models, modes and benchmarks by name. Raises BadInput on any fault in any file."""
    return load_registry(REGISTRY, read_settings().user_registry)
