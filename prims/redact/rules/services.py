"""Keys of payment, monitoring, identity, office and design services, and of ledgers."""

from __future__ import annotations

from nodwyn.prims.redact.rule import near, shape, token, word
from nodwyn.prims.redact.rules.clouds import UUID

RULES = (
    token(
        "stripe-key",
        "(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,}",
        *(f"{a}k_{b}_" for a in "sr" for b in ("live", "test", "prod")),
        example="sk_live_<99 alnum>",
    ),
    word("webhook-secret", "whsec_[A-Za-z0-9+/]{24,}={0,2}", "whsec_", example="whsec_<32 alnum>"),
    word(
        "square-token",
        "EAAA[A-Za-z0-9_-]{60}|sq0(?:atp|csp|cgp)-[A-Za-z0-9_-]{22,50}",
        "EAAA",
        "sq0",
        example="sq0atp-<22 url>",
    ),
    token(
        "paypal-token",
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",
        r"access_token\$",
        example="access_token$production$<16 lower>$<32 hex>",
    ),
    near(
        "paypal-secret", "paypal|braintree", "[A-Za-z0-9_-]{80}|[a-f0-9]{32}", example="PAYPAL_CLIENT_SECRET=«<80 url>»"
    ),
    word(
        "plaid-token",
        f"access-(?:sandbox|development|production)-{UUID}",
        "access-",
        example="access-production-<uuid>",
    ),
    word("flutterwave-key", "FLWSECK(?:_TEST)?-[a-f0-9]{12,32}-X", "FLWSECK", example="FLWSECK-<32 hex>-X"),
    word("shippo-token", "shippo_(?:live|test)_[a-f0-9]{40}", "shippo_", example="shippo_live_<40 hex>"),
    word("easypost-key", "EZ[AT]K[A-Za-z0-9]{54}", "EZAK", "EZTK", example="EZAK<54 alnum>"),
    word("duffel-token", "duffel_(?:live|test)_[A-Za-z0-9_=-]{40,}", "duffel_", example="duffel_live_<43 url>"),
    word(
        "shopify-token",
        "shp(?:at|ca|pa|ss|ua|tka)_[a-fA-F0-9]{32}",
        "shpat_",
        "shpca_",
        "shppa_",
        "shpss_",
        "shpua_",
        "shptka_",
        example="shpat_<32 hex>",
    ),
    near(
        "datadog-key",
        r"datadog|dd[-_]?(?:api|app)(?:lication)?[-_]?key",
        "[a-f0-9]{40}|[a-f0-9]{32}",
        example="DD_API_KEY=«<32 hex>»",
    ),
    word(
        "sentry-token",
        r"sntrys_eyJ[A-Za-z0-9+/=_-]{60,}|sntryu_[a-f0-9]{64}",
        "sntrys_",
        "sntryu_",
        example="sntryu_<64 hex>",
    ),
    near("sentry-token", "sentry", "[a-f0-9]{64}", example="SENTRY_AUTH_TOKEN=«<64 hex>»"),
    word(
        "newrelic-key",
        "NR(?:AK|II|JS|RA|AA)-[A-Za-z0-9_-]{19,}|[a-f0-9]{36}NRAL",
        "NRAK-",
        "NRII-",
        "NRJS-",
        "NRRA-",
        "NRAA-",
        "NRAL",
        example="NRAK-<27 upper>",
    ),
    word(
        "grafana-token",
        "gl(?:c_eyJ[A-Za-z0-9+/]{40,}={0,2}|sa_[A-Za-z0-9]{32}_[a-f0-9]{8})",
        "glc_",
        "glsa_",
        example="glsa_<32 alnum>_<8 hex>",
    ),
    word("grafana-token", "eyJrIjoi[A-Za-z0-9]{60,}={0,2}", "eyJrIjoi", example="eyJrIjoi<80 alnum>"),
    word(
        "dynatrace-token",
        r"dt0[a-z][0-9]{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}",
        "dt0",
        example="dt0c01.<24 upper>.<64 upper>",
    ),
    word("honeycomb-key", "hc[abx](?:ik|mk|lk)_[a-z0-9]{50,}", "ik_", "mk_", "lk_", example="hcaik_<58 lower>"),
    word("posthog-key", "ph[xs]_[A-Za-z0-9]{40,}", "phx_", "phs_", example="phx_<43 alnum>"),
    word("logfire-token", r"pylf_v[0-9]_[a-z]{2}_[A-Za-z0-9]{40,}", "pylf_v", example="pylf_v1_us_<43 alnum>"),
    near("okta-token", r"okta|\bSSWS", "00[A-Za-z0-9_-]{40}", example="OKTA_API_TOKEN=«00<40 url>»"),
    shape("okta-token", "SSWS[ \t]+(00[A-Za-z0-9_-]{40})", "SSWS", example="Authorization: SSWS «00<40 url>»"),
    word("notion-token", r"ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}\b", "ntn_", "secret_", example="ntn_<46 alnum>"),
    word("linear-token", "lin_(?:api|oauth)_[A-Za-z0-9]{32,}", "lin_api_", "lin_oauth_", example="lin_api_<40 alnum>"),
    word("figma-token", "fig[dou][rh]?_[A-Za-z0-9_-]{40,}", "figd_", "figo", "figu_", example="figd_<40 url>"),
    word(
        "airtable-token", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", r"pat[A-Za-z0-9]{14}\.", example="pat<14 alnum>.<64 hex>"
    ),
    word("typeform-token", "tfp_[A-Za-z0-9_.=-]{40,}", "tfp_", example="tfp_<59 url>"),
    word("hubspot-token", f"pat-(?:na|eu|ap)[0-9]-(?i:{UUID})", "pat-", example="pat-na1-<uuid>"),
    word(
        "asana-token",
        r"[0-9]/[0-9]{13,17}(?:/[0-9]{13,17})?:[a-f0-9]{32}",
        "/[0-9]{13}",
        example="2/<16 digit>/<16 digit>:<32 hex>",
    ),
    word("clickup-token", "pk_[0-9]{5,10}_[A-Z0-9]{32}", "pk_", example="pk_<8 digit>_<32 upper>"),
    word("contentful-token", "CFPAT-[A-Za-z0-9_-]{43}", "CFPAT-", example="CFPAT-<43 url>"),
    word(
        "mapbox-token",
        r"(?:sk|tk)\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}",
        r"[st]k\.eyJ",
        example="sk.eyJ<80 url>.<22 url>",
    ),
    near(
        "ledger-key",
        "(?:eth(?:ereum)?|wallet|deployer|bitcoin|btc|signer|account)?_?private_?key|mnemonic_?key|secret_?seed",
        "(?:0x)?[a-fA-F0-9]{64}",
        example="DEPLOYER_PRIVATE_KEY=«0x<64 hex>»",
    ),
    word("ledger-key", "[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{100,112}", "prv", example="xprv<107 base58>"),
    shape(
        "wireguard-key",
        "(?:PrivateKey|PresharedKey)[ \t]*=[ \t]*([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)",
        "PrivateKey",
        "PresharedKey",
        example="PrivateKey = «<42 base64>A=»",
    ),
)
