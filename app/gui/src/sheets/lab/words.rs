//! Lists of words in one field: options of a server, names that others use.

use super::super::form::{Texts, typed_list};
use crate::theme::Theme;
use egui::Ui;

/// A field for words separated by blanks; a word with blanks stands in double quotes.
pub fn options(ui: &mut Ui, theme: &Theme, texts: &mut Texts, name: &str, value: &mut Vec<String>) -> bool {
    typed_list(ui, theme, texts, (name, "none"), value, (joined, split))
}

/// A field for names separated by commas.
pub fn names(ui: &mut Ui, theme: &Theme, texts: &mut Texts, name: &str, value: &mut Vec<String>) -> bool {
    let join = |names: &[String]| names.join(", ");
    let split = |text: &str| {
        Ok(text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect())
    };
    typed_list(ui, theme, texts, (name, "none, else separated by commas"), value, (join, split))
}

/// Words as they are typed.
pub fn joined(words: &[String]) -> String {
    let quoted = |word: &String| {
        if word.is_empty() || word.contains(char::is_whitespace) {
            format!("\"{word}\"")
        } else {
            word.clone()
        }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// The words of a text.
///
/// # Errors
/// A quotation mark without its second.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for character in text.chars() {
        match character {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            blank if blank.is_whitespace() && !quoted => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    if quoted {
        return Err("a second quotation mark is missing".to_owned());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_as_they_were() {
        for (text, expect) in [
            ("", vec![]),
            ("  -M  64 ", vec!["-M", "64"]),
            ("--config-file \"/a b/c\" -v", vec!["--config-file", "/a b/c", "-v"]),
            ("\"\" x", vec!["", "x"]),
        ] {
            let words = split(text).expect("well formed");
            assert_eq!(words, expect, "{text:?}");
            assert_eq!(split(&joined(&words)).expect("well formed"), expect);
        }
        assert!(split("a \"b").is_err());
    }
}
