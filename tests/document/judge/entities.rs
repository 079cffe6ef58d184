//! Character references.

use super::super::entities::{NAMES, reference};
use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

fn read(text: &str) -> Option<(String, usize)> {
    let ((first, second), length) = reference(text.as_bytes(), false)?;
    Some(([Some(first), second].into_iter().flatten().collect(), length))
}

/// html5ever's table has every prefix of a name too: those stand for 0.
#[test]
fn every_name_means_what_html5ever_says() {
    let mut bare = 0;
    for (name, (first, second)) in NAMED_ENTITIES.entries().filter(|(_, (first, _))| *first != 0) {
        let expected: String =
            [*first, *second].iter().filter(|code| **code != 0).filter_map(|code| char::from_u32(*code)).collect();
        assert_eq!(read(name), Some((expected, name.len())), "{name}");
        bare += usize::from(!name.ends_with(';'));
    }
    let lines = NAMES.iter().filter(|byte| **byte == b'\n').count();
    let named = NAMED_ENTITIES.entries().filter(|(_, (first, _))| *first != 0).count();
    assert_eq!((lines + bare, bare), (named, 106));
}

#[test]
fn every_number_below_256_means_what_html5ever_says() {
    for code in 1..256 {
        let replaced = (code as usize).checked_sub(0x80).and_then(|at| *C1_REPLACEMENTS.get(at)?);
        let expected = replaced.or(char::from_u32(code)).unwrap().to_string();
        let text = format!("#{code};");
        assert_eq!(read(&text), Some((expected, text.len())));
    }
    assert_eq!(read("#0"), Some(("\u{FFFD}".to_owned(), 2)));
}
