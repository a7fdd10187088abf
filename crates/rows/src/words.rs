//! The commas of a text, eight bytes at a time.

const BYTES: usize = 8;
const EACH: u64 = 0x0101_0101_0101_0101;
const LOW: u64 = 0x7f * EACH;
const COMMAS: u64 = b',' as u64 * EACH;

/// Set `found[k]` to the place of comma number `stops[k]` in `line`; returns the number of all its commas.
///
/// stops: ascending, without repetition. The places of stops that the line does not reach are left as they were.
pub fn find_commas(line: &[u8], stops: &[usize], found: &mut [usize]) -> usize {
    let mut count = 0;
    let mut next = 0;
    let (words, rest) = line.as_chunks::<BYTES>();
    for (index, word) in words.iter().enumerate() {
        let commas = commas_of(u64::from_le_bytes(*word));
        let here = count_of(commas);
        while next < stops.len() && stops[next] < count + here {
            found[next] = index * BYTES + place_of(commas, stops[next] - count);
            next += 1;
        }
        count += here;
    }
    for (place, _) in rest.iter().enumerate().filter(|(_, byte)| **byte == b',') {
        if next < stops.len() && stops[next] == count {
            found[next] = words.len() * BYTES + place;
            next += 1;
        }
        count += 1;
    }
    count
}

/// The highest bit of each byte that is a comma.
fn commas_of(word: u64) -> u64 {
    let zero_where_comma = word ^ COMMAS;
    !(((zero_where_comma & LOW) + LOW) | zero_where_comma | LOW)
}

/// How many bytes of `commas_of` are marked. The product adds them up in its highest byte.
fn count_of(commas: u64) -> usize {
    ((commas >> 7).wrapping_mul(EACH) >> 56) as usize
}

/// The byte of the mark with this number.
fn place_of(mut commas: u64, number: usize) -> usize {
    for _ in 0..number {
        commas &= commas - 1;
    }
    commas.trailing_zeros() as usize / BYTES
}

#[cfg(test)]
mod tests {
    use super::find_commas;

    /// The same, byte by byte.
    fn slowly(line: &[u8], stops: &[usize]) -> (usize, Vec<usize>) {
        let all: Vec<usize> = line.iter().enumerate().filter(|(_, byte)| **byte == b',').map(|(at, _)| at).collect();
        (all.len(), stops.iter().filter_map(|stop| all.get(*stop)).copied().collect())
    }

    #[test]
    fn every_short_line_has_its_commas_where_they_are() {
        for length in 0..=18_u32 {
            for pattern in 0..1_u32 << length.min(12) {
                let line: Vec<u8> =
                    (0..length).map(|at| if pattern >> (at % 12) & 1 == 1 { b',' } else { b'-' }).collect();
                for stops in [&[][..], &[0], &[0, 1, 2], &[1, 4, 5, 9], &[17]] {
                    let mut found = vec![usize::MAX; stops.len()];
                    let count = find_commas(&line, stops, &mut found);
                    found.retain(|place| *place != usize::MAX);
                    assert_eq!((count, found), slowly(&line, stops));
                }
            }
        }
    }

    #[test]
    fn no_other_byte_is_taken_for_a_comma() {
        for byte in (0..=u8::MAX).filter(|byte| *byte != b',') {
            for neighbour in [b',', b'-', 0, 0xff, 0xac] {
                let line = [neighbour, byte, neighbour, byte, byte, byte, byte, neighbour];
                assert_eq!(find_commas(&line, &[], &mut []), slowly(&line, &[]).0, "{line:?}");
            }
        }
    }
}
