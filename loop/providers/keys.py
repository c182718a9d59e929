"""Keys: where they come from, and that each goes to its own server alone.

A key is known by its name, that of an environment variable. Its value comes from the environment, or from the system's
keyring under the service ``nodwyn`` where the package keyring is installed. It is declared for one host and one method,
and is given out for nothing else.
"""

from __future__ import annotations

import os
from functools import cache
from typing import NamedTuple

from nodwyn.loop.providers.addresses import host_of, is_encrypted, is_loopback
from nodwyn.loop.providers.base import ProviderError

SERVICE = "nodwyn"


class Key(NamedTuple):
    """A key, and what it is for."""

    name: str
    """The environment variable, or the entry of the keyring."""
    origin: str
    """Scheme, host and port of the only addresses that it may go to."""
    methods: tuple[str, ...] = ("POST", "GET")
    plain: bool = False
    """Whether it may go to another machine without encryption."""

    def value(self) -> str:
        """Return the key, nothing when there is none."""
        return (os.environ.get(self.name) or _from_keyring(self.name)).strip()

    def value_for(self, method: str, address: str) -> str:
        """Return the key for a request.

        Raises: ProviderError when there is none, or it is not for this request.
        """
        if origin_of(address) != self.origin or method not in self.methods:
            raise ProviderError(f"{self.name} is for {self.origin} alone, not for {method} {address}", "key")
        if not (is_encrypted(address) or is_loopback(address) or self.plain):
            raise ProviderError(
                f"{self.name} would go to {host_of(address)} without encryption. Use https, or allow it with"
                f" plain = true for this server in models.toml",
                "key",
            )
        value = self.value()
        if not value:
            raise ProviderError(
                f"there is no key for {self.origin}: set {self.name} in the environment, or put it into the keyring:"
                f" keyring set {SERVICE} {self.name}",
                "key",
            )
        if not (value.isascii() and value.isprintable()):
            raise ProviderError(f"the key in {self.name} has characters that no key has; set it again", "key")
        return value


def origin_of(address: str) -> str:
    """Return scheme, host and port of an address."""
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{rest.partition('/')[0].partition('?')[0]}".lower()


@cache
def _from_keyring(name: str) -> str:
    """Return what the system's keyring has. It is asked once: it may have to ask the person."""
    try:
        import keyring
    except ImportError:
        return ""
    try:
        return keyring.get_password(SERVICE, name) or ""
    except Exception:  # whatever a keyring of the system raises, there is then no key
        return ""
