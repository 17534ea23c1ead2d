#!/usr/bin/env python3
"""Verifies an export of Waybill with a checkpoint and a public key. Written from docs/proof.md alone.

    python3 verify.py export.ndjson --checkpoint checkpoint --key "$VKEY"
    python3 verify.py export.ndjson --checkpoint checkpoint --key "$VKEY" --erasures erasures --tiles FOLDER
    python3 verify.py --vectors ../docs/proof-vectors.json

Needs the standard library and `cryptography` (Debian: python3-cryptography). Reads one event a line, as delivered or as CloudWatch,
Datadog and the sandbox wrap it, records of Kinesis that are not packed, and CSV exports of Waybill; also with gzip. It refuses rows of
Azure and packed records. The exit code is 0 for a verified export, 1 for another one, and 2 where it cannot tell.
"""

import argparse
import base64
import csv
import functools
import gzip
import hashlib
import itertools
import json
import os
import re
import sys
import unicodedata
import zlib
from collections import Counter

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Repeated(ValueError):
    """An object has two members of one name."""


class CheckpointError(ValueError):
    """A checkpoint or an erasure record that is not believed: `malformed`, `unknown_key` or `forged`."""


def sha256(data):
    return hashlib.sha256(data).digest()


# --- JSON


def members(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Repeated("a member is there twice")
    return found


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def parse(text, object_of=members):
    """Parses JSON. Each number is a double: 1.0 is 1."""
    return json.loads(text, object_pairs_hook=object_of, parse_int=float, parse_constant=no_constant)


def number(value):
    """Writes a double as ECMAScript does: the shortest digits, with an exponent from 1e21 and below 1e-6 on."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    if abs(value) == float("inf"):
        return f"{sign}Infinity"
    digits, exponent = f"{abs(value)!r}e0".split("e")[:2]
    whole, _, fraction = digits.partition(".")
    fraction = "" if fraction == "0" else fraction
    point = len(whole) + int(exponent)
    digits = whole + fraction
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    mantissa = digits[0] + ("." + digits[1:] if count > 1 else "")
    return f"{sign}{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def canonical(value):
    """Returns the form of RFC 8785."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    if isinstance(value, float):
        return number(value)
    if isinstance(value, list):
        return f"[{','.join(canonical(one) for one in value)}]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"


# --- Merkle tree


def hash_leaf(data):
    return sha256(b"\x00" + data)


def hash_node(left, right):
    return sha256(b"\x01" + left + right)


def left_size(size):
    """The largest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1


def roots_of(leaves, sizes):
    """Returns the roots of trees of the first leaves, by their sizes, in one pass."""
    # The stack has complete subtrees, the largest first.
    roots, stack = {}, []
    for size in range(len(leaves) + 1):
        if size > 0:
            stack.append(leaves[size - 1])
        # Two subtrees of one size become one: as often as the size can be halved.
        for _ in range((size & -size).bit_length() - 1):
            stack[-2:] = [hash_node(*stack[-2:])]
        if size in sizes:
            roots[size] = functools.reduce(lambda right, left: hash_node(left, right), reversed(stack)) if stack else sha256(b"")
    return roots


def root_of(leaves):
    return roots_of(leaves, {len(leaves)})[len(leaves)]


def inclusion_root(leaf, index, size, proof):
    """Returns the root that a proof leads to; None if its length is wrong."""
    if size == 1 or not proof:
        return leaf if size == 1 and not proof else None
    left = left_size(size)
    child = inclusion_root(leaf, index, left, proof[:-1]) if index < left else inclusion_root(leaf, index - left, size - left, proof[:-1])
    if child is None:
        return None
    return hash_node(child, proof[-1]) if index < left else hash_node(proof[-1], child)


def consistency_roots(smaller, size, known, proof):
    """Returns the roots of the smaller and the larger tree; takes hashes from the end of the proof."""
    if smaller == size:
        hash_ = known if known is not None else proof.pop()
        return hash_, hash_
    sibling, left = proof.pop(), left_size(size)
    if smaller <= left:
        old, new = consistency_roots(smaller, left, known, proof)
        return old, hash_node(new, sibling)
    old, new = consistency_roots(smaller - left, size - left, None, proof)
    return hash_node(sibling, old), hash_node(sibling, new)


def is_consistent(smaller, smaller_root, size, root, proof):
    rest = list(proof)
    try:
        return consistency_roots(smaller, size, smaller_root, rest) == (smaller_root, root) and not rest
    except IndexError:
        return False


# --- Checkpoints


def from_base64(text):
    """Returns the bytes, or None where the text is not the one that they have."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text else None


SIGNATURE, COSIGNATURE = 1, 4


def key_id(name, public_key, type_=SIGNATURE):
    return sha256(name.encode() + b"\n" + bytes([type_]) + public_key)[:4]


def is_key_name(name):
    return name != "" and not any(one in "+\ufeff" or unicodedata.category(one) in ("Cc", "Zl", "Zp", "Zs") for one in name)


def parse_vkey(vkey, type_=SIGNATURE):
    name, id_, encoded = (vkey.strip().split("+", 2) + ["", ""])[:3]
    data = from_base64(encoded)
    if data is None or len(data) != 33 or data[0] != type_ or key_id(name, data[1:], type_).hex() != id_:
        raise ValueError(f"{vkey} is no verifier key of type {type_}")
    return name, data[1:]


PRIME = 2**255 - 19
EIGHTH_Y = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
SMALL_ORDER_YS = (0, 1, PRIME - 1, EIGHTH_Y, PRIME - EIGHTH_Y)


def is_signed(public_key, signature, data):
    """Needs a package that multiplies by no cofactor, as `cryptography` does with OpenSSL. It takes bad keys, too."""
    y = int.from_bytes(public_key, "little") % 2**255
    if y >= PRIME or y in SMALL_ORDER_YS:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, data)
    except InvalidSignature:
        return False
    return True


