"""What an address says: whether it is this machine, and whether a key may go there."""

from __future__ import annotations

LOOPBACK = ("localhost", "::1", "[::1]")


def host_of(address: str) -> str:
    """Return the host in an address, in lower case, without a port."""
    rest = address.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2]
    host = rest.partition("]")[0] + "]" if rest.startswith("[") else rest.partition(":")[0]
    return host.lower()


def is_loopback(address: str) -> bool:
    """Return whether an address is of this machine, as its text has it: no name is looked up."""
    host = host_of(address)
    parts = host.split(".")
    return host in LOOPBACK or (len(parts) == 4 and parts[0] == "127" and all(part.isdigit() for part in parts))


def is_encrypted(address: str) -> bool:
    """Return whether what is sent to an address can be read by nobody on the way."""
    return address.startswith("https://")
