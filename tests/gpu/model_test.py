# SPDX-License-Identifier: BSD-2-Clause
"""All interleavings of three lanes that share a queue of four blocks (include/segue/gpu/turns.h) with a device that may fail at any point.

Devices: mlx5, whose doorbell says that the record has changed; bnxt_re and ionic, whose doorbell has the index; EFA, which has that as well and
completes in any order; bnxt_re in variable mode, which counts the requests that it has completed, so that a poll adds up their lengths. One of the
ring's blocks stays free on all but mlx5.

Each lane posts requests of one or two blocks, announced or not, as it likes, and then waits until all is done. A step is what other lanes and the
device can see of segue_gpu_reserve(), _put(), _publish(), _ring(), _poll() and _quiet(): one store, or one exchange. Wrong is:

- the device reads a block in which the request of that index does not stand, or stands in part
- the record goes back, or passes what is written
- no lane can go on, and not all have ended
- all have ended well, and the device has not carried out all; or one has ended with an error, and there was none

MISTAKES change one step. Each has to be found, so that the model is known to look.
"""

import sys
import time
from typing import Iterator, NamedTuple, Optional

SLOTS = 4
REQUESTS = (1, 1, 1)  # of each lane
RESERVE, ROOM, WRITE, TURN, RECORD, BELL, HAND, QUIET, DRAIN_RECORD, DRAIN_BELL, DRAIN_HAND, ENDED, FAILED = range(13)
WAITS = (ROOM, QUIET)

MISTAKES = {
    "room is not asked for": "reads",
    "room is counted from what was told": "reads",
    "turns are not waited for": "carried out",
    "the turn is handed on before the record": "back",
    "the doorbell comes before the record": "go on",
    "the record comes before the request": "reads",
    "a drain does not take the turn": "back",
    "waits do not ring": "go on",
    "waits for room do not see the error": "go on",
    "a wait that sees the error does not look again whether it is over": "go on",
    "waits for the end do not see the error": "go on",
    "more than the ring is reserved": "go on",
    "a poll takes a failure for progress": "ended well",
}
OF_INDEX = {"the turn is handed on before the doorbell": "back", "waits do not ring": "go on", "room is counted from what was told": "reads"}
OF_ANY_ORDER = {"a completion stands for those before it": "before it has completed"}
OF_COUNTS = {
    "room is counted from what was told": "ends within",
    "every request has one block": "ends within",
    "lengths are added up behind the room": "ends within",
    "waits do not ring": "go on",
}
DEVICES: dict = {"mlx5": MISTAKES, "index": OF_INDEX, "any order": OF_ANY_ORDER, "counts": OF_COUNTS}


class Lane(NamedTuple):
    pc: int
    left: int
    at: int = 0
    n: int = 0
    rings: bool = False
    goal: int = 0  # of a drain: what is told; of a wait: where it ends
    back: int = 0  # where a drain goes back to


class State(NamedTuple):
    reserved: int = 0
    ready: int = 0
    held: bool = False
    told: int = 0
    record: int = 0
    bell: int = 0  # the last doorbell that the device has not seen
    ring: tuple = (-1,) * SLOTS  # index of the block that stands there
    lengths: tuple = (0,) * SLOTS  # of the request that begins there, where completions count
    carried_out: int = 0  # requests of the device, and those that a poll has seen, where completions count
    passed: int = 0
    seen: int = 0  # by the device
    read: int = 0
    broken: bool = False  # the device has failed
    completed: frozenset = frozenset()  # read and completed, and not yet passed by `done`
    done: int = 0
    error: bool = False
    lanes: tuple = tuple(Lane(RESERVE, left) for left in REQUESTS)


class Wrong(Exception):
    pass


def written(ring: tuple, at: int, n: int) -> tuple:
    blocks = list(ring)
    for index in range(at, at + n):
        blocks[index % SLOTS] = index
    return tuple(blocks)


