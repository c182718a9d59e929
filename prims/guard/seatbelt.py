"""Commands restricted by macOS's own sandbox, through sandbox-exec. It was not run there: it is untested."""

from __future__ import annotations

from nodwyn.prims.guard.confinement import Confinement, homes

PROGRAM = "/usr/bin/sandbox-exec"


def profile(confinement: Confinement, temporary: str) -> str:
    """Return the profile of what a command may reach; of the rules that apply, the last decides.

    temporary: a directory that may be written besides the root.
    """
    writable = [temporary, *([confinement.root] if confinement.writes else [])]
    writes_git = confinement.writes and confinement.writes_git
    rules = [
        "(version 1)",
        "(allow default)",
        "(deny network*)" if not confinement.network else "",
        "(deny file-write*)",
        *(f"(deny file-read* {_beneath(home)})" for home in homes()),
        *(f"(allow file-read* {_beneath(held.path)})" for held in confinement.readable),
        *(f"(allow file-read* file-write* {_beneath(path)})" for path in writable),
        f"(allow file-read* {_beneath(confinement.root)})",
        *(f"({'allow' if writes_git else 'deny'} file-write* {_beneath(path)})" for path in confinement.repositories),
        *(f"(deny file-write* {_beneath(path)})" for path in confinement.frozen),
        *(f"(deny file-read* file-write* {_beneath(path)})" for path in confinement.hidden),
        '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
    ]
    return "\n".join(rule for rule in rules if rule)


def _beneath(path: str) -> str:
    quoted = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'(subpath "{quoted}")'
