"""The writer of one program: rules for expressions and statements, and where it stands.

A rule is a function of the writer, registered under the kind of what it makes. Each program multiplies
the weight of each rule by a factor of its own, often 0: so programs differ in what they are full of.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
from typing import Callable, Iterator

from .chance import Chance
from .scope import Scope

Expression = Callable[["Writer", int], str]
Statement = Callable[["Writer"], "list[str]"]


@dataclasses.dataclass
class Rule:
    name: str
    weight: int
    leaf: bool
    make: Callable[..., object]
    ready: Callable[["Writer"], bool]


_HOLE = re.compile(r"\$(LT|DN|DT|[TNFBSLOCMP])(_?)")

EXPRESSIONS: dict[str, list[Rule]] = {}
STATEMENTS: list[Rule] = []


def _always(w: "Writer") -> bool:
    return True


def expression(kind: str, weight: int = 2, leaf: bool = False, ready: Callable[["Writer"], bool] = _always):  # type: ignore[no-untyped-def]
    """Register a rule for expressions of a kind; a leaf has no expressions below it."""

    def register(make: Expression) -> Expression:
        EXPRESSIONS.setdefault(kind, []).append(Rule("%s.%s" % (kind, make.__name__), weight, leaf, make, ready))
        return make

    return register


def forms(kind: str, *templates: str, weight: int = 2) -> None:
    """Register expressions given as text: `$T` is any expression of the kind T, `$T_` a name or constant."""
    for text in templates:
        _form(kind, text, weight)


def _form(kind: str, text: str, weight: int) -> None:
    def make(w: "Writer", depth: int) -> str:
        return w.fill(text, depth)

    EXPRESSIONS.setdefault(kind, []).append(Rule("%s:%s" % (kind, text), weight, False, make, _always))


def statement(weight: int = 4, ready: Callable[["Writer"], bool] = _always, small: bool = False):  # type: ignore[no-untyped-def]
    """Register a rule for statements; a small one never has a body nor ends the block."""

    def register(make: Statement) -> Statement:
        STATEMENTS.append(Rule("statement." + make.__name__, weight, small, make, ready))
        return make

    return register


@dataclasses.dataclass
class Place:
    """What the function that is being written allows here."""

    returns: str = "any"  # The kind that a return statement has to give; "" for none at all.
    nesting: int = 0  # Of functions.
    depth: int = 0  # Of blocks.
    loops: int = 0
    in_loop: bool = False
    generator: bool = False
    asynchronous: bool = False
    walrus: bool = True
    handling: bool = False
    simple: bool = False  # Inside a lambda or a comprehension: no await, no yield.
    foreign: "frozenset[str]" = frozenset()  # Names declared global or nonlocal.
    globals: "tuple[tuple[str, str], ...]" = ()  # Of them, the global ones, with their kinds.


class Writer:
    def __init__(self, seed: int) -> None:
        self.chance = Chance(seed)
        self.scope = Scope()
        self.place = Place()
        self.budget = 0  # Statements that may still be written in this function.
        self._used: dict[str, int] = {}
        factors = (0, 0, 1, 1, 1, 2, 5)
        names = [r.name for rules in EXPRESSIONS.values() for r in rules] + [r.name for r in STATEMENTS]
        self._factors = {n: self.chance.pick(factors) for n in names}
        for rule in (r for rules in EXPRESSIONS.values() for r in rules if r.leaf):
            self._factors[rule.name] = max(1, self._factors[rule.name])
        self.breaks = self.chance.pick((4, 8, 15, 25))  # Percent of expressions that break the graph.
        self.depth = self.chance.pick((1, 2, 2, 3))
        self.raises = self.chance.happens(60)
        self.functions: "list[tuple[str, object]]" = []  # Names and signatures of what the program has defined.

    # Names

    def fresh(self, stem: str) -> str:
        n = self._used.get(stem, 0)
        self._used[stem] = n + 1
        return "%s%d" % (stem, n) if n else stem

    # Expressions

    def expr(self, kind: str, depth: "int | None" = None) -> str:
        if depth is None:
            depth = self.depth
        rules = [r for r in EXPRESSIONS[kind] if (depth > 0 or r.leaf) and r.ready(self)]
        weights = [r.weight * self._factors[r.name] for r in rules]
        if not sum(weights):
            weights = [r.weight for r in rules]
        rule = self.chance.weighted(rules, weights)
        return str(rule.make(self, depth - 1))

    def leaf(self, kind: str) -> str:
        return self.expr(kind, 0)

    def fill(self, text: str, depth: int) -> str:
        """Put expressions into a template, from left to right."""
        # A comprehension takes no assignment expression where it iterates; neither it nor a lambda may yield.
        inside = " for " in text or "lambda" in text
        with self.at(walrus=self.place.walrus and not inside, simple=self.place.simple or inside):
            return _HOLE.sub(lambda m: self.leaf(m[1]) if m[2] else self.expr(m[1], depth), text)

    # Where the writer stands

    @contextlib.contextmanager
    def at(self, **changes: object) -> Iterator[None]:
        before = self.place
        self.place = dataclasses.replace(before, **changes)  # type: ignore[arg-type]
        yield
        self.place = before

    @contextlib.contextmanager
    def scoped(self, scope: Scope) -> Iterator[Scope]:
        before = self.scope
        self.scope = scope
        yield scope
        self.scope = before

    @contextlib.contextmanager
    def function(self, scope: Scope, budget: int, **place: object) -> Iterator[Scope]:
        """Write the body of a function: nothing of the place around it holds there."""
        before, self.budget = self.budget, budget
        nesting = self.place.nesting + 1
        old, self.place = self.place, Place(nesting=nesting, **place)  # type: ignore[arg-type]
        with self.scoped(scope):
            yield scope
        self.place, self.budget = old, before

    # Statements

    def statements(self, most: int) -> "tuple[list[str], bool]":
        """A block's lines, and whether its end is never reached."""
        lines: list[str] = []
        for _ in range(self.chance.between(1, most)):
            if self.budget <= 0:
                break
            self.budget -= 1
            made = self.one()
            lines += made
            if made and ended(made):
                return lines, True
        return lines or self.one(small=True), False

    def one(self, small: bool = False) -> "list[str]":
        rules = [r for r in STATEMENTS if r.ready(self) and (r.leaf or not small)]
        weights = [r.weight * self._factors[r.name] for r in rules]
        if not sum(weights):
            weights = [r.weight for r in rules]
        made = self.chance.weighted(rules, weights).make(self)
        assert isinstance(made, list)
        return made

    def block(self, most: int = 3, **changes: object) -> "tuple[list[str], Scope, bool]":
        """An indented block, the names bound at its end, and whether that is never reached."""
        with self.at(depth=self.place.depth + 1, **changes):
            with self.scoped(self.scope.copy()) as scope:
                lines, dead = self.statements(most)
        return indented(lines), scope, dead


def ended(lines: "list[str]") -> bool:
    last = lines[-1]
    return last.split(" ")[0] in ("return", "raise", "break", "continue") and not last.startswith(" ")


def indented(lines: "list[str]") -> "list[str]":
    return ["    " + line for line in lines]
