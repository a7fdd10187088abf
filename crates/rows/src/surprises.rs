//! Whether a text holds anything that is not printable ASCII in lines, and whether a number in it may have a fraction.
//!
//! Each question is one pass without branches, which the compiler turns into steps of 16 bytes.

/// Whether a text is printable ASCII and line feeds, without quotation marks.
pub fn is_plain(text: &[u8]) -> bool {
    !text.iter().fold(false, |any, byte| {
        let printable = byte.wrapping_sub(b' ') <= b'~' - b' ';
        any | (*byte == b'"') | !(printable | (*byte == b'\n'))
    })
}

/// Whether a number in a text may have a fraction: it has a point, or a negative exponent (`15e-1`).
pub fn may_have_fractions(text: &[u8]) -> bool {
    let has_point = text.iter().fold(false, |any, byte| any | (*byte == b'.'));
    let behind = text.iter().skip(1).zip(text.iter().skip(2));
    let has_exponent = text.iter().zip(behind).fold(false, |any, (digit, (letter, sign))| {
        any | (digit.is_ascii_digit() & (*letter | 0x20 == b'e') & (*sign == b'-'))
    });
    has_point | has_exponent
}

#[cfg(test)]
mod tests {
    use super::{is_plain, may_have_fractions};

    #[test]
    fn printable_text_in_lines_is_plain_and_nothing_else() {
        for byte in 0..=u8::MAX {
            let expected = byte == b'\n' || (byte.is_ascii_graphic() || byte == b' ') && byte != b'"';
            assert_eq!(is_plain(&[b'a', byte, b'9']), expected, "{byte}");
        }
    }

    #[test]
    fn points_and_negative_exponents_make_fractions() {
        for text in ["1.5", "15e-1", "15E-1", ",,15e-1\n"] {
            assert!(may_have_fractions(text.as_bytes()), "{text}");
        }
        for text in ["", "15", "2024-03-25", "1e3", "e", "-e", "False,-3", "1e+3", "site-1", "5e", "e-1"] {
            assert!(!may_have_fractions(text.as_bytes()), "{text}");
        }
    }
}