LONGEST_NOTE, MOST_SIGNATURES, LATEST_TIME = 1_000_000, 100, 8_640_000_000_000


def parse_note(note):
    """Returns the text of a note, and its signatures: name, id and bytes."""
    text, empty, lines = note.rpartition("\n\n")
    text += "\n"
    if not empty or not lines.endswith("\n") or re.search("[\x00-\x09\x0b-\x1f\ud800-\udfff]", note):
        raise CheckpointError("malformed")
    if len(note) > LONGEST_NOTE or lines.count("\n") > MOST_SIGNATURES:
        raise CheckpointError("malformed")
    signatures = []
    for line in lines[:-1].split("\n"):
        parts = line.split(" ")
        data = from_base64(parts[-1])
        if len(parts) != 3 or parts[0] != "—" or not is_key_name(parts[1]) or data is None or len(data) <= 4:
            raise CheckpointError("malformed")
        signatures.append((parts[1], data[:4], data[4:]))
    return text, signatures


def open_note(note, vkey, parse):
    """Returns what the text of a signed note states, its origin first."""
    text, signatures = parse_note(note)
    stated = parse(text)
    origin = stated[0]
    name, public_key = parse_vkey(vkey)
    is_of_log = origin == name or origin.startswith(f"{name}/")
    own = [signature for key, id_, signature in signatures if is_of_log and key == origin and id_ == key_id(origin, public_key)]
    if not own:
        raise CheckpointError("unknown_key")
    if not all(is_signed(public_key, signature, text.encode()) for signature in own):
        raise CheckpointError("forged")
    return stated


def parse_checkpoint(text):
    match = re.fullmatch("(.+)\n(0|[1-9][0-9]*)\n(.+)\n(?:.+\n)*", text)
    root = from_base64(match[3]) if match else None
    if root is None or len(root) != 32 or len(match[2]) > 16 or int(match[2]) >= 2**53:
        raise CheckpointError("malformed")
    return match[1], int(match[2]), root


