r"""What is no provider's: passwords in addresses and headers, configuration files, values given to names of secrets.

A name of a secret says little in source code, where ``token = next_token()`` is on every page. So a value in quotation
marks, a whole line of an environment file and a bare value are judged differently, the last with most rigour.
"""

from __future__ import annotations

from nodwyn.prims.redact import judge
from nodwyn.prims.redact.rule import CLOSE, GIVE, QUOTE, assigned, near, shape, word

PASSWORD = r"passw(?:or)?ds?|passphrase|passcode|passwrd|pwd|[_-]pass(?:[_-]|\b)|\bpass\b"
SECRET = (
    "secret|token|credentials?|bearer|cookie_?key|"
    "(?:api|access|auth|private|signing|signature|encryption|encrypt|master|account|service|client|storage|webhook|app|"
    "application|license|deploy|session|shared|security|admin|hash|hmac|jwt|cipher|server|subscription|consumer|user)"
    "[_-]?key"
)
SUFFIX = r"[\w.\-]*"
QUOTED = (
    r"""(?:[rbfu@]{0,2}"((?:[^"\\\s]|\\.){6,})"|[rbfu@]{0,2}'((?:[^'\\\s]|\\.){6,})'|`([^`\\\s]{6,})`"""
    r"""|\\+"([^"\\\s]{6,})\\+"|\\+'([^'\\\s]{6,})\\+')"""
)
"""A value in quotation marks, also where the whole is in a quoted text."""

BARE = r"""([^\s"'`,;&<>()\[\]{}|\\=]{6,}={0,2})(?:[\s"'`,;&<>)\]}|\\]|$)"""
"""A value without quotation marks; what is called or looked up is none."""

SETTING = r"^[ \t+-]*(?:export |set |ENV |ARG )?"
"""What the line of a setting begins with, in a file, a script, a container's recipe, a list or a difference."""

WHOLE = r"([^\s\"'`$]\S{5,})[ \t]*\r?$"
"""All that is left of a line."""

HEADER_NAMES = (
    "authorization|x-api-key|x-auth-token|x-access-token|x-vault-token|x-amz-security-token|"
    "private-token|api-key|apikey"
)


def _named(name: str) -> str:
    return rf"(?i:{name}){SUFFIX}{CLOSE}{GIVE}(?:{QUOTED}|{BARE})"


