"""The expander: macros, libraries and derived forms, from syntax to the core language.

A macro's inserted names are hygienic at the top as well: ``(define tmp …)`` with a ``tmp`` of the template's own
defines a variable that this expansion alone can refer to, while a name that the use gave is defined as it is.
"""

from nodwyn.interp.expand.datum import to_syntax as to_syntax
from nodwyn.interp.expand.dump import dump_library as dump_library
from nodwyn.interp.expand.dump import load_library as load_library
from nodwyn.interp.expand.expander import Expander as Expander
from nodwyn.interp.expand.expander import Program as Program
from nodwyn.interp.expand.libraries import Library as Library
from nodwyn.interp.expand.scope import Toplevel as Toplevel
