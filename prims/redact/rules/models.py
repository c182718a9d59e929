"""Keys of providers of models and of what is built around them."""

from __future__ import annotations

from nodwyn.prims.redact.judge import is_random
from nodwyn.prims.redact.rule import token, word
from nodwyn.prims.redact.rules.clouds import UUID

RULES = (
    token(
        "anthropic-key", r"sk-ant-[a-z]{2,8}[0-9]{2}-[A-Za-z0-9_-]{40,}", "sk-ant-", example="sk-ant-api03-<93 url>AA"
    ),
    token(
        "openai-key",
        "sk-(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{40,}",
        "sk-proj-",
        "sk-svcacct-",
        "sk-admin-",
        "sk-service-",
        "sk-None-",
        example="sk-proj-<74 url>T3BlbkFJ<74 url>",
    ),
    token(
        "openai-key",
        "sk-[A-Za-z0-9_-]{16,}T3BlbkFJ[A-Za-z0-9_-]{16,}",
        "T3BlbkFJ",
        example="sk-<20 alnum>T3BlbkFJ<20 alnum>",
    ),
    token("openrouter-key", "sk-or-v1-[a-f0-9]{64}", "sk-or-v1-", example="sk-or-v1-<64 hex>"),
    word("langfuse-key", f"sk-lf-{UUID}", "sk-lf-", example="sk-lf-<uuid>"),
    word("model-key", "sk-[A-Za-z0-9]{32,}", "sk-", example="sk-<32 hex>", judge=is_random),
    word(
        "model-key",
        "sk-[A-Za-z0-9_]{2,12}-[A-Za-z0-9_-]{32,}",
        "sk-",
        example="sk-api-<60 url>",
        entropy=3.8,
        judge=is_random,
    ),
    word("cerebras-key", "csk-[a-z0-9]{40,}", "csk-", example="csk-<48 lower>"),
    word("groq-key", "gsk_[A-Za-z0-9]{40,}", "gsk_", example="gsk_<52 alnum>"),
    word("xai-key", "xai-[A-Za-z0-9]{60,}", "xai-", example="xai-<80 alnum>"),
    word("perplexity-key", "pplx-[A-Za-z0-9]{40,}", "pplx-", example="pplx-<48 alnum>"),
    word(
        "huggingface-token",
        "hf_[A-Za-z]{30,}|hf_[A-Za-z0-9]{34,}|api_org_[A-Za-z]{30,}",
        "hf_",
        "api_org_",
        example="hf_<34 letter>",
    ),
    word("replicate-token", "r8_[A-Za-z0-9]{36,}", "r8_", example="r8_<37 alnum>"),
    word("nvidia-key", "nvapi-[A-Za-z0-9_-]{60,}", "nvapi-", example="nvapi-<64 url>"),
    word("fireworks-key", r"fw_[A-Za-z0-9]{22,24}\b", "fw_", example="fw_<24 alnum>", judge=is_random),
    word("together-key", "tgp_v1_[A-Za-z0-9_-]{40,}", "tgp_v1_", example="tgp_v1_<43 url>"),
    word(
        "langsmith-key",
        "ls(?:v2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}|__[a-f0-9]{32})",
        "lsv2_",
        "ls__",
        example="lsv2_pt_<32 hex>_<10 hex>",
    ),
    word("elevenlabs-key", r"sk_[a-f0-9]{48}\b", "sk_", example="sk_<48 hex>"),
    word("pinecone-key", "pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,}", "pcsk_", example="pcsk_<5 alnum>_<63 alnum>"),
    word(
        "wandb-key",
        "wandb_v1_[A-Za-z0-9_]{60,}|local-[a-f0-9]{40}",
        "wandb_v1_",
        "local-",
        example="wandb_v1_<77 alnum>",
    ),
    word("jina-key", "jina_[a-f0-9]{32}[A-Za-z0-9_-]{20,}", "jina_", example="jina_<32 hex><28 alnum>"),
    word("voyage-key", r"pa-[A-Za-z0-9_-]{43}\b", "pa-", example="pa-<43 alnum>", entropy=4.0, judge=is_random),
    word("tavily-key", "tvly-(?:dev-|prod-)?[A-Za-z0-9-]{30,}", "tvly-", example="tvly-dev-<32 alnum>"),
    word("e2b-key", "e2b_[a-f0-9]{40}", "e2b_", example="e2b_<40 hex>"),
    word("firecrawl-key", "fc-[a-f0-9]{32}", "fc-", example="fc-<32 hex>"),
    word(
        "modal-token", r"a[ks]-[A-Za-z0-9]{22}\b", "ak-", "as-", example="as-<22 alnum>", entropy=3.5, judge=is_random
    ),
    word("composio-key", r"ak_[A-Za-z0-9_-]{20}\b", "ak_", example="ak_<20 alnum>", entropy=3.5, judge=is_random),
)
