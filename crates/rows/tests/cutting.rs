//! Rows come out as a slow and obvious cutter makes them, however the text is divided.

use flashscope_rows::{Cutter, LINE_BYTES_MAX};
use proptest::prelude::*;

/// The cut rows of a plain text whose last line is whole.
fn slowly(text: &str, column_count: usize, wanted: &[usize]) -> String {
    let mut rows = String::new();
    let mut place = 0;
    for (index, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let mut row = vec![place.to_string()];
        if cells.len() >= column_count {
            row.extend(wanted.iter().map(|column| cells[*column].to_owned()));
            row.extend(cells[column_count..].iter().map(|cell| (*cell).to_owned()));
        }
        if index > 0 {
            rows += &if line.is_empty() { String::new() } else { row.join(",") };
            rows.push('\n');
        }
        place += line.len() + 1;
    }
    rows
}

fn cut_in_parts(text: &[u8], part_bytes: usize, column_count: usize, wanted: &[usize]) -> (Cutter, String) {
    let mut cutter = Cutter::new(column_count, wanted).expect("the columns are there");
    let rows = text.chunks(part_bytes).flat_map(|part| cutter.cut(part)).collect();
    (cutter, String::from_utf8(rows).expect("plain text stays plain"))
}

proptest! {
    #[test]
    fn any_text_in_any_parts_gives_the_rows_of_the_slow_cutter(
        text in "([0-9e -]{0,9}|,{1,12}|\n){0,120}\n",
        column_count in 1_usize..14,
        wanted in proptest::collection::btree_set(0_usize..14, 1..8),
        part_bytes in 1_usize..80,
    ) {
        let wanted: Vec<usize> = wanted.into_iter().filter(|one| *one < column_count).collect();
        prop_assume!(!wanted.is_empty());
        let (cutter, rows) = cut_in_parts(text.as_bytes(), part_bytes, column_count, &wanted);
        prop_assert_eq!(rows, slowly(&text, column_count, &wanted));
        prop_assert!(cutter.is_plain());
        prop_assert_eq!(cutter.line_count(), text.lines().count() as u64);
        prop_assert_eq!(cutter.has_fractions(), text.as_bytes().windows(3).any(|some| some[0].is_ascii_digit() && &some[1..] == b"e-"));
    }
}

#[test]
fn text_with_a_surprise_anywhere_is_not_plain_and_its_lines_are_counted() {
    for surprise in [&b"\""[..], b"\r", b"\t", b"\0", b"\xe4", "\u{2013}".as_bytes()] {
        let text = [&b"a,b\n1,2\n3,"[..], surprise, b"4\n5,6\n"].concat();
        for part_bytes in 1..text.len() {
            let (cutter, _) = cut_in_parts(&text, part_bytes, 2, &[0]);
            assert!(!cutter.is_plain());
            assert_eq!(cutter.line_count(), 4);
        }
    }
}

#[test]
fn a_line_without_an_end_does_not_fill_the_memory() {
    let mut cutter = Cutter::new(3, &[1]).expect("the column is there");
    for _ in 0..4 {
        cutter.cut(&vec![b'9'; LINE_BYTES_MAX / 2]);
    }
    assert!(!cutter.is_plain());
}

#[test]
fn columns_that_are_not_there_or_not_in_order_are_refused() {
    for wanted in [&[][..], &[3], &[1, 1], &[2, 1]] {
        assert!(Cutter::new(3, wanted).is_none(), "{wanted:?}");
    }
}
