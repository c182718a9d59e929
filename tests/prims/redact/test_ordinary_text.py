"""What looks like a secret and is none stays: code, documentation, numbers, names."""

from __future__ import annotations

import pytest

from nodwyn.prims.redact import find, redact

ORDINARY = [
    "password = get_password(user)",
    "self.password = password",
    'password = "password"',
    'PASSWORD = "changeme"',
    "def login(username: str, password: str) -> Token:",
    'token = request.headers["X-Token"]',
    "token = next(self.tokens)",
    'secret = os.environ["APP_SECRET"]',
    "secret_key = settings.SECRET_KEY",
    'api_key="your-api-key-here"',
    "API_KEY=<your key>",
    "DB_PASSWORD=${DB_PASSWORD}",
    'password: "{{ vault_password }}"',
    "password: string | null;",
    'token_type = "urn:ietf:params:oauth:token-type:access_token"',
    'token_url = "https://auth.internal/oauth2/v1/token"',
    'key_id = "0123abcd0123abcd0123abcd"',
    "postgresql://user:password@localhost/db",
    "postgresql://{user}:{password}@{host}/{name}",
    "https://example.com:8080/path?x=1",
    "git@github.com:team/app.git",
    'sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"',
    '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
    "commit 5d41402abc4b2a76b9719d911017c592aabbccdd",
    "id = 123e4567-e89b-12d3-a456-426614174000",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-your-key-goes-here",
    "Authorization: Bearer <token>",
    "Authorization: Basic authentication is used",
    'issuing_authorization: Optional["Authorization"]',
    "curl -u user:password https://api.internal",
    'raise AuthenticationError("Invalid token, password or api_key")',
    "NextToken: aGVsbG8gd29ybGQgdGhpcyBpcyBhIHBhZ2UgdG9rZW4x",
    "class PasswordResetTokenGenerator2FA(TokenGenerator):",
    "from django.contrib.auth.password_validation import validate_password",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased-2018-v2')",
    "password_hash = hashlib.pbkdf2_hmac('sha256', raw, salt, 100000)",
    "arn:aws:secretsmanager:us-west-2:123456789012:secret:TestDatabase-a1b2c3",
    '"PasswordLastUsed": "2016-09-08T21:47:36Z"',
    "secret: my-application-secret-name",
    "private_key: x25519.X25519PrivateKey",
    "PWD=/home/ann/projects/acme2",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays(text: str) -> None:
    for context in (f"{text}", f"    {text}\n", f"+{text}\r\n", f'"{text}"'):
        assert find(context) == []
        assert redact(context) is context


@pytest.mark.parametrize("text", ["", "\x00", "\udc80", "\ud83d\ude00", "\n\n\n", "é" * 5, "x" * 100_000, "[redacted:"])
def test_text_that_utf_8_cannot_hold_and_other_oddities_do_no_harm(text: str) -> None:
    assert redact(text) is text


SECRETS_OF_PEOPLE = [
    'password = "Tr0ub4dor&3"',
    "DB_PASSWORD=Summer2024!",
    'passphrase: "s3cr3t-P4ssphrase!"',
    "mysql://app:Pa55w.rd9@db/app",
    "SECRET_KEY = 'django-insecure-8x!k2$w@z)q1^v7(m#n5&b3*c_d+f=g-h4j6l9p0r'",
    "  api_key: 9f86d081884c7d659a2feaa0c55ad015",
    '{"client_secret":"kY7+Qz/3vXw9=","id":1}'.replace("=", "aB4d"),
]


@pytest.mark.parametrize("text", SECRETS_OF_PEOPLE)
def test_what_people_choose_is_found(text: str) -> None:
    assert find(text) != []
