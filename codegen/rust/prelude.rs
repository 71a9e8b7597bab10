// SPDX-License-Identifier: BSD-2-Clause
#![no_std]
#![forbid(unsafe_code)]
#![allow(non_camel_case_types)] // names are the spec's, letter for letter
#![allow(dead_code)] // not every device has lists, payloads and sums
#![allow(clippy::too_many_arguments)]

/// The reason why there is no entry: the expectation of a field, or of the entry as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    pub segment: &'static str,
    pub field: &'static str,
    pub expected: &'static str,
}

impl core::fmt::Display for Refused {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let dot = if self.field.is_empty() { "" } else { "." };
        write!(f, "{}{}{}: expected {}", self.segment, dot, self.field, self.expected)
    }
}

const fn refused(segment: &'static str, field: &'static str, expected: &'static str) -> Refused {
    Refused { segment, field, expected }
}

/// The common properties of segments.
pub trait Segment {
    const NAME: &'static str;
    /// Bytes. For a segment with a payload, the bytes of its fields.
    const SIZE: usize;
    /// Whether each field can hold its value.
    fn check(&self) -> Result<(), Refused>;
    /// Writes the first SIZE bytes of `to`. Values that are too large for their field are cut: see check().
    fn pack(&self, to: &mut [u8]);
}

/// Bits of a word of `size` bytes that begins at `byte`.
#[derive(Clone, Copy)]
struct Place {
    byte: usize,
    size: usize,
    little: bool,
    low: u32,
    bits: u32,
}

impl Place {
    #[inline(always)]
    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    #[inline(always)]
    fn shift(self, i: usize) -> u32 {
        8 * (if self.little { i } else { self.size - 1 - i }) as u32
    }

    #[inline(always)]
    fn put(self, to: &mut [u8], value: u64) {
        let (word, mask) = ((value & self.mask()) << self.low, self.mask() << self.low);
        for i in 0..self.size {
            let here = &mut to[self.byte + i];
            *here = *here & !((mask >> self.shift(i)) as u8) | (word >> self.shift(i)) as u8;
        }
    }

    #[inline(always)]
    fn get(self, from: &[u8]) -> u64 {
        let word = (0..self.size).fold(0, |word, i| word | u64::from(from[self.byte + i]) << self.shift(i));
        word >> self.low & self.mask()
    }
}

const fn at(byte: usize, size: usize, little: bool, low: u32, bits: u32) -> Place {
    Place { byte, size, little, low, bits }
}

const fn whole(size: usize, unit: usize) -> usize {
    (size + unit - 1) / unit * unit
}

const ROOM: Refused = refused("entry", "", "room for all of it, in the slice and in the device's largest entry");

/// The lap of a ring: the bit in its pieces, and the byte of the entry at which it flips. 0: it does not.
pub type Lap = (u8, usize);

/// An entry under construction, in any stage.
struct Entry<'a> {
    to: &'a mut [u8],
    len: usize,
    most: usize,
    told: [u64; TOLD], // sizes of lists, from earlier segments
    sums: [u64; SUMS],
    lap: Lap,
    table: usize, // most pieces, if the queue wants a table of them
    piece: Option<(usize, u8)>, // place and bit of the mark in the last piece
    wrong: Option<Refused>,     // the first error
}

impl<'a> Entry<'a> {
    fn begin(to: &'a mut [u8], least: usize, most: usize, cleared: bool) -> Self {
        let wrong = if to.len() < least { Some(ROOM) } else { None };
        if cleared {
            to.fill(0);
        }
        let most = most.min(to.len());
        Entry { to, len: 0, most, told: [0; TOLD], sums: [0; SUMS], lap: (0, 0), table: 0, piece: None, wrong }
    }

    /// The lap bit of a segment at a byte.
    fn lap_at(&self, byte: usize) -> u8 {
        self.lap.0 ^ u8::from(self.lap.1 > 0 && byte >= self.lap.1)
    }

    fn refuse_unless(&mut self, good: bool, why: Refused) {
        if !good && self.wrong.is_none() {
            self.wrong = Some(why);
        }
    }

    /// The next bytes, all zero, or none if there is no room.
    fn take(&mut self, size: usize) -> &mut [u8] {
        let from = self.len;
        if size > self.most.saturating_sub(from) {
            self.refuse_unless(false, ROOM);
            return &mut [];
        }
        self.len += size;
        let here = &mut self.to[from..from + size];
        here.fill(0);
        here
    }

    fn put<S: Segment>(&mut self, segment: &S) {
        self.put_with(segment, S::SIZE, &[], S::SIZE);
    }

    /// A segment with a payload at byte `tail`, `size` bytes in all.
    fn put_with<S: Segment>(&mut self, segment: &S, tail: usize, payload: &[u8], size: usize) {
        if let Err(why) = segment.check() {
            self.refuse_unless(false, why);
        }
        let here = self.take(size);
        if here.is_empty() {
            return;
        }
        if here.len() >= S::SIZE {
            segment.pack(here);
        }
        here[tail..].fill(0);
        here[tail..tail + payload.len()].copy_from_slice(payload);
    }

    fn list<S: Segment>(&mut self, list: &[S], size: usize) {
        for segment in list {
            self.put(segment);
        }
        self.take(size.saturating_sub(list.len() * S::SIZE));
    }

    /// Moves pieces of `size` bytes behind a table that repeats a field of them, if the queue wants one of more than `above`. `forms`: the
    /// value of each, how many numbers it has, and the bytes of one. Returns the value, or 0: there is no table.
    fn tabled(&mut self, first: usize, size: usize, field: Place, above: usize, forms: &[(u64, usize, usize)], why: Refused) -> u64 {
        let count = self.len.saturating_sub(first) / size;
        if self.table == 0 || count <= above {
            return 0;
        }
        let (told, most, bytes) = forms.iter().copied().find(|form| count <= form.1).unwrap_or((0, 0, 0));
        self.refuse_unless(count <= most.min(self.table), ROOM);
        self.take(most * bytes);
        if self.wrong.is_some() {
            return 0;
        }
        let to = &mut self.to[first..];
        to.copy_within(..count * size, most * bytes);
        to[..most * bytes].fill(0);
        let mut held = true;
        for i in 0..count {
            let value = field.get(&to[most * bytes + i * size..]);
            held &= value >> (8 * bytes) == 0;
            at(i * bytes, bytes, field.little, 0, 8 * bytes as u32).put(to, value);
        }
        self.refuse_unless(held, why);
        told
    }

    fn end(self) -> Result<usize, Refused> {
        if let (None, Some((at, bit))) = (self.wrong, self.piece) {
            self.to[at] ^= bit;
        }
        self.wrong.map_or(Ok(self.len), Err)
    }
}
