//! Columns that few sources have, for [`super::Requests`]: they take room only as far as they are filled.

/// A value that stands for "absent", so that a column needs no second one for that.
pub trait Absent: Copy {
    const ABSENT: Self;
    fn is_absent(self) -> bool;
}

impl Absent for i32 {
    const ABSENT: Self = Self::MIN;
    fn is_absent(self) -> bool {
        self == Self::ABSENT
    }
}

impl Absent for u32 {
    const ABSENT: Self = Self::MAX;
    fn is_absent(self) -> bool {
        self == Self::ABSENT
    }
}

impl Absent for i64 {
    const ABSENT: Self = Self::MIN;
    fn is_absent(self) -> bool {
        self == Self::ABSENT
    }
}

impl Absent for f64 {
    const ABSENT: Self = Self::NAN;
    fn is_absent(self) -> bool {
        self.is_nan()
    }
}

/// A column that ends with its last value: where a source has none at all it takes no room.
#[derive(Clone, Debug, Default)]
pub struct Late<T>(pub Vec<T>);

impl<T: Absent> Late<T> {
    pub fn get(&self, row: usize) -> Option<T> {
        self.0.get(row).copied().filter(|value| !value.is_absent())
    }

    pub fn set(&mut self, row: usize, value: Option<T>) {
        let Some(value) = value else { return };
        if self.0.len() <= row {
            self.0.resize(row + 1, T::ABSENT);
        }
        if let Some(cell) = self.0.get_mut(row) {
            *cell = value;
        }
    }

    /// Appends a part whose first row is row `first`.
    pub fn append(&mut self, first: usize, part: &Self) {
        if !part.0.is_empty() {
            self.0.resize(first, T::ABSENT);
            self.0.extend_from_slice(&part.0);
        }
    }
}

/// A column with few values: rows in order, each with its value.
#[derive(Clone, Debug, Default)]
pub struct Sparse<T>(pub Vec<(u32, T)>);

impl<T: Copy> Sparse<T> {
    pub fn get(&self, row: usize) -> Option<T> {
        let row = u32::try_from(row).ok()?;
        let at = self.0.binary_search_by_key(&row, |cell| cell.0).ok()?;
        self.0.get(at).map(|cell| cell.1)
    }

    /// Sets the value of a row behind all others, or of the last one again.
    pub fn push(&mut self, row: usize, value: T) {
        let row = u32::try_from(row).unwrap_or(u32::MAX);
        match self.0.last_mut().filter(|cell| cell.0 == row) {
            Some(cell) => cell.1 = value,
            None => self.0.push((row, value)),
        }
    }

    pub fn append(&mut self, first: usize, part: &Self, map: impl Fn(T) -> T) {
        for (row, value) in &part.0 {
            self.push(first + *row as usize, map(*value));
        }
    }
}
