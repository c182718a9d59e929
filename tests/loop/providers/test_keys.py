"""Keys go to their own server alone."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from nodwyn.loop.providers import keys
from nodwyn.loop.providers.base import ProviderError
from nodwyn.loop.providers.keys import Key

NAME = "NODWYN_TEST_KEY"
VALUE = "a-value-for-tests"
KEY = Key(NAME, "https://models.example")


@pytest.fixture(autouse=True)
def _set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, f" {VALUE}\n")


def test_a_key_is_given_out_for_its_own_requests() -> None:
    assert KEY.value_for("POST", "https://models.example/v1/messages") == VALUE


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("DELETE", "https://models.example/v1"),
        ("POST", "https://models.example.evil.example/v1"),
        ("POST", "https://evil.example/models.example"),
        ("POST", "https://models.example:8443/v1"),
        ("POST", "http://models.example/v1"),
        ("POST", "https://models.example@evil.example/v1"),
        ("POST", "https://evilmodels.example/v1"),
    ],
)
def test_a_key_is_given_out_for_nothing_else(method: str, address: str) -> None:
    with pytest.raises(ProviderError, match=f"{NAME} is for") as caught:
        KEY.value_for(method, address)
    assert VALUE not in str(caught.value)


@pytest.mark.parametrize("value", ["a\nb", "schlüssel", "a\x00b"])
def test_what_cannot_be_a_key_is_not_sent(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    key = Key(NAME, "https://models.example")
    monkeypatch.setattr(Key, "value", lambda self: value)
    with pytest.raises(ProviderError, match="characters that no key has"):
        key.value_for("POST", "https://models.example/")


def keyring(monkeypatch: pytest.MonkeyPatch, answer: str | Exception | None) -> None:
    """Put a keyring in the place of the system's."""

    def get_password(service: str, name: str) -> str | None:
        assert (service, name) == ("nodwyn", NAME)
        if isinstance(answer, Exception):
            raise answer
        return answer

    module = ModuleType("keyring")
    module.get_password = get_password  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", module)
    monkeypatch.delenv(NAME)
    keys._from_keyring.cache_clear()


@pytest.mark.parametrize(
    ("answer", "value"), [("of-the-keyring", "of-the-keyring"), (None, ""), (RuntimeError("locked"), "")]
)
def test_the_keyring_is_asked_where_the_environment_has_no_key(
    monkeypatch: pytest.MonkeyPatch, answer: str | Exception | None, value: str
) -> None:
    keyring(monkeypatch, answer)
    assert KEY.value() == value
