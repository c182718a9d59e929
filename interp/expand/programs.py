"""The top of programs and of the read-eval-print loop, where ``import`` and ``define-library`` are known too."""

from __future__ import annotations

from nodwyn.interp.expand.bodies import TopBody
from nodwyn.interp.expand.libraries import declare_library, is_library_form, starts_with
from nodwyn.interp.syntax import ListSyntax, Syntax


def imports_first(forms: list[Syntax]) -> bool:
    """Return whether a program starts with an import; libraries may be defined before."""
    for form in forms:
        if not is_library_form(form):
            return starts_with(form, "import")
    return False


class ProgramBody(TopBody):
    """The forms of a program or an interaction."""

    __slots__ = ()

    def _directive(self, name: str, form: ListSyntax) -> bool:
        if name == "import":
            for import_set in form.items[1:]:
                self.expander.registry.import_into(self.top, import_set)
            return True
        if name == "define-library":
            declare_library(self.expander, form)
            return True
        return super()._directive(name, form)