RULES = (
    word(
        "jwt",
        r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
        r"eyJ[A-Za-z0-9_-]+\.",
        example="eyJ<40 url>.eyJ<120 url>.<43 url>",
    ),
    word(
        "jwt",
        r"eyJ[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]+){0,2}",
        r"eyJ[A-Za-z0-9_-]+\.",
        example="eyJ<40 url>.<340 url>.<16 url>.<200 url>.<22 url>",
        entropy=4.0,
    ),
    shape(
        "url-password",
        r"""[A-Za-z0-9]://[^\s/:@"'`<>\\]*:([^\s/@"'`<>\\{}]{5,})@""",
        r"""://[^\s/:@"'`<>\\]*:[^\s/@"'`<>\\]+@""",
        example="postgresql://app:«<20 password>»@db.internal:5432/app",
        judge=judge.is_password_in_address,
    ),
    shape(
        "url-token",
        r"https?://([A-Za-z0-9_-]{20,})(?::x-oauth-basic)?@",
        r"://[A-Za-z0-9_-]+(?::x-oauth-basic)?@",
        example="https://«<40 alnum>»@git.internal/team/app.git",
        judge=judge.is_random,
    ),
    shape(
        "authorization",
        rf"""(?i)(?:{HEADER_NAMES}){CLOSE}{GIVE}(?:{QUOTE})?(?:(?:bearer|token|basic|digest|apikey|key|bot)[ \t]+)?"""
        r"""([A-Za-z0-9._~+/:=-]{8,})""",
        assigned(HEADER_NAMES),
        example="Authorization: Basic «<28 alnum>»",
        judge=judge.is_credential,
    ),
    shape(
        "authorization",
        r"(?i:bearer)[ \t]+([A-Za-z0-9._~+/-]{16,}={0,2})",
        "(?i:bearer)[ \t]",
        example="curl -H 'Bearer «<40 url>»'",
        judge=judge.is_random,
    ),
    shape(
        "cookie",
        r"(?i:sessionid|session_id|sessid|session|\bsid|\.sid|xsrf-token|csrftoken|remember_\w+)=([^;\s\"',&]{16,})",
        r"(?i:sess(?:ion|id|ion_?id)|sid|xsrf-token|csrftoken|remember_\w+)=",
        example="Set-Cookie: sessionid=«<32 lower>»; HttpOnly; Path=/",
        judge=judge.is_given_secret,
    ),
    shape(
        "curl-password",
        r"""(?:curl|wget|https?)\b.*?[ \t](?:-u|--user|--proxy-user)[ =]["']?[^\s:"']+:([^\s"']{6,})""",
        """(?:-u|--user|--proxy-user)[ =]["']?[^ \t:"']+:""",
        example="curl -sS -u admin:«<16 password>» https://git.internal/api",
        judge=judge.is_password,
    ),
    shape(
        "flag-password",
        rf"""--?(?i:{PASSWORD}|{SECRET})[a-z-]*[ \t=]+"""
        r"""(?:"([^"\s]{6,})"|'([^'\s]{6,})'|([^\s"'`,;|&<>)\]}]{6,}))""",
        f"--?(?i:{PASSWORD}|{SECRET})[a-z-]*[ \t=]",
        example="deploy --password «<16 password>» --yes",
        judge=judge.is_given_password,
    ),
    shape(
        "mysql-password",
        r"(?:mysql|mysqldump|mysqladmin|mariadb)\b.*?[ \t]-p([^\s\"'-][^\s\"']{5,})",
        r"(?:mysql|mariadb).*[ \t]-p",
        example="mysqldump -u root -p«<16 password>» shop",
        judge=judge.is_password,
    ),
    shape(
        "sshpass-password",
        r"""sshpass[ \t]+-p[ \t]*["']?([^\s"']{6,})""",
        "sshpass",
        example="sshpass -p «<16 password>» ssh root@10.0.0.1",
        judge=judge.is_password,
    ),
    shape(
        "netrc-password",
        r"\blogin[ \t]+\S+[ \t]+password[ \t]+(\S{6,})",
        r"login[ \t]+\S+[ \t]+password[ \t]",
        example="machine api.internal login deploy password «<20 password>»",
        judge=judge.is_password,
    ),
    shape(
        "netrc-password",
        r"^[ \t]*password[ \t]+(\S{6,})[ \t]*\r?$",
        r"^[ \t]*password[ \t]+\S+[ \t]*\r?$",
        example="  password «<20 password>»",
        judge=judge.is_given_password,
    ),
    shape(
        "docker-auth",
        r"""["'](?:auth|identitytoken|registrytoken)["']?[ \t]*:[ \t]*["']([A-Za-z0-9+/=_.-]{12,})["']""",
        """["'](?:auth|identitytoken|registrytoken)["']?[ \t]*:""",
        example='{"auths": {"registry.internal": {"auth": "«<40 alnum>»"}}}',
        judge=judge.is_random,
    ),
    shape(
        "pgpass-password",
        r"^[\w.*-]+:(?:[0-9]+|\*):[\w.*-]+:[\w.*-]+:([^\s:]{6,})\r?$",
        r"^[\w.*-]+:[0-9*]+:[\w.*-]+:[\w.*-]+:",
        example="db.internal:5432:app:app:«<20 password>»",
        judge=judge.is_password,
    ),
    shape(
        "one-time-secret",
        r"otpauth://[^\s\"'<>]*?[?&]secret=([A-Za-z2-7]{16,})",
        "otpauth://",
        example="otpauth://totp/Acme:ann?secret=«<32 base32>»&issuer=Acme",
    ),
    shape(
        "jwk-private",
        r"""["'](?:d|p|q|dp|dq|qi|k)["'][ \t]*:[ \t]*["']([A-Za-z0-9_-]{40,})["']""",
        """["'](?:d|p|q|dp|dq|qi|k)["'][ \t]*:[ \t]*["']""",
        example='{"kty": "EC", "d": "«<43 url>»"}',
        entropy=4.0,
        judge=judge.is_random,
    ),
    shape(
        "laravel-key",
        r"base64:([A-Za-z0-9+/]{43}=)",
        "base64:",
        example="APP_KEY=base64:«<43 base64>=»",
        judge=judge.is_random,
    ),
    shape(
        "xml-password",
        rf"<(?i:{PASSWORD}|{SECRET})[\w.-]*>([^<\s]{{6,}})</",
        rf"<(?i:{PASSWORD}|{SECRET})[\w.-]*>",
        example="<password>«<16 password>»</password>",
        judge=judge.is_password,
    ),
    shape(
        "password",
        _named(PASSWORD),
        assigned(PASSWORD),
        example='db_password = "«<16 password>»"',
        judge=judge.is_given_password,
    ),
    shape(
        "secret",
        _named(SECRET),
        assigned(SECRET),
        example='client_secret = "«<32 alnum>»"',
        judge=judge.is_given_secret,
        entropy=3.0,
    ),
    shape(
        "environment-password",
        rf"{SETTING}[A-Z0-9_]*(?:PASS|PWD)[A-Z0-9_]*={WHOLE}",
        "(?:PASS|PWD)[A-Z0-9_]*=",
        example="POSTGRES_PASSWORD=«<20 password>»",
        judge=judge.is_line_value,
    ),
    shape(
        "environment-secret",
        rf"{SETTING}[A-Z0-9_]*(?:SECRET|TOKEN|CREDENTIAL|_KEY|SALT|AUTH)[A-Z0-9_]*={WHOLE}",
        "(?:SECRET|TOKEN|CREDENTIAL|_KEY|SALT|AUTH)[A-Z0-9_]*=",
        example="SESSION_SECRET=«<40 password>»",
        judge=judge.is_line_value,
    ),
    shape(
        "setting-password",
        rf"^[ \t+-]*[\w.\-]*(?i:{PASSWORD})[\w.\-]*[ \t]*[:=][ \t]*{WHOLE}",
        assigned(PASSWORD),
        example="  db_password: «<20 symbols>»",
        judge=judge.is_line_value,
    ),
    near(
        "secret",
        "[a-z0-9]_key",
        r"[A-Za-z0-9+/_-]{20,}={0,2}",
        example="ACME_KEY=«<32 alnum>»",
        entropy=3.2,
        judge=judge.is_given_secret,
    ),
)