def open_checkpoint(note, vkey):
    """Returns origin, size and root of a signed checkpoint."""
    return open_note(note, vkey, parse_checkpoint)


# --- Erasure records


def parse_erasure(text):
    match = re.fullmatch(r"(.+)\nerasure (\S+)\n(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\n((?:.+\n)+)", text, re.ASCII)
    lines = match[4].splitlines() if match else []
    ranges = [re.fullmatch("(0|[1-9][0-9]{0,14})(?:-([1-9][0-9]{0,14}))?", line) for line in lines]
    if not ranges or None in ranges:
        raise CheckpointError("malformed")
    ranges = [(int(one[1]), int(one[2] or one[1])) for one in ranges]
    if any("-" in line and first >= last for line, (first, last) in zip(lines, ranges)):
        raise CheckpointError("malformed")
    if any(after[0] <= before[1] + 1 for before, after in zip(ranges, ranges[1:])):
        raise CheckpointError("malformed")
    return match[1], match[2], match[3], ranges


def open_erasure(note, vkey):
    """Returns origin, erasure, time and ranges of indexes of a signed erasure record."""
    return open_note(note, vkey, parse_erasure)


def notes_in(text):
    return re.findall("(?:(?!— ).*\n)+(?:— .*\n)+|.+\n?", text)


def text_of(note):
    """Returns the text that is signed."""
    return note.rpartition("\n\n")[0] + "\n"


def cosignatures_of(note, vkeys):
    """Returns the newest time of each cosigner that has signed a checkpoint: name and time, by the public key."""
    text, signatures = parse_note(note)
    found = {}
    for name, public_key in [parse_vkey(vkey, COSIGNATURE) for vkey in vkeys]:
        for key, id_, data in signatures:
            if key != name or id_ != key_id(name, public_key, COSIGNATURE):
                continue
            time = int.from_bytes(data[:8], "big")
            if time > LATEST_TIME or not is_signed(public_key, data[8:], f"cosignature/v1\ntime {time}\n{text}".encode()):
                raise CheckpointError("forged")
            found[public_key] = max((name, time), found.get(public_key, (name, 0)), key=lambda one: one[1])
    return found


# --- Events


def leaf_of(event):
    """Returns log, index and data of the leaf of an event. Raises ValueError where the event is none of Waybill's."""
    payload = dict(event)
    integrity = payload.pop("integrity")
    epoch, sequence, backfill = payload.pop("epoch", None), payload.pop("sequence"), payload.pop("backfill", None)
    if not isinstance(integrity, dict) or set(integrity) != {"log", "index", "salt"}:
        raise ValueError("integrity has other members")
    log, index, salt = integrity["log"], integrity["index"], integrity["salt"]
    if not isinstance(log, str) or not isinstance(salt, str) or not re.fullmatch("[0-9a-f]{32}", salt):
        raise ValueError("log or salt has another form")
    if not is_whole(index, 0) or ("backfill" in event and backfill is not True):
        raise ValueError("index or backfill has another form")
    if not is_whole(epoch, 1) or number(epoch) != log.rpartition("/")[2]:
        raise ValueError("epoch is not that of the log")
    commitment = sha256(bytes.fromhex(salt) + canonical(payload).encode())
    return log, int(index), b"\x01" + int(sequence).to_bytes(8, "big") + bytes([backfill is True]) + commitment


def is_whole(value, least):
    return isinstance(value, float) and value.is_integer() and least <= value < 2**53


