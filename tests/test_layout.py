"""The measures of the house: how long modules and functions are, and where each module is tested."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[1]

MOST_LINES = 400
MOST_LINES_OF_FUNCTION = 60

LONG_MODULES = {
    "interp/analyse/convert.py": "one walk, with a method for each kind of node of the core",
    "interp/builtins/json_reading.py": "a reader that is written out: a call for each character would double its time",
    "interp/ports.py": "the four ports, each as short as reading and writing at speed lets it be",
    "prims/guard/read_only.py": "nearly all of it is the table of commands and their flags",
    "prims/log/events.py": "the one page of all kinds of events, a declaration for each",
    "prims/log/record.py": "what a declaration of an event gives: its checks, its writing, its reading back",
}
"""Modules that are longer, each with the reason."""

LONG_FUNCTIONS = {
    "interp/runtime/handlers.py:make_guard": "two functions within it that are the same loop in two states",
}

TESTED_WITH_OTHERS = {
    "loop/advice.py": "loop/test_strategy.py",
    "loop/agents.py": "loop/test_strategy.py",
    "loop/importers/lines.py": "loop/importers/test_importing.py",
    "loop/importers/recorder.py": "loop/importers/test_claude_code.py",
    "loop/importers/survey.py": "loop/importers/test_importing.py",
    "loop/loading.py": "loop/test_strategy.py",
    "loop/providers/addresses.py": "loop/providers/test_http.py",
    "loop/providers/anthropic.py": "loop/providers/test_wires.py loop/providers/test_decoders.py",
    "loop/providers/base.py": "loop/providers/test_calling.py",
    "loop/providers/chat.py": "loop/providers/test_wires.py loop/providers/test_decoders.py",
    "loop/providers/collecting.py": "loop/providers/test_decoders.py",
    "loop/providers/frames.py": "loop/providers/test_decoders.py",
    "loop/providers/listing.py": "loop/ui/test_models.py",
    "loop/providers/network.py": "loop/providers/test_http.py",
    "loop/providers/ollama.py": "loop/providers/test_wires.py loop/providers/test_decoders.py",
    "loop/providers/responses.py": "loop/providers/test_wires.py loop/providers/test_decoders.py",
    "loop/providers/servers.py": "loop/providers/test_catalogue.py",
    "loop/providers/wire.py": "loop/providers/test_wires.py",
    "loop/punctual.py": "loop/test_endless.py",
    "loop/recipes.py": "loop/test_strategy.py",
    "loop/requests.py": "loop/test_strategy.py",
    "loop/results.py": "loop/test_strategy.py",
    "loop/subagents.py": "loop/test_strategy.py",
    "loop/tools.py": "loop/test_strategy.py",
    "loop/turn.py": "loop/test_strategy.py",
    "loop/ui/archive.py": "loop/ui/test_sessions.py",
    "loop/ui/calling.py": "loop/ui/test_grep.py",
    "loop/ui/delete.py": "loop/ui/test_sessions.py",
    "loop/ui/doctor.py": "loop/ui/test_cli.py",
    "loop/ui/earlier.py": "loop/ui/test_memory.py",
    "loop/ui/evaluate.py": "loop/ui/test_cli.py",
    "loop/ui/headless.py": "loop/ui/test_run.py",
    "loop/ui/statuses.py": "loop/ui/test_run.py",
    "loop/ui/importing.py": "loop/importers/test_importing.py",
    "loop/ui/index.py": "loop/ui/test_search.py",
    "loop/ui/mended.py": "loop/ui/test_resume.py",
    "loop/ui/show.py": "loop/ui/test_sessions.py",
    "loop/ui/slash.py": "loop/ui/test_line.py",
    "loop/ui/title.py": "loop/ui/test_sessions.py",
    "loop/ui/trust.py": "loop/test_trust.py",
    "loop/window/arrange.py": "loop/window/test_notes.py",
    "loop/window/messages.py": "loop/window/test_build.py",
    "loop/window/pieces.py": "loop/window/test_build.py",
    "loop/window/timeline.py": "loop/window/test_decisions.py",
    "loop/window/units.py": "loop/window/test_build.py",
    "prims/commands.py": "prims/test_shell.py",
    "prims/context.py": "prims/test_calling.py",
    "prims/effects.py": "prims/test_declare.py",
    "prims/ending.py": "prims/test_processes.py",
    "prims/families.py": "prims/test_help.py",
    "prims/files.py": "prims/fs/test_write.py",
    "prims/fs/edit.py": "prims/fs/test_write.py",
    "prims/fs/find.py": "prims/fs/test_list_find.py",
    "prims/fs/list.py": "prims/fs/test_list_find.py",
    "prims/fs/text.py": "prims/fs/test_read.py",
    "prims/fs/walk.py": "prims/fs/test_list_find.py",
    "prims/git_command.py": "prims/test_git_questions.py",
    "prims/git_personal.py": "prims/test_git_questions.py",
    "prims/git_safety.py": "prims/test_git_questions.py",
    "prims/grep/matches.py": "prims/test_index_grep.py",
    "prims/guard/approvals.py": "prims/guard/test_decide.py",
    "prims/guard/bubblewrap.py": "prims/guard/test_sandbox.py",
    "prims/guard/budget.py": "prims/guard/test_decide.py",
    "prims/guard/checkers.py": "prims/guard/test_decide.py",
    "prims/guard/confinement.py": "prims/guard/test_sandbox.py",
    "prims/guard/landlock.py": "prims/guard/test_sandbox.py",
    "prims/guard/proposal.py": "prims/guard/test_decide.py",
    "prims/guard/provenance.py": "prims/guard/test_decide.py",
    "prims/guard/read_only.py": "prims/guard/test_commands.py",
    "prims/guard/replace.py": "prims/guard/test_paths.py",
    "prims/guard/resolve.py": "prims/guard/test_paths.py",
    "prims/guard/seatbelt.py": "prims/guard/test_sandbox.py",
    "prims/guard/shell_reading.py": "prims/guard/test_commands.py",
    "prims/guard/shell_words.py": "prims/guard/test_commands.py",
    "prims/guarding.py": "prims/test_session.py",
    "prims/helping.py": "prims/test_help.py",
    "prims/index_search.py": "prims/retrieval/test_searching.py",
    "prims/index_update.py": "prims/retrieval/test_refreshing.py",
    "prims/kept_notes.py": "prims/test_notes.py",
    "prims/kinds.py": "prims/test_declare.py",
    "prims/linux.py": "prims/guard/test_sandbox.py",
    "prims/log/blobs.py": "prims/log/test_append.py",
    "prims/log/errors.py": "prims/log/test_append.py",
    "prims/log/events.py": "prims/log/test_formats.py",
    "prims/log/names.py": "prims/log/test_sessions.py",
    "prims/log/overview.py": "prims/log/test_sessions.py",
    "prims/log/read.py": "prims/log/test_damage.py",
    "prims/log/scan.py": "prims/log/test_damage.py",
    "prims/log/times.py": "prims/memory/test_cards.py",
    "prims/memory/backwards.py": "prims/test_recall.py",
    "prims/memory/fold.py": "prims/memory/test_mem.py",
    "prims/memory/recalled.py": "prims/test_recall.py",
    "prims/memory/remembered.py": "prims/memory/test_mem.py",
    "prims/memory/writing.py": "prims/memory/test_mem.py",
    "prims/parameters.py": "prims/test_declare.py",
    "prims/redact/engine.py": "prims/redact/test_laws.py",
    "prims/redact/example.py": "prims/redact/test_rules.py",
    "prims/redact/judge.py": "prims/redact/test_rules.py",
    "prims/redact/redactor.py": "prims/redact/test_laws.py",
    "prims/redact/rule.py": "prims/redact/test_rules.py",
    "prims/redact/rules/clouds.py": "prims/redact/test_rules.py",
    "prims/redact/rules/code.py": "prims/redact/test_rules.py",
    "prims/redact/rules/general.py": "prims/redact/test_rules.py",
    "prims/redact/rules/messages.py": "prims/redact/test_rules.py",
    "prims/redact/rules/models.py": "prims/redact/test_rules.py",
    "prims/redact/rules/services.py": "prims/redact/test_rules.py",
    "prims/redact/scan.py": "prims/redact/test_laws.py",
    "prims/redact/stream.py": "prims/redact/test_laws.py",
    "prims/repository.py": "prims/test_git.py",
    "prims/results.py": "prims/test_calling.py",
    "prims/retrieval/about.py": "loop/ui/test_search.py",
    "prims/retrieval/added.py": "prims/retrieval/test_refreshing.py",
    "prims/retrieval/collecting.py": "prims/retrieval/test_refreshing.py",
    "prims/retrieval/contents.py": "prims/retrieval/test_store.py",
    "prims/retrieval/database.py": "prims/retrieval/test_store.py",
    "prims/retrieval/definitions.py": "prims/retrieval/test_chunks.py",
    "prims/retrieval/history.py": "prims/retrieval/test_refreshing.py",
    "prims/retrieval/index.py": "prims/retrieval/test_refreshing.py",
    "prims/retrieval/merging.py": "prims/retrieval/test_store.py",
    "prims/retrieval/past.py": "prims/retrieval/test_ranking.py",
    "prims/retrieval/redacted.py": "prims/retrieval/test_refreshing.py",
    "prims/retrieval/rows.py": "prims/retrieval/test_store.py",
    "prims/retrieval/stems.py": "prims/retrieval/test_words.py",
    "prims/retrieval/updating.py": "prims/retrieval/test_refreshing.py",
    "prims/system_calls.py": "prims/log/test_full_disk.py",
    "prims/version.py": "test_packaging.py",
}
"""Modules without a test file of their own, and what in tests/ says what they do."""


@cache
def modules(folder: str) -> tuple[str, ...]:
    """Return the modules in a top folder, as paths from the root."""
    return tuple(sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*.py")))


def lines_of(module: str) -> int:
    return (ROOT / module).read_text(encoding="utf-8").count("\n")


def functions(module: str) -> Iterator[tuple[str, int]]:
    """Yield the functions of a module, inner ones too, each with its number of lines."""
    for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
            yield f"{module}:{node.name}", node.end_lineno - node.lineno + 1


def has_tests_of_its_own(module: str) -> bool:
    path = Path(module)
    return (ROOT / "tests" / path.parent / f"test_{path.name}").is_file()


@pytest.mark.parametrize("folder", ["interp", "prims", "loop"])
def test_modules_are_short_or_long_for_a_reason(folder: str) -> None:
    lengths = {module: lines_of(module) for module in modules(folder)}
    assert median(lengths.values()) <= 180
    assert {
        module: length for module, length in lengths.items() if length > MOST_LINES and module not in LONG_MODULES
    } == {}
    assert max(lengths.values()) <= 600


@pytest.mark.parametrize("folder", ["interp", "prims", "loop"])
def test_functions_are_short_or_long_for_a_reason(folder: str) -> None:
    lengths = dict(each for module in modules(folder) for each in functions(module))
    assert sorted(lengths.values())[len(lengths) * 9 // 10] <= 30
    long = {name for name, length in lengths.items() if length > MOST_LINES_OF_FUNCTION}
    assert long <= LONG_FUNCTIONS.keys()


@pytest.mark.parametrize("folder", ["prims", "loop"])
def test_every_module_has_tests_of_its_own_or_is_tested_with_others(folder: str) -> None:
    named = {module for module in modules(folder) if not module.endswith("__init__.py")}
    own = {module for module in named if has_tests_of_its_own(module)}
    assert named - own - TESTED_WITH_OTHERS.keys() == set()
    assert own & TESTED_WITH_OTHERS.keys() == set()


def test_no_exception_outlives_what_it_names() -> None:
    tests = {f"tests/{test}" for listed in TESTED_WITH_OTHERS.values() for test in listed.split()}
    long = {name.partition(":")[0] for name in LONG_FUNCTIONS}
    assert LONG_FUNCTIONS.keys() <= {name for module in long for name, _ in functions(module)}
    named = {*LONG_MODULES, *long, *TESTED_WITH_OTHERS, *tests}
    assert {name for name in named if not (ROOT / name).is_file()} == set()


@pytest.mark.parametrize("folder", ["prims", "loop"])
def test_every_module_and_public_class_and_function_says_what_it_is(folder: str) -> None:
    silent = set()
    for module in modules(folder):
        tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
        if tree.body and ast.get_docstring(tree) is None:
            silent.add(module)
        for node in tree.body:
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_"):
                continue
            if ast.get_docstring(node) is None:
                silent.add(f"{module}:{node.name}")
    assert silent == set()
