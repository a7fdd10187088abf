//! Every grid cell exactly once per pass when request sizes vary.
//!
//! As in fio: draw a cell; if it was used, go on to the next free one (from the end of the span to its start);
//! take as many free cells in a row as the request needs, or all there are, and cut the request to them. There is one
//! bit per cell, and one bit above it per word that still has a free cell, so that the search in a nearly full map is
//! fast.

use flashscope_kernel::random::{Stream, below};

use super::placement::Placement;
use crate::direction::Kind;

/// Free cells of the pass. Level 0 has one bit per cell; a bit of level n+1 says that a word of level n is not 0.
#[derive(Clone, Debug)]
pub(crate) struct FreeMap {
    levels: Vec<Vec<u64>>,
    cell_count: u64,
    cell_bytes: u64,
    stream: Stream,
}

impl FreeMap {
    pub fn new(cell_count: u64, cell_bytes: u64, stream: Stream) -> Self {
        Self { levels: all_free(cell_count), cell_count, cell_bytes, stream }
    }

    fn first_free_from(&self, cell: u64) -> Option<u64> {
        // Up until a level has a bit at or after the place, then down to the first cell below that bit.
        let (mut place, mut level) = (cell, 0);
        loop {
            let word = *self.levels.get(level)?.get((place / 64) as usize)? & u64::MAX << (place % 64);
            if word != 0 {
                place = place / 64 * 64 + u64::from(word.trailing_zeros());
                break;
            }
            place = place / 64 + 1;
            level += 1;
        }
        for words in self.levels[..level].iter().rev() {
            place = place * 64 + u64::from(words[place as usize].trailing_zeros());
        }
        Some(place)
    }

    fn use_up(&mut self, cell: u64) {
        let mut place = cell;
        for words in &mut self.levels {
            let word = &mut words[(place / 64) as usize];
            *word &= !(1 << (place % 64));
            if *word != 0 {
                break;
            }
            place /= 64;
        }
    }
}

impl Placement for FreeMap {
    const CUTS_REQUESTS: bool = true;

    fn next(&mut self, _kind: Kind) -> Option<u64> {
        let drawn = below(&mut self.stream, self.cell_count);
        let cell = self.first_free_from(drawn).or_else(|| self.first_free_from(0))?;
        Some(cell * self.cell_bytes)
    }

    fn take(&mut self, _kind: Kind, start_bytes: u64, length_bytes: u64) -> u64 {
        let first = start_bytes / self.cell_bytes;
        let wanted = length_bytes.div_ceil(self.cell_bytes);
        let end = (first + wanted).min(self.cell_count);
        let mut cell = first;
        while cell < end && self.levels[0][(cell / 64) as usize] >> (cell % 64) & 1 == 1 {
            self.use_up(cell);
            cell += 1;
        }
        length_bytes.min((cell - first) * self.cell_bytes)
    }

    fn begin_pass(&mut self, _kind: Kind) {
        self.levels = Vec::new(); // given back before the next one is made
        self.levels = all_free(self.cell_count);
    }
}

fn all_free(cell_count: u64) -> Vec<Vec<u64>> {
    let mut levels = Vec::new();
    let mut bits = cell_count;
    loop {
        let mut words = vec![u64::MAX; bits.div_ceil(64) as usize];
        if let (Some(last), 1..) = (words.last_mut(), bits % 64) {
            *last = (1 << (bits % 64)) - 1;
        }
        bits = words.len() as u64;
        levels.push(words);
        if bits <= 1 {
            return levels;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn requests_of_any_sizes_cover_each_cell_exactly_once_per_pass(
            cell_count in 1_u64..10_000,
            sizes in prop::collection::vec(1_u64..300, 1..8),
            seed: u64,
        ) {
            let mut map = FreeMap::new(cell_count, 512, Streams::new(seed).stream("offsets"));
            for _ in 0..2 {
                let mut used = vec![0_u8; cell_count as usize];
                let mut turn = 0;
                while let Some(start) = map.next(Kind::Write) {
                    let length = map.take(Kind::Write, start, sizes[turn % sizes.len()] * 512);
                    prop_assert!(length > 0 && length.is_multiple_of(512));
                    for cell in start / 512..(start + length) / 512 {
                        used[cell as usize] += 1;
                    }
                    turn += 1;
                }
                prop_assert!(used.iter().all(|&count| count == 1));
                map.begin_pass(Kind::Write);
            }
        }
    }

    #[test]
    fn a_request_shorter_than_its_cell_uses_the_whole_cell() {
        let mut map = FreeMap::new(1, 4096, Streams::new(0).stream("offsets"));
        let start = map.next(Kind::Write).unwrap();
        assert_eq!((start, map.take(Kind::Write, start, 512)), (0, 512));
        assert_eq!(map.next(Kind::Write), None);
    }
}