class Log:
    """The events of one log, and its checkpoints: those that were given, and those in the files."""

    def __init__(self, origin, heads):
        self.origin, self.heads = origin, heads
        self.size, self.root = max(reversed(heads), key=lambda head: head[0])
        self.events, self.leaves, self.variants, self.offsets = [], {}, [], Counter()
        self.erased, self.note, self.later, self.later_variants = 0, None, {}, set()

    def add(self, index, sequence, leaf):
        hash_ = hash_leaf(leaf)
        is_same = self.leaves.setdefault(index, hash_) == hash_
        if index >= self.size:
            self.later.setdefault(sequence - index, sequence)
            if not is_same:
                self.later_variants.add(index)
            return
        self.offsets[sequence - index] += 1
        self.events.append((index, leaf))
        if not is_same:
            self.variants.append(index)

    def findings(self, named, tiles):
        """Returns the findings, and whether each event was compared: the leaves of the named indexes may be of tiles."""
        self.offset = self.offsets.most_common(1)[0][0] if self.offsets else 1
        misplaced = (sequence for offset, sequence in self.later.items() if self.offsets and offset != self.offset)
        found = [("altered", sequence, sequence, "its index is not that of its sequence") for sequence in misplaced]
        found += self.absent(named)
        # At one size, the checkpoint that counts comes last.
        heads = sorted(set(self.heads), key=lambda head: (head[0], head[1] == self.root))
        variants = (index + self.offset for index in sorted(self.later_variants) if index < heads[-1][0])
        found += [("altered_repeat", sequence, sequence, "") for sequence in variants]
        prefix = []
        while len(prefix) < heads[-1][0] and len(prefix) in self.leaves:
            prefix.append(self.leaves[len(prefix)])
        own = roots_of(prefix, {min(len(prefix), size) for size, _ in heads})
        is_compared, tree = own.get(self.size) == self.root, None
        if not is_compared:
            tree, note = self.tree_of(tiles)
            if tree is None:
                self.note = note
                found += [("forked_log", None, None, note)] if note == OTHER_TREE else []
        tiled = roots_of(tree, {size for size, _ in heads}) if tree else {}
        forked = dict(self.forked(heads, own, tiled))
        found += [("forked_log", None, None, reason) for reason in forked.values()]
        if tree is not None:
            return found + self.altered(tree), True
        found += [("altered_repeat", index + self.offset, index + self.offset, "") for index in self.variants]
        intact = intact_size(heads, own)
        other = next((head for head in heads if head[0] > intact and own.get(head[0], head[1]) != head[1]), None)
        if other is not None and other not in forked:
            first, last = intact + self.offset, other[0] - 1 + self.offset
            found.append(("altered", None, None, f"one or more of the events {first} to {last}, or the log has forked"))
        return found, is_compared

    def absent(self, named):
        """Returns the findings about indexes that the files do not have."""
        found, first = [], None
        for index in range(self.size + 1):
            is_missing = index < self.size and index not in self.leaves
            is_erased = is_missing and index in named
            self.erased += is_erased
            if is_missing and not is_erased:
                first = index if first is None else first
            elif first is not None:
                verdict = "cut_at_the_end" if index == self.size else "missing"
                found.append((verdict, first + self.offset, index - 1 + self.offset, ""))
                first = None
        return found

    def tree_of(self, tiles):
        """Returns the leaf hashes of the log, or None and the reason."""
        if tiles is None:
            return None, "The tiles of the log are needed to name what is altered, or to compare a part of the events: give --tiles."
        leaves = []
        try:
            for start in range(0, self.size, 256):
                leaves += self.tile(tiles, start // 256, min(256, self.size - start))
        except OSError as error:
            return None, f"The tiles cannot be read: {error}. --tiles is the folder that has the folder `tile`."
        return (leaves, None) if root_of(leaves) == self.root else (None, OTHER_TREE)

    def tile(self, tiles, number, width):
        path = f"{number % 1000:03}"
        while number >= 1000:
            number //= 1000
            path = f"x{number % 1000:03}/{path}"
        try:
            data = tiles(f"tile/0/{path}" + (f".p/{width}" if width < 256 else ""))
        except OSError:
            if width == 256:
                raise
            # A log may delete a partial tile when the whole one is there.
            data = tiles(f"tile/0/{path}")[: width * 32]
        return [data[at : at + 32] for at in range(0, len(data), 32)]

    def forked(self, heads, own, tiled):
        """Yields each checkpoint that contradicts another one, and the reason."""
        intact, last = intact_size(heads, own), dict(heads)
        by_root = {root: size for size, root in heads} | {root: size for size, root in own.items()}
        for size, root in heads:
            other = by_root[root]
            if tiled.get(size, root) != root:
                other = self.size
            elif size <= intact and own[size] != root:
                other = intact
            elif other == size and last[size] == root:
                continue
            if other in last:
                yield (size, root), f"two signed checkpoints, of {size} and of {other} events, are not of one tree"
            else:
                yield (size, root), f"the checkpoint of {size} events has the root of the first {other} in the files"

    def altered(self, tree):
        """Returns the findings about events whose leaf is not that of the log."""
        wrong = [(index, leaf) for index, leaf in self.events if hash_leaf(leaf) != tree[index]]
        intact = {index for index, leaf in self.events if hash_leaf(leaf) == tree[index]}
        tiles = {index // 256 for index in self.leaves}
        absent = [index for index in range(self.size) if index not in self.leaves and index // 256 in tiles]
        others = [*sorted({index for index, _ in wrong}), *absent][:MOST_EXCHANGED]
        searched, found = set(sorted(range(len(wrong)), key=lambda at: wrong[at][0])[:MOST_EXCHANGED]), []
        for at, (index, leaf) in enumerate(wrong):
            number = index + self.offset
            places = (one for one in others if one != index) if at in searched else ()
            other = next((one for one in places if hash_leaf(with_number(leaf, one + self.offset)) == tree[one]), None)
            if other is not None:
                found.append(("reordered", number, number, f"the event of sequence {other + self.offset}"))
            else:
                found.append(("altered_repeat" if index in intact else "altered", number, number, "not what the log has"))
        return found


MOST_EXCHANGED = 300

OTHER_TREE = "The tiles do not lead to the root of the checkpoint."


def intact_size(heads, own):
    """Returns the size of the largest checkpoint whose root the events in the files have."""
    return max((size for size, root in heads if own.get(size) == root), default=0)


def with_number(leaf, sequence):
    return leaf[:1] + sequence.to_bytes(8, "big") + leaf[9:]


# --- Exports


class Unsupported(ValueError):
    """An export that this program does not read."""


USE_WAYBILL = "This program does not read it: use `waybill verify`."


DEEPEST = 100


def parse_line(text):
    """Returns the value of a text of JSON, and whether to refuse it: a member is there twice, or it is nested too deeply."""
    try:
        value = parse(text)
        return value, is_too_deep(value, DEEPEST)
    except Repeated:
        return parse(text, dict), True


def is_too_deep(value, levels):
    """Returns whether more objects and lists than these levels are within one another."""
    if not isinstance(value, (dict, list)):
        return False
    return levels == 0 or any(is_too_deep(one, levels - 1) for one in (value.values() if isinstance(value, dict) else value))


def is_of_event(value):
    """Returns whether an object has a member of an event: it then wraps no other."""
    return "event_id" in value or "integrity" in value


def event_in(line):
    """Returns the event in a line, and whether to refuse it. Raises ValueError where it has none."""
    value, is_refused = parse_line(line)
    if isinstance(value, dict) and not is_of_event(value) and isinstance(value.get("Data"), str):
        data = from_base64(value["Data"])
        if data is None:
            raise ValueError("no base64")
        if data.startswith(b"\xf3\x89\x9a\xc2") and len(data) >= 20:
            raise Unsupported(f"A packed record of Kinesis. {USE_WAYBILL}")
        value = data.decode("utf-8", "replace")
    elif isinstance(value, str):
        raise ValueError("no object")
    event = event_within(value, is_refused, 3)
    if event is None:
        raise ValueError("no event")
    if "TimeGenerated" in event[0]:
        raise Unsupported(f"A row of a table of Azure. {USE_WAYBILL}")
    return event


def is_of_waybill(value):
    """Returns whether an object is a line of an export of Waybill: it has the state of a delivery."""
    delivery = value.get("delivery")
    return isinstance(delivery, dict) and {"destination_id", "projected"} <= set(delivery)


def is_unnumbered(line):
    """Returns whether a line is of an export of Waybill, of an event that has no number yet: it is in no log."""
    try:
        value, _ = parse_line(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(value, dict) or not isinstance(value.get("event_id"), str) or {"sequence", "integrity"} & set(value):
        return False
    return is_of_waybill(value)


def event_within(value, is_refused, wrappers):
    if isinstance(value, str):
        try:
            value, is_inner_refused = parse_line(value)
        except ValueError:
            return None
        is_refused = is_refused or is_inner_refused
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("event_id"), str) and is_whole(value.get("sequence"), 1) and is_whole(value.get("epoch", 1.0), 1):
        return value, is_refused
    if is_of_event(value):
        raise ValueError("no event")
    inner = (event_within(value.get(name), is_refused, wrappers - 1) for name in ("message", "body", "attributes") if wrappers > 0)
    return next((event for event in inner if event is not None), None)


def check_members(name):
    """Refuses a file of gzip that has anything after a member but another one. `gzip.open` skips zeros."""
    with open(name, "rb") as file:
        inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while data := file.read(65536):
            while data:
                inflate = zlib.decompressobj(zlib.MAX_WBITS | 16) if inflate.eof else inflate
                inflate.decompress(data)
                data = inflate.unused_data


def lines_of(name):
    """Yields the lines of a file: NDJSON, or a CSV export of Waybill, also compressed with gzip."""
    with open(name, "rb") as file:
        opener = gzip.open if file.read(2) == b"\x1f\x8b" else open
    if opener is gzip.open:
        check_members(name)
    with opener(name, "rt", encoding="utf-8-sig", errors="replace", newline="\n") as file:
        first = file.readline()
        if not first.startswith('"event_id","event_type",'):
            yield first
            yield from file
            return
        csv.field_size_limit(2**31 - 1)
        rows = csv.reader(itertools.chain([first], file))
        names = next(rows)
        if "event" not in names:
            raise Unsupported("This CSV export of Waybill has no column `event`.")
        at = names.index("event")
        yield from (row[at] if len(row) > at else ",".join(row) for row in rows)


def note_in(event, type_, name):
    """Returns the note that an event of a log itself has, or None."""
    note = event["object"].get(name) if isinstance(event.get("object"), dict) else None
    return note if event.get("event_type") == type_ and isinstance(note, str) else None


def verify(lines, notes, vkey, erasures="", tiles=None, cosigners=(), needed=0):
    """Returns findings (verdict, first and last number, reason), whether all is verified, the logs, and how many lines are unnumbered."""
    found, heads = [], {}
    for note in notes:
        try:
            origin, size, root = open_checkpoint(note, vkey)
            if len(cosignatures_of(note, cosigners)) < needed:
                found.append(("not_cosigned", None, None, ""))
                continue
            heads.setdefault(origin, []).append((size, root))
        except CheckpointError as error:
            found.append(("unknown_key" if str(error) == "unknown_key" else "forged_checkpoint", None, None, ""))
    records = []
    for note in notes_in(erasures):
        try:
            records.append((open_erasure(note, vkey), text_of(note)))
        except CheckpointError as error:
            found.append(("unknown_key" if str(error) == "unknown_key" else "forged_erasure", None, None, ""))
    if not heads:
        return found, False, [], 0
    if tiles is not None and len(heads) > 1:
        raise ValueError("--tiles is for one log: omit it, or use `waybill verify`")
    logs = {origin: Log(origin, those) for origin, those in heads.items()}
    destinations = {origin.rpartition("/")[0] for origin in logs}
    announced, unnumbered = set(), 0
    for line in lines:
        if line.strip() == "":
            continue
        try:
            event, is_refused = event_in(line)
        except Unsupported:
            raise
        except (ValueError, RecursionError):
            if is_unnumbered(line):
                unnumbered += 1
            else:
                found.append(("unreadable", None, None, ""))
            continue
        if is_of_waybill(event):
            del event["delivery"]
        sequence = int(event["sequence"])
        if "integrity" not in event:
            found.append(("foreign", sequence, sequence, ""))
            continue
        try:
            log, index, leaf = leaf_of(event)
        except (ValueError, RecursionError):
            is_refused = True
        if is_refused:
            found.append(("altered", sequence, sequence, "it has other members than Waybill delivers"))
            continue
        note = note_in(event, "event_destination_checkpoint_signed.v0", "checkpoint")
        if note is not None and note.partition("\n")[0] in logs:
            try:
                origin, size, root = open_checkpoint(note, vkey)
                logs[origin].heads.append((size, root))
            except CheckpointError as error:
                if str(error) != "unknown_key":
                    found.append(("forged_checkpoint", sequence, sequence, "in an event"))
        if log in logs:
            logs[log].add(index, sequence, leaf)
            record = note_in(event, "event_erasure_recorded.v0", "record")
            if record is not None and index < logs[log].size:
                announced.add((log.rpartition("/")[0], text_of(record)))
        else:
            verdict = "wrong_epoch" if log.rpartition("/")[0] in destinations else "foreign"
            found.append((verdict, sequence, sequence, ""))
    named = {origin: set() for origin in logs}
    for (origin, _, _, ranges), text in records:
        if origin not in logs:
            found.append(("foreign_erasure", None, None, ""))
        elif (origin.rpartition("/")[0], text) not in announced:
            found.append(("unannounced_erasure", None, None, ""))
        else:
            named[origin].update(index for first, last in ranges for index in range(first, min(last, logs[origin].size) + 1))
    results = [log.findings(named[origin], tiles) for origin, log in logs.items()]
    found += [finding for findings, _ in results for finding in findings]
    is_verified = not found and all(is_compared for _, is_compared in results)
    return found, is_verified, list(logs.values()), unnumbered


# --- Test vectors


def tiles_in(files):
    """Returns what reads tiles by their paths, as from a folder."""

    def read(path):
        if path not in files:
            raise FileNotFoundError(path)
        return files[path]

    return read


def check_vectors(vectors):
    """Returns the names of the vectors with another result, and the number of all."""
    wrong, count = [], 0

    def check(name, is_same):
        nonlocal count
        count += 1
        if not is_same:
            wrong.append(name)

    for one in vectors["canonical_json"]:
        check(one["text"], canonical(parse(one["text"])) == one["form"])
    for one in vectors["leaves"]:
        _, _, leaf = leaf_of(parse(one["event"]))
        check(one["event"], [leaf[-32:].hex(), leaf.hex(), hash_leaf(leaf).hex()] == [one["commitment"], one["leaf"], one["leaf_hash"]])
    leaves = [hash_leaf(f"leaf {at}".encode()) for at in range(40)]
    for one in vectors["roots"]:
        check(f"root of {one['size']}", root_of(leaves[: one["size"]]).hex() == one["root"])
    unhex = bytes.fromhex
    for one in vectors["inclusion_proofs"]:
        root = inclusion_root(unhex(one["leaf_hash"]), one["index"], one["size"], [unhex(each) for each in one["hashes"]])
        check(f"inclusion of {one['index']} in {one['size']}", (root and root.hex()) == one["root"])
    for one in vectors["consistency_proofs"]:
        proof = [unhex(each) for each in one["hashes"]]
        found = is_consistent(one["smaller"], unhex(one["smaller_root"]), one["size"], unhex(one["root"]), proof)
        check(f"consistency of {one['smaller']} and {one['size']}", found == one["valid"])
    for one in vectors["signatures"]:
        signed = is_signed(unhex(one["public_key"]), unhex(one["signature"]), unhex(one["message"]))
        check(f"signature {one['name']}", signed == one["valid"])
    for one in vectors["checkpoints"]:
        try:
            origin, size, root = open_checkpoint(one["note"], one["vkey"])
            check(one["name"], [origin, size, root.hex()] == [one.get("origin"), one.get("size"), one.get("root")])
        except CheckpointError as error:
            check(one["name"], str(error) == one.get("fault"))
    for one in vectors["cosignatures"]:
        try:
            check(one["name"], dict(cosignatures_of(one["note"], one["cosigners"]).values()) == one.get("times"))
        except CheckpointError as error:
            check(one["name"], str(error) == one.get("fault"))
    for one in vectors["erasure_records"]:
        try:
            stated = open_erasure(one["note"], one["vkey"])
            check(one["name"], json.dumps(stated) == json.dumps([one.get(name) for name in ("origin", "erasure", "at", "ranges")]))
        except CheckpointError as error:
            check(one["name"], str(error) == one.get("fault"))
    for one in vectors["exports"] + vectors["exports_with_tiles"]:
        tiles = tiles_in({path: unhex(hashes) for path, hashes in one["tiles"].items()}) if "tiles" in one else None
        found, is_verified, logs, unnumbered = verify(one["lines"], one["checkpoints"], one["vkey"], one.get("erasures", ""), tiles)
        is_same = sorted(json.dumps(finding[:3]) for finding in found) == sorted(map(json.dumps, one["findings"]))
        erased = sum(log.erased for log in logs)
        check(one["name"], is_same and is_verified == one["verified"] and [erased, unnumbered] == [one.get("erased", 0), one.get("unnumbered", 0)])
    return wrong, count


def main():
    parser = argparse.ArgumentParser(description="Verifies an export of Waybill.")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--checkpoint", action="append", default=[])
    parser.add_argument("--key")
    parser.add_argument("--cosigner", action="append", default=[])
    parser.add_argument("--cosigners-needed", type=int)
    parser.add_argument("--erasures", action="append", default=[])
    parser.add_argument("--tiles")
    parser.add_argument("--vectors")
    options = parser.parse_args()
    try:
        return run(parser, options)
    except (OSError, ValueError, EOFError, csv.Error, zlib.error) as error:
        print(f"It cannot be told: {error}", file=sys.stderr)
        return 2


def run(parser, options):
    if options.vectors:
        with open(options.vectors, encoding="utf-8") as file:
            wrong, count = check_vectors(json.load(file))
        print(f"{count - len(wrong)} of {count} vectors agree.", *wrong, sep="\n")
        return 1 if wrong else 0
    if not (options.files and options.checkpoint and options.key):
        parser.error("give files, --checkpoint and --key")

    def text(name):
        with open(name, encoding="utf-8", newline="") as file:
            return file.read()

    def tile(path):
        with open(os.path.join(options.tiles, path), "rb") as file:
            return file.read()

    needed = len(options.cosigner) if options.cosigners_needed is None else options.cosigners_needed
    notes, erasures = [text(name) for name in options.checkpoint], "".join(map(text, options.erasures))
    lines = itertools.chain.from_iterable(map(lines_of, options.files))
    tiles = None if options.tiles is None else tile
    found, is_verified, logs, unnumbered = verify(lines, notes, options.key, erasures, tiles, options.cosigner, needed)
    for verdict, first, last, reason in found:
        numbers = "" if first is None else f" {first}" if first == last else f" {first} to {last}"
        print(f"{verdict}{numbers}{reason and f': {reason}'}")
    for log in logs:
        print(f"{log.origin}: {log.size} events in the checkpoint, {log.erased} erased.", log.note or "")
    if unnumbered:
        print(f"Events that have no number yet, not verified: {unnumbered}")
    if not is_verified and not found:
        print("CANNOT TELL")
        return 2
    print("VERIFIED" if is_verified else "NOT VERIFIED")
    return 0 if is_verified else 1


if __name__ == "__main__":
    sys.exit(main())
