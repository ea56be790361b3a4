"""What docs/foreign.md calls public is there, and fits perfectplay."""

from importlib import import_module, reload

import pytest

import perfectplay as pp
import perfectplay_foreign
from tools.public_api import names_of, public_names


def test_every_public_name_exists() -> None:
    public = public_names("foreign.md")
    assert public
    for module, names in public.items():
        assert {name for name in names_of(module, names) if not hasattr(import_module(module), name)} == set()


def test_another_version_of_perfectplay_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pp, "__version__", "0.0.9")
    with pytest.raises(ImportError, match=r"^perfectplay-foreign \S+ is not for perfectplay 0\.0\.9$"):
        reload(perfectplay_foreign)
