"""Tokens of code hosts, continuous integration, package registries and stores of secrets."""

from __future__ import annotations

from nodwyn.prims.redact.judge import is_random
from nodwyn.prims.redact.rule import near, shape, token, word
from nodwyn.prims.redact.rules.clouds import UUID

RULES = (
    token(
        "github-token",
        r"ghs_[0-9]+_eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+",
        "ghs_",
        example="ghs_<7 digit>_eyJ<60 url>.<300 url>.<86 url>",
    ),
    token("github-token", "gh[pousr]_[A-Za-z0-9]{36,}", "gh[pousr]_", example="ghp_<36 alnum>"),
    token("github-token", "github_pat_[A-Za-z0-9_]{50,}", "github_pat_", example="github_pat_<22 alnum>_<59 alnum>"),
    near("github-token", "github|gh_?token|hub_token", "[a-f0-9]{40}", example="GITHUB_TOKEN=«<40 hex>»", entropy=3.0),
    token(
        "gitlab-token",
        r"gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|wt|soat|ffct|oas)-[A-Za-z0-9_.=-]{16,}",
        *"glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glwt- glsoat- glffct- gloas-".split(),
        example="glpat-<20 url>",
    ),
    token("gitlab-token", "GR1348941[A-Za-z0-9_-]{20,}", "GR1348941", example="GR1348941<20 url>"),
    shape(
        "gitlab-session",
        "_gitlab_session=([0-9a-f]{32})",
        "_gitlab_session",
        example="Cookie: _gitlab_session=«<32 hex>»",
    ),
    word(
        "bitbucket-token", "ATBB[A-Za-z0-9]{28,}|BBDC-[A-Za-z0-9+/@_-]{40,}", "ATBB", "BBDC-", example="ATBB<32 alnum>"
    ),
    word(
        "atlassian-token", r"AT[AC]TT3xFfG[A-Za-z0-9_=-]{80,}", "TT3xFfG", example="ATATT3xFfGF0<170 url>=<8 upperhex>"
    ),
    word(
        "circleci-token",
        "CCI(?:PAT|PRJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}",
        "CCIPAT_",
        "CCIPRJ_",
        example="CCIPAT_<22 alnum>_<40 hex>",
    ),
    word(
        "buildkite-token",
        "bk(?:ua|aj|ct|pt|at)_[a-f0-9]{40}",
        "bkua_",
        "bkaj_",
        "bkct_",
        "bkpt_",
        "bkat_",
        example="bkua_<40 hex>",
    ),
    word("sonar-token", "sq[upa]_[a-f0-9]{40}", "squ_", "sqp_", "sqa_", example="squ_<40 hex>"),
    word(
        "sourcegraph-token",
        "sg[pdw]_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}",
        "sgp_",
        "sgd_",
        "sgw_",
        example="sgp_<16 hex>_<40 hex>",
    ),
    near("snyk-token", "snyk", f"(?i:{UUID})", example="SNYK_TOKEN=«<uuid>»"),
    word(
        "snyk-token",
        r"snyk_(?:uat|sat)\.[a-z0-9]{8}\.[A-Za-z0-9_.-]{40,}",
        "snyk_",
        example="snyk_uat.<8 lower>.<80 url>",
    ),
    word("npm-token", "npm_[A-Za-z0-9]{36}", "npm_", example="npm_<36 alnum>"),
    shape(
        "npm-credential",
        r"""(?:^[ \t]*|/:)_(?:auth|authToken|password)[ \t]*=[ \t]*["']?([A-Za-z0-9+/=_.-]{8,})""",
        "_auth",
        "_password",
        example="//registry.npmjs.org/:_authToken=«<uuid>»",
        judge=is_random,
    ),
    word("pypi-token", "pypi-AgE[A-Za-z0-9_-]{50,}", "pypi-AgE", example="pypi-AgEIcHlwaS5vcmc<140 url>"),
    word("rubygems-token", "rubygems_[a-f0-9]{48}", "rubygems_", example="rubygems_<48 hex>"),
    word("crates-token", r"cio[A-Za-z0-9]{32}\b", "cio[A-Za-z0-9]{12}", example="cio<32 alnum>", judge=is_random),
    word("nuget-key", r"oy2[a-z0-9]{43}\b", "oy2", example="oy2<43 lower>"),
    word("clojars-token", "CLOJARS_[a-z0-9]{60}", "CLOJARS_", example="CLOJARS_<60 lower>"),
    word("docker-token", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,}", "dckr_", example="dckr_pat_<27 url>"),
    word(
        "artifactory-token",
        "AKCp[A-Za-z0-9]{69,}|cmVmdGtuOjAx[A-Za-z0-9+/]{40,}={0,2}",
        "AKCp",
        "cmVmdGtu",
        example="AKCp<69 alnum>",
    ),
    word(
        "terraform-token",
        r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}",
        r"\.atlasv1\.",
        example="<14 alnum>.atlasv1.<67 url>",
    ),
    word("pulumi-token", "pul-[a-f0-9]{40}", "pul-", example="pul-<40 hex>"),
    token("vault-token", r"hv[sbr]\.[A-Za-z0-9_-]{24,}", r"hv[sbr]\.", example="hvs.<95 url>"),
    near("vault-token", "vault", r"[sbr]\.[A-Za-z0-9]{24}", example="VAULT_TOKEN=«s.<24 alnum>»"),
    near("consul-token", "consul|nomad", f"(?i:{UUID})", example="CONSUL_HTTP_TOKEN=«<uuid>»"),
    word(
        "doppler-token",
        r"dp\.(?:pt|st|ct|sa|scim|audit|said)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
        r"dp\.[acps]",
        example="dp.st.prd.<43 alnum>",
    ),
    word(
        "onepassword-secret",
        r"ops_eyJ[A-Za-z0-9+/_-]{200,}={0,2}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
        "ops_eyJ",
        "A3-",
        example="A3-<6 upper>-<6 upper>-<5 upper>-<5 upper>-<5 upper>-<5 upper>",
    ),
    token(
        "age-key",
        "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
        "AGE-SECRET-KEY-1",
        example="AGE-SECRET-KEY-1<58 bech32>",
    ),
    word(
        "infisical-token",
        rf"st\.{UUID}\.[a-f0-9]{{32}}\.[a-f0-9]{{32}}|st\.[a-f0-9]{{24}}\.[a-f0-9]{{32}}\.[a-f0-9]{{32}}",
        r"st\.[0-9a-f]",
        example="st.<uuid>.<32 hex>.<32 hex>",
    ),
    word("postman-key", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}", "PMAK-", example="PMAK-<24 hex>-<34 hex>"),
    word("launchdarkly-key", f"(?:sdk|api|mob|rel)-{UUID}", "sdk-", "api-", "mob-", "rel-", example="sdk-<uuid>"),
)
