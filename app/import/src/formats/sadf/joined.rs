//! Headers of `sadf -d`: one activity, or with `-h` all of them in one line.
//!
//! With `-h` the columns of an activity that has items are printed once, followed by `[...]`, and a row
//! repeats them for each item: `CPU;%user[...];runq-sz` above `-1;5.0;0;4.0;1;6.0;2`. How often is not
//! said, so the counts are found that use up the row exactly and put items where items belong.

use super::{Table, is_item, table_of};
use crate::formats::sysstat::table::{Part, Role};

/// The activities of a header.
#[derive(Debug, Default)]
pub(super) struct Layout {
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    table: Table,
    repeats: bool,
    /// Where its item stands, and what it is.
    item: Option<(usize, Part)>,
}

/// A row has at most so many cells: sar of a machine with very many processors.
const MOST_STEPS: usize = 100_000;

type Cell<'t> = (&'t str, usize);

impl Layout {
    /// Reads the names behind host, interval and time.
    pub(super) fn parse(names: &str) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut rest = names;
        while let Some((head, tail)) = rest.split_once("[...]") {
            groups.extend(Group::split(head.trim_matches(';')));
            if let Some(last) = groups.last_mut() {
                last.repeats = true;
            }
            rest = tail;
        }
        groups.extend(Group::split(rest.trim_matches(';')));
        Self { groups }
    }

    /// How many columns the header has.
    pub(super) fn columns(&self) -> usize {
        self.groups.iter().map(|group| group.table.len()).sum()
    }

    /// Whether an activity repeats its columns, so that a row may have any number of cells.
    pub(super) fn repeats(&self) -> bool {
        self.groups.iter().any(|group| group.repeats)
    }

    /// The tables of the activities in order.
    pub(super) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.groups.iter().map(|group| &group.table)
    }

    /// How often each activity stands in a row of these cells; `None` where none fits.
    pub(super) fn fit(&self, cells: &[Cell<'_>]) -> Option<Vec<usize>> {
        let mut counts = Vec::with_capacity(self.groups.len());
        let mut steps = 0;
        fit(&self.groups, cells, &mut counts, &mut steps).then_some(counts)
    }
}

/// Fits the first group once or more often, the fewest first, and the others behind it.
fn fit(groups: &[Group], cells: &[Cell<'_>], counts: &mut Vec<usize>, steps: &mut usize) -> bool {
    let Some((group, others)) = groups.split_first() else { return cells.is_empty() };
    let size = group.table.len();
    let place = counts.len();
    let (mut count, mut rest) = (0_usize, cells);
    while *steps < MOST_STEPS && size > 0 && rest.len() >= size {
        *steps += 1;
        let (mine, behind) = rest.split_at(size);
        if !group.holds(mine)
            || !group.follows(mine, count.checked_sub(1).and_then(|last| cells.get(last * size..)))
        {
            break;
        }
        (count, rest) = (count + 1, behind);
        counts.push(count);
        if fit(others, rest, counts, steps) {
            return true;
        }
        counts.truncate(place);
        if !group.repeats {
            break;
        }
    }
    false
}

impl Group {
    fn new(table: Table) -> Self {
        let item = (0..table.len()).find_map(|index| match table.column(index)?.role {
            Role::Item(part) => Some((index, part)),
            _ => None,
        });
        Self { table, repeats: false, item }
    }

    /// Parts names at those that name an item: there another activity begins.
    fn split(names: &str) -> Vec<Self> {
        let mut groups: Vec<String> = Vec::new();
        for name in names.split(';').filter(|name| !name.is_empty()) {
            let is_item = crate::formats::sysstat::table::part(name).is_some();
            match groups.last_mut() {
                Some(group) if !is_item => {
                    group.push(';');
                    group.push_str(name);
                }
                _ => groups.push(name.to_owned()),
            }
        }
        groups.iter().map(|names| Self::new(table_of(names))).collect()
    }

    /// Whether a processor comes behind the one before it, as sadf lists them.
    fn follows(&self, cells: &[Cell<'_>], before: Option<&[Cell<'_>]>) -> bool {
        let Some((at, Part::Cpu)) = self.item else { return true };
        let number = |cells: &[Cell<'_>]| cells.get(at).and_then(|(cell, _)| cell.parse::<i32>().ok());
        match (before.and_then(number), number(cells)) {
            (Some(before), Some(now)) => before < now,
            _ => true,
        }
    }

    /// Whether cells can be one repetition: an item of the right kind, and figures.
    fn holds(&self, cells: &[Cell<'_>]) -> bool {
        cells.iter().enumerate().all(|(index, (cell, _))| match self.item {
            Some((at, part)) if at == index => is_item(part, cell),
            _ => match self.table.column(index).map(|column| column.role) {
                Some(Role::Value) if self.repeats => cell.replace(',', ".").parse::<f64>().is_ok(),
                _ => true,
            },
        })
    }
}
