//! The clipboard, asked directly, because "copied" is only said when it was.

use std::cell::RefCell;

thread_local! {
    // X11 serves the content from the owner's process, so the owner has to live on.
    static OWNER: RefCell<Option<arboard::Clipboard>> = const { RefCell::new(None) };
}

/// Puts text on the clipboard.
///
/// # Errors
/// Why no clipboard took it, in one sentence.
pub fn set(text: &str) -> Result<(), String> {
    OWNER.with(|owner| {
        let mut owner = owner.borrow_mut();
        if owner.is_none() {
            *owner = Some(
                arboard::Clipboard::new().map_err(|error| format!("there is no clipboard here ({error})"))?,
            );
        }
        match owner.as_mut() {
            Some(clipboard) => {
                clipboard.set_text(text).map_err(|error| format!("the clipboard did not answer ({error})"))
            }
            None => Err("there is no clipboard here".to_owned()),
        }
    })
}
