"""What docs/foreign.md calls public is there."""

from importlib import import_module

from tools.public_api import names_of, public_names


def test_every_public_name_exists() -> None:
    public = public_names("foreign.md")
    assert public
    for module, names in public.items():
        assert {name for name in names_of(module, names) if not hasattr(import_module(module), name)} == set()
