# SPDX-License-Identifier: BSD-2-Clause
"""What the reference says about order, against the layouts as the spec writes them.

The pictures and tables are made from the automaton. Here the same questions (what comes first, what may follow, where
may it end) are answered from the layout elements alone, as Glushkov did it for regular expressions.
"""

import unittest
from dataclasses import dataclass, field
from pathlib import Path

from codegen.check import checked_model
from codegen.docs import Reference
from codegen.model.model import Element


@dataclass
class Order:
    """Segments of a layout by name: which may be first, which last, which pairs may follow each other."""

    empty: bool = True
    first: set = field(default_factory=set)
    last: set = field(default_factory=set)
    pairs: set = field(default_factory=set)

    def then(self, other: "Order") -> "Order":
        return Order(
            self.empty and other.empty,
            self.first | (other.first if self.empty else set()),
            other.last | (self.last if other.empty else set()),
            self.pairs | other.pairs | {(a, b) for a in self.last for b in other.first},
        )


def order_of(layout: list[Element], queue: str, address: list[Element]) -> Order:
    whole = Order()
    for element in layout:
        if element.when is None or queue in element.when:
            whole = whole.then(one(element, queue, address))
    return whole


def one(element: Element, queue: str, address: list[Element]) -> Order:
    if element.op == "address":
        return order_of(address, queue, address)
    if element.op == "choice":
        ways = [order_of(choice, queue, address) for choice in element.choices]
        joined = [set().union(*(getattr(w, name) for w in ways)) for name in ("first", "last", "pairs")]
        return Order(any(w.empty for w in ways), *joined)
    if element.op in ("optional", "repeat", "fragment"):
        body = order_of(element.body, queue, address)
        if element.op == "repeat" and (element.max is None or element.max > 1):
            body.pairs |= {(a, b) for a in body.last for b in body.first}
        body.empty |= element.op == "optional" or (element.op == "repeat" and element.min == 0)
        return body
    name = element.segment.name
    return Order(element.op == "terminator", {name}, {name}, set())


class Follow(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        files = sorted(str(f) for f in Path("spec").rglob("*.yaml") if "schema" not in f.parts)
        cls.model = checked_model(files)
        cls.reference = Reference(cls.model)
        cls.orders = {}  # (queue, request) → Order
        for queue in cls.reference.queues:
            for start in queue.machine.starts if queue.machine else []:
                address = queue.transport.address if queue.transport else []
                cls.orders[queue.name, start.request.name] = order_of(start.request.layout, queue.name, address)

    def test_pictures(self) -> None:
        for queue in self.reference.queues:
            shown = set()
            for family in self.reference.families(queue):
                for arrow in family.picture.shapes:
                    if arrow.style == "edge" and arrow.title:
                        before, after = (side.split(" | ") for side in arrow.title.split(" → "))
                        shown |= {(a, b) for a in before for b in after}
            expected = set()
            for (name, request), order in self.orders.items():
                if name == queue.name:
                    expected |= order.pairs | {(request, segment) for segment in order.first}
            self.assertEqual(shown, expected, queue.name)

    def test_tables(self) -> None:
        checked = 0
        for segment in self.model.segments:
            said: dict = {}  # (queue, request) → (what follows, may end)
            for row in self.reference.followings(segment):
                for queue in row.queues:
                    for request in row.requests:
                        after, end = said.setdefault((queue, request), (set(), []))
                        after |= {s.name for s in row.after}
                        end.append(row.end)
            for key, order in self.orders.items():
                present = segment.name in order.first | order.last | {b for _, b in order.pairs}
                self.assertEqual(key in said, present, (segment.name, key))
                if present:
                    after, end = said[key]
                    self.assertEqual(after, {b for a, b in order.pairs if a == segment.name}, (segment.name, key))
                    self.assertEqual(any(end), segment.name in order.last, (segment.name, key))
                    checked += 1
        self.assertGreater(checked, 200)

    def test_every_request_is_drawn_once(self) -> None:
        for queue in self.reference.queues:
            drawn = [start.request.name for family in self.reference.families(queue) for start in family.starts]
            expected = [start.request.name for start in queue.machine.starts] if queue.machine else []
            self.assertEqual(sorted(drawn), sorted(expected), queue.name)


if __name__ == "__main__":
    unittest.main()
