"""Tokens of chats, mail, telephony and social networks, and addresses that are secrets themselves."""

from __future__ import annotations

from nodwyn.prims.redact.rule import near, token, word

DIGITS = "[MNO][DTjz][AEIMQUYcgk][w-z0-5]"
"""Three digits in base64."""

RULES = (
    token(
        "slack-token",
        r"xox[abcdeoprs](?:\.xox[bp])?-[A-Za-z0-9%-]{10,}",
        "xox",
        example="xoxb-<12 digit>-<13 digit>-<24 alnum>",
    ),
    token(
        "slack-token",
        "xapp-[0-9]-[A-Z0-9]+-[0-9]+-[A-Za-z0-9]{20,}",
        "xapp-",
        example="xapp-1-A<10 upper>-<13 digit>-<64 hex>",
    ),
    token(
        "slack-webhook",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{30,}",
        r"hooks\.slack\.com",
        example="hooks.slack.com/services/T<10 upper>/B<10 upper>/<24 alnum>",
    ),
    word(
        "discord-token",
        rf"(?:{DIGITS}){{5,6}}[A-Za-z0-9_-]{{0,6}}\.[A-Za-z0-9_-]{{5,7}}\.[A-Za-z0-9_-]{{25,}}|mfa\.[A-Za-z0-9_-]{{80,}}",
        DIGITS * 2,
        r"mfa\.",
        example="MTE5MDQ3NzMyOTQ1NjcyMzk0.<6 alnum>.<38 alnum>",
        entropy=4.0,
    ),
    token(
        "discord-webhook",
        r"discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/[0-9]{15,}/[A-Za-z0-9_-]{50,}",
        "/webhooks/",
        example="discord.com/api/webhooks/<18 digit>/<68 url>",
    ),
    near(
        "discord-secret",
        "discord",
        "[a-f0-9]{64}|[A-Za-z0-9_-]{32}",
        example="DISCORD_CLIENT_SECRET=«<32 url>»",
        entropy=3.2,
    ),
    word("telegram-token", r"[0-9]{8,10}:A[A-Za-z0-9_-]{34}\b", "[0-9]:A", example="<10 digit>:AA<33 alnum>"),
    word("twilio-key", r"SK[a-f0-9]{32}\b", "SK[a-f0-9]{4}", example="SK<32 hex>"),
    near("twilio-token", "twilio", "[a-f0-9]{32}", example="TWILIO_AUTH_TOKEN=«<32 hex>»"),
    word("sendgrid-key", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,}", r"SG\.", example="SG.<22 url>.<43 url>"),
    word("mailgun-key", r"key-[a-f0-9]{32}\b", "key-", example="key-<32 hex>"),
    near(
        "mailgun-key",
        "mailgun",
        "[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}",
        example="MAILGUN_API_KEY=«<32 hex>-<8 hex>-<8 hex>»",
    ),
    word("mailchimp-key", r"[a-f0-9]{32}-us[0-9]{1,2}\b", "-us", example="<32 hex>-us14"),
    word(
        "brevo-key",
        "x(?:keysib|smtpsib)-[a-f0-9]{64}-[A-Za-z0-9]{16}",
        "xkeysib-",
        "xsmtpsib-",
        example="xkeysib-<64 hex>-<16 alnum>",
    ),
    word("resend-key", "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}", "re_[A-Za-z0-9]{8}_", example="re_<8 alnum>_<24 alnum>"),
    token(
        "teams-webhook",
        r"[a-z0-9-]+\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/_-]{80,}",
        r"\.webhook\.office\.com",
        example="acme.webhook.office.com/webhookb2/<uuid>@<uuid>/IncomingWebhook/<32 hex>/<uuid>",
    ),
    token(
        "chat-webhook",
        r"chat\.googleapis\.com/v1/spaces/[A-Za-z0-9_-]+/messages\?key=[A-Za-z0-9_-]+&token=[A-Za-z0-9_%=-]+",
        r"chat\.googleapis\.com",
        example="chat.googleapis.com/v1/spaces/<11 alnum>/messages?key=<39 url>&token=<43 url>",
    ),
    token(
        "automation-webhook",
        r"(?:hooks\.zapier\.com/hooks/catch/[0-9]+/[a-z0-9]{6,}|maker\.ifttt\.com/trigger/[a-z0-9_]+/with/key/[A-Za-z0-9_-]{20,})",
        r"hooks\.zapier\.com",
        r"maker\.ifttt\.com",
        example="hooks.zapier.com/hooks/catch/<8 digit>/<14 lower>",
    ),
    word(
        "matrix-token",
        "syt_[A-Za-z0-9=]+_[A-Za-z]{20}_[A-Za-z0-9]{6}",
        "syt_",
        example="syt_<12 alnum>_<20 letter>_<6 alnum>",
    ),
    word("facebook-token", "EAA[A-Za-z0-9]{60,}", "EAA", example="EAACEdEose0cBA<150 alnum>"),
    near(
        "facebook-secret",
        "facebook|fb_app|fb_secret|instagram|meta_app",
        "[a-f0-9]{32}",
        example="FACEBOOK_APP_SECRET=«<32 hex>»",
    ),
    token(
        "twitter-token",
        "A{20,24}[A-Za-z0-9%+/=]{30,}",
        "AAAAAAAAAAAAAAAAAAAA",
        example="AAAAAAAAAAAAAAAAAAAAAA<80 alnum>",
        entropy=3.8,
    ),
    word("dropbox-token", r"sl\.[A-Za-z0-9_-]{100,}", r"sl\.", example="sl.<140 url>"),
    word("zoom-secret", "zpka_[A-Za-z0-9_-]{30,}", "zpka_", example="zpka_<41 alnum>"),
)
