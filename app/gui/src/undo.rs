//! Undo is snapshots: whole arrangements are kept, not the steps between them.

/// A line of snapshots with a place in it.
#[derive(Clone, Debug)]
pub struct Undo<T> {
    past: Vec<T>,
    future: Vec<T>,
}

impl<T> Default for Undo<T> {
    fn default() -> Self {
        Self { past: Vec::new(), future: Vec::new() }
    }
}

impl<T: PartialEq> Undo<T> {
    /// Snapshots kept; older ones are forgotten.
    pub const DEPTH: usize = 100;

    /// Keeps what was before a change; what had been undone is gone.
    pub fn keep(&mut self, before: T) {
        if self.past.last() != Some(&before) {
            self.past.push(before);
        }
        if self.past.len() > Self::DEPTH {
            self.past.remove(0);
        }
        self.future.clear();
    }

    /// The snapshot before `now`.
    pub fn undo(&mut self, now: T) -> Option<T> {
        let before = self.past.pop()?;
        self.future.push(now);
        Some(before)
    }

    /// The snapshot that was undone last.
    pub fn redo(&mut self, now: T) -> Option<T> {
        let after = self.future.pop()?;
        self.past.push(now);
        Some(after)
    }

    /// Whether there is a step back.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is a step forward.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Forgets all, when another workspace is opened.
    pub fn clear(&mut self) {
        self.past.clear();
        self.future.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_back_and_forth() {
        let mut undo = Undo::default();
        undo.keep(1);
        undo.keep(2);
        assert_eq!(undo.undo(3), Some(2));
        assert_eq!(undo.undo(2), Some(1));
        assert_eq!(undo.undo(1), None);
        assert_eq!(undo.redo(1), Some(2));
        undo.keep(2);
        assert!(!undo.can_redo());
        assert!(undo.can_undo());
    }
}
