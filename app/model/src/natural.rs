//! Natural order: digits compare as numbers, so that 1.9.12 comes before 1.14.2.

use std::cmp::Ordering;

/// Compares two names, runs of digits by value and all else by character.
pub fn natural_cmp(left: &str, right: &str) -> Ordering {
    let (mut a, mut b) = (left, right);
    loop {
        let (Some(x), Some(y)) = (a.chars().next(), b.chars().next()) else {
            return a.len().cmp(&b.len()).then_with(|| left.cmp(right));
        };
        let order = if x.is_ascii_digit() && y.is_ascii_digit() {
            let (digits_a, digits_b) = (take_digits(&mut a), take_digits(&mut b));
            digits_a.len().cmp(&digits_b.len()).then_with(|| digits_a.cmp(digits_b))
        } else {
            a = a.get(x.len_utf8()..).unwrap_or("");
            b = b.get(y.len_utf8()..).unwrap_or("");
            x.cmp(&y)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Takes the digits at the head of `text`, without their leading zeros.
fn take_digits<'a>(text: &mut &'a str) -> &'a str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    digits.trim_start_matches('0')
}

/// Whether a variant's name says that the others are compared with it: `trunk`, `old-1.6.9`,
/// `Unpatched`, `baseline`. Only a first guess, the user chooses.
pub fn is_usual_baseline(name: &str) -> bool {
    const WORDS: &[&str] =
        &["trunk", "old", "unpatched", "baseline", "base", "before", "reference", "main", "master"];
    let word = name.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn versions_sort_by_number() {
        let mut names = vec!["new-1.14.2", "old-1.6.9", "new-1.9.12", "new-1.7.22", "a10", "a9", "a09"];
        names.sort_by(|a, b| natural_cmp(a, b));
        assert_eq!(names, ["a09", "a9", "a10", "new-1.7.22", "new-1.9.12", "new-1.14.2", "old-1.6.9"]);
    }

    #[test]
    fn usual_baselines_are_known_by_their_first_word() {
        for name in ["trunk", "old-1.6.9", "Unpatched", "old server", "trunk-r1446761"] {
            assert!(is_usual_baseline(name), "{name}");
        }
        for name in ["branch6", "new-1.7.22", "older", "1.6.9", "", "trunkless"] {
            assert!(!is_usual_baseline(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn is_a_total_order(a in ".{0,8}", b in ".{0,8}", c in "[a0-9.]{0,8}", d in "[a0-9.]{0,8}") {
            prop_assert_eq!(natural_cmp(&a, &b), natural_cmp(&b, &a).reverse());
            prop_assert_eq!(natural_cmp(&c, &d), natural_cmp(&d, &c).reverse());
            prop_assert_eq!(natural_cmp(&c, &c), Ordering::Equal);
            let mut three = [a.as_str(), c.as_str(), d.as_str()];
            three.sort_by(|x, y| natural_cmp(x, y));
            prop_assert_ne!(natural_cmp(three[0], three[2]), Ordering::Greater);
        }
    }
}