class Model:
    def __init__(self, mistake: Optional[str], device: str = "mlx5") -> None:
        self.mistake = mistake
        self.has_record, self.any_order, self.counts = device == "mlx5", device == "any order", device == "counts"
        self.room = SLOTS if device == "mlx5" else SLOTS - 1

    def lane(self, s: State, i: int, lane: Lane, **changes: object) -> State:
        if changes.get("record", s.record) < s.record:
            raise Wrong("the record goes back")
        if lane.pc in (RESERVE, ENDED, FAILED):
            lane = Lane(lane.pc, lane.left)
        others = s.lanes[:i] + s.lanes[i + 1 :]
        return s._replace(lanes=tuple(sorted((*others, lane))), **changes)  # which lane is which does not matter

    def rings(self, index: int) -> int:
        """What a doorbell says: that something has changed, or the index."""
        return 1 if self.has_record else index

    def has_room(self, s: State, lane: Lane) -> bool:
        free_from = s.told if self.mistake == "room is counted from what was told" else s.done
        return self.mistake == "room is not asked for" or lane.at + lane.n - free_from <= self.room

    def waits(self, s: State, i: int, lane: Lane, ends: bool) -> Iterator[State]:
        """A turn of a wait: it is over, has failed, rings or polls."""
        blind = "waits for room do not see the error" if lane.pc == ROOM else "waits for the end do not see the error"
        hasty = self.mistake == "a wait that sees the error does not look again whether it is over"
        if hasty and s.error:  # that it is not over was seen before
            yield self.lane(s, i, lane._replace(pc=FAILED))
        if ends:
            yield self.lane(s, i, lane._replace(pc=WRITE if lane.pc == ROOM else ENDED))
            return
        if s.error and self.mistake != blind:
            yield self.lane(s, i, lane._replace(pc=FAILED))
            return
        if not s.held and s.told < s.ready and self.mistake != "waits do not ring":
            takes = self.mistake != "a drain does not take the turn"
            yield self.lane(s, i, lane._replace(pc=DRAIN_RECORD if self.has_record else DRAIN_BELL, back=lane.pc, goal=s.ready), held=takes)
        if self.any_order and s.completed:
            yield self.passed(s)
        elif self.counts and s.carried_out > s.passed:
            yield self.added_up(s)
        elif not self.counts and s.read > s.done:
            yield s._replace(done=s.read)
        if s.broken and not s.error:
            progress = self.mistake == "a poll takes a failure for progress"
            good = self.added_up(s) if self.counts else s._replace(done=s.done if self.any_order else s.read)
            yield good._replace(done=s.ready if progress else good.done, error=not progress)

    def added_up(self, s: State) -> State:
        """After a poll: behind as many requests as the device has completed. Their lengths still stand in the ring."""
        done = s.done
        for _ in range(s.carried_out - s.passed):
            at = s.ready - 1 if self.mistake == "lengths are added up behind the room" else done
            done += 1 if self.mistake == "every request has one block" else s.lengths[at % SLOTS]
        if done != s.read:
            raise Wrong(f"what has completed ends within a request, at {done} and not at {s.read}")
        return s._replace(done=done, passed=s.carried_out)

    def passed(self, s: State) -> State:
        """After a poll: behind all that have completed, without a gap."""
        done = max(s.completed) + 1 if self.mistake == "a completion stands for those before it" else s.done
        while done in s.completed:
            done += 1
        if not s.broken and any(index < done and index not in s.completed for index in range(s.done, done)):
            raise Wrong("a request is taken for done before it has completed")
        return s._replace(done=done, completed=frozenset(index for index in s.completed if index >= done))

    def publishes(self, s: State, i: int, lane: Lane) -> Iterator[State]:
        order = {"the doorbell comes before the record": (BELL, RECORD, HAND), "the turn is handed on before the record": (HAND, RECORD, BELL)}
        steps = order.get(self.mistake or "", (RECORD, BELL, HAND))
        if not self.has_record:
            steps = (HAND, BELL) if self.mistake == "the turn is handed on before the doorbell" else (BELL, HAND)
        after = dict(zip(steps, (*steps[1:], RESERVE)))
        end = lane.at + lane.n
        if lane.pc == TURN:
            if self.mistake == "turns are not waited for" or (s.ready == lane.at and not s.held):
                if lane.rings:
                    yield self.lane(s, i, lane._replace(pc=steps[0]), held=True)
                else:
                    yield self.lane(s, i, lane._replace(pc=RESERVE), ready=end)
        elif lane.pc == RECORD:
            ring = written(s.ring, lane.at, lane.n) if self.mistake == "the record comes before the request" else s.ring
            if ring != s.ring:  # the device may look in between
                yield self.lane(s, i, lane, record=end)
            if ring == s.ring or s.record == end:
                yield self.lane(s, i, lane._replace(pc=after[RECORD]), record=end, ring=ring)
        elif lane.pc == BELL:
            yield self.lane(s, i, lane._replace(pc=after[BELL]), bell=self.rings(end), told=max(s.told, end))
        else:
            yield self.lane(s, i, lane._replace(pc=after[HAND]), ready=end, held=False)

    def steps_of(self, s: State, i: int) -> Iterator[State]:
        lane = s.lanes[i]
        if lane.pc == RESERVE and not lane.left:
            yield self.lane(s, i, lane._replace(pc=QUIET, goal=s.ready))
        elif lane.pc == RESERVE:
            for n in (1, 2) if self.mistake != "more than the ring is reserved" else (SLOTS + 1,):
                for rings in (True, False):
                    yield self.lane(s, i, Lane(ROOM, lane.left - 1, s.reserved, n, rings), reserved=s.reserved + n)
        elif lane.pc == ROOM:
            yield from self.waits(s, i, lane, self.has_room(s, lane))
        elif lane.pc == QUIET:
            yield from self.waits(s, i, lane, s.done >= lane.goal)
        elif lane.pc == WRITE:
            late = self.mistake == "the record comes before the request" and lane.rings
            lengths = s.lengths[: lane.at % SLOTS] + (lane.n,) + s.lengths[lane.at % SLOTS + 1 :] if self.counts else s.lengths
            yield self.lane(s, i, lane._replace(pc=TURN), ring=s.ring if late else written(s.ring, lane.at, lane.n), lengths=lengths)
        elif lane.pc == DRAIN_RECORD:
            yield self.lane(s, i, lane._replace(pc=DRAIN_BELL), record=lane.goal)
        elif lane.pc == DRAIN_BELL:
            yield self.lane(s, i, lane._replace(pc=DRAIN_HAND), bell=self.rings(lane.goal), told=lane.goal)
        elif lane.pc == DRAIN_HAND:
            held = s.held if self.mistake == "a drain does not take the turn" else False
            yield self.lane(s, i, lane._replace(pc=lane.back, goal=s.ready if lane.back == QUIET else 0), held=held)
        elif lane.pc not in (ENDED, FAILED):
            yield from self.publishes(s, i, lane)

    def device(self, s: State) -> Iterator[State]:
        if s.bell:  # the doorbell says that there is something, the record how much
            if not self.has_record and s.bell < s.seen:
                raise Wrong("the doorbell goes back")
            yield s._replace(bell=0, seen=s.record if self.has_record else s.bell)
        if self.any_order and not s.broken:
            for index in set(range(s.done, s.read)) - s.completed:
                yield s._replace(completed=s.completed | {index})
        if s.broken or s.read >= s.seen:
            return
        behind = s.read + (s.lengths[s.read % SLOTS] if self.counts else 1)
        for at in range(s.read, behind):
            if s.ring[at % SLOTS] != at:
                raise Wrong(f"the device reads block {at}, where {s.ring[at % SLOTS]} stands")
        yield s._replace(read=behind, carried_out=s.carried_out + self.counts)
        yield s._replace(broken=True)

    def ended(self, s: State) -> None:
        pcs = {lane.pc for lane in s.lanes}
        if not pcs <= {ENDED, FAILED}:
            raise Wrong("no lane can go on")
        if FAILED in pcs and not s.broken:
            raise Wrong("a lane has ended with an error, and there was none")
        if FAILED not in pcs and s.read != s.reserved:
            raise Wrong(f"all have ended well, and {s.read} of {s.reserved} blocks were carried out")

    def run(self) -> tuple[int, str]:
        todo, known = [State()], {State()}
        try:
            while todo:
                s = todo.pop()
                nexts = [n for i in range(len(s.lanes)) for n in self.steps_of(s, i)]
                if not nexts and not s.bell and (s.broken or s.read >= s.seen):
                    self.ended(s)
                for n in nexts + list(self.device(s)):
                    if n not in known:
                        known.add(n)
                        todo.append(n)
        except Wrong as wrong:
            return len(known), str(wrong)
        return len(known), ""


def main() -> int:
    failures = 0
    for device, mistake, expected in [(d, *one) for d, mistakes in DEVICES.items() for one in [(None, ""), *mistakes.items()]]:
        start = time.monotonic()
        states, wrong = Model(mistake, device).run()
        bad = expected not in wrong if mistake else bool(wrong)
        failures += bad
        took = f"{states:8} states, {time.monotonic() - start:5.1f} s"
        print(f"{device:10} {mistake or 'as it is':66} {took}: {wrong or 'right'}{'  <- UNEXPECTED' if bad else ''}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
