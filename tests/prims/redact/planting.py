"""Made-up secrets in texts as they are met: settings, code, logs, addresses, text in text."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from re import sub
from typing import NamedTuple

from nodwyn.prims.redact.example import make_up
from nodwyn.prims.redact.rule import Rule

AROUND = {
    "alone": "{}",
    "environment file": "# settings\nACME={}\nOTHER=1\n",
    "shell": "export ACME='{}'\necho done\n",
    "command": "acme login --with {} --verbose",
    "JSON": '{{"acme": {{"value": "{}", "other": [1, 2]}}}}',
    "YAML": "acme:\n  value: {}\n  other: 1\n",
    "Python": 'client = Acme("{}", timeout=3)  # old\n',
    "comment": "// was {}, rotated\n",
    "log": "2026-01-02T03:04:05Z INFO acme: using {} for ann\n",
    "address": "https://api.internal/v1/things?x=1&acme={}&y=2",
    "header": "X-Acme: {}\r\nAccept: */*\r\n",
    "JSON in JSON": '{{"body": "{{\\"acme\\": \\"{}\\"}}"}}',
    "escaped lines": '"first\\n{}\\nlast"',
    "percent-encoded": "q=%22{}%22&r=1",
    "coloured": "\x1b[1;32m{}\x1b[0m",
    "difference": "-acme = old\n+acme = {}\n",
    "Markdown": "Use `{}` here.\n",
    "table": "ann,{},2026\n",
    "XML": "<acme>{}</acme>",
    "other scripts": "ключ «{}» 鍵\n",
    "lone surrogates": "\udc80\ud800 {} \udcff\x00",
}
"""What may stand around a token, which is one wherever it stands."""

GIVEN = {
    "environment file": "# settings\n{NAME}={}\nOTHER=1\n",
    "shell": 'export {NAME}="{}"\n',
    "Dockerfile": "ENV {NAME}={}\nRUN make\n",
    "JSON": '{{"{name}": "{}", "other": 1}}',
    "compact JSON": '{{"other":1,"{name}":"{}"}}',
    "JSON in JSON": '{{"body": "{{\\"{name}\\": \\"{}\\"}}"}}',
    "YAML": "acme:\n  {name}: {}\n  other: 1\n",
    "quoted YAML": "acme:\n  {name}: '{}'\n",
    "TOML": '[acme]\n{name} = "{}"\n',
    "properties": "{name}={}\n",
    "Python": '    {name} = "{}"\n',
    "typed": '    {name}: str = "{}"\n',
    "dictionary": "settings = {{'{name}': '{}', 'n': 1}}\n",
    "argument": 'connect(host, {name}="{}", port=1)\n',
    "JavaScript": "const config = {{ {name}: `{}` }};\n",
    "environment call": 'os.environ["{NAME}"] = "{}"\n',
    "list of pairs": '[{{"name": "{NAME}", "value": "{}"}}]',
    "address": "https://api.internal/v1?x=1&{name}={}&y=2",
    "log": "2026-01-02 INFO config {name}={} loaded\n",
    "difference": "-{NAME}=old\n+{NAME}={}\n",
}
"""How a value may be given to a name."""

LINES = {
    "alone": "{}",
    "among lines": "first\n{}\nlast\n",
    "carriage returns": "first\r\n{}\r\nlast\r\n",
    "other scripts": "ключ\n{}\n鍵\n",
}
"""Where a line may stand that has its secret inside."""


class Planted(NamedTuple):
    """A made-up secret in a text."""

    kind: str
    context: str
    text: str
    secret: str


def plant(rule: Rule, random: Random) -> Iterator[Planted]:
    """Yield a new secret that looks as the example of ``rule`` does in every context that suits it."""
    example = rule.example
    name, given, rest = example.partition("=«")
    if "«" not in example:
        contexts, example = AROUND, f"«{example}»"
    elif given and rest.endswith("»") and name.replace("_", "").isalnum():
        contexts, example = GIVEN, f"«{rest}"
    else:
        contexts = LINES
    for context, template in contexts.items():
        text, secret = make_up(example, random)
        yield Planted(rule.kind, context, template.format(text, NAME=name, name=name.lower()), secret)


def is_left(planted: Planted, redacted: str) -> bool:
    """Whether eight characters of the secret in a row are left in ``redacted``."""
    secret, redacted = planted.secret, sub(r"\[redacted:[a-z0-9-]+\]", "\n", redacted)
    return any(secret[place : place + 8] in redacted for place in range(max(1, len(secret) - 7)))
