//! A plan being edited: what a click on a check box does to its lists.

use super::super::form::Texts;
use std::path::PathBuf;
use std::sync::Arc;
use triptych_runner::experiments::EXPERIMENTS;
use triptych_runner::lab::Lab;
use triptych_runner::plan::{Cache, Operation, Plan};

/// What the sheet has in hand.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The plan; its steps are made when it is measured.
    pub plan: Plan,
    /// What is typed and not understood yet.
    pub texts: Texts,
    /// The file it was opened from or saved to.
    pub path: Option<PathBuf>,
    /// The plan as that file has it.
    pub kept: Option<Plan>,
    /// Why a file was not opened or written.
    pub said: Option<String>,
    /// What the plan gives, by the plan and lab that were asked for.
    pub outcome: Option<Arc<super::outcome::Outcome>>,
    /// For which plan and which reading of the lab the outcome was asked.
    pub asked: Option<(Plan, u64)>,
}

/// One of the plan's lists of names from the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Repositories.
    Repositories,
    /// Variants, baseline first.
    Variants,
    /// Media.
    Media,
}

impl List {
    /// All, in the order of the form.
    pub const ALL: [Self; 3] = [Self::Repositories, Self::Variants, Self::Media];

    /// Its label, and what one of its members is called.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Repositories => ("repositories", "repository"),
            Self::Variants => ("variants", "variant"),
            Self::Media => ("media", "medium"),
        }
    }

    /// The names there are, in the order in which a plan lists them.
    pub fn known(self, lab: &Lab) -> Vec<String> {
        let mut names: Vec<String> = match self {
            Self::Repositories => lab.repositories.iter().map(|known| known.name.clone()).collect(),
            Self::Variants => lab.variants.iter().map(|known| known.name.clone()).collect(),
            Self::Media => lab.media.iter().map(|known| known.name.clone()).collect(),
        };
        if self == Self::Variants
            && let Some(at) = names.iter().position(|name| Some(name) == lab.baseline.as_ref())
        {
            let baseline = names.remove(at);
            names.insert(0, baseline);
        }
        names
    }

    /// The plan's list.
    pub fn of(self, plan: &Plan) -> &Vec<String> {
        match self {
            Self::Repositories => &plan.repositories,
            Self::Variants => &plan.variants,
            Self::Media => &plan.media,
        }
    }

    fn of_mut(self, plan: &mut Plan) -> &mut Vec<String> {
        match self {
            Self::Repositories => &mut plan.repositories,
            Self::Variants => &mut plan.variants,
            Self::Media => &mut plan.media,
        }
    }
}

impl Draft {
    /// A draft of a plan.
    pub fn new(plan: Plan, path: Option<PathBuf>) -> Self {
        let kept = path.as_ref().map(|_| plan.clone());
        Self { plan, texts: Texts::default(), path, kept, said: None, outcome: None, asked: None }
    }

    /// All that a lab has, by every experiment that asks for nothing special, cold and hot, three times.
    pub fn of_lab(lab: &Lab) -> Self {
        let mut plan = Plan { title: lab.name.clone(), ..Plan::default() };
        for list in List::ALL {
            *list.of_mut(&mut plan) = list.known(lab);
        }
        let specs = EXPERIMENTS.iter().map(|experiment| experiment.spec());
        let usual = specs.filter(|spec| !spec.needs_file);
        plan.operations = usual.map(|spec| operation(spec.id)).collect();
        Self::new(plan, None)
    }

    /// Times another operation.
    pub fn add_operation(&mut self, experiment: &str) {
        self.plan.operations.push(operation(experiment));
        // The order of the forms is the order of the table.
        if self.plan.cells.is_empty() {
            let place = |operation: &Operation| {
                EXPERIMENTS.iter().position(|known| known.spec().id == operation.experiment)
            };
            self.plan.operations.sort_by_key(|operation| place(operation).unwrap_or(usize::MAX));
        }
        self.texts.forget("option ");
    }

    /// Times an operation no more.
    pub fn remove_operation(&mut self, index: usize) {
        if index >= self.plan.operations.len() {
            return;
        }
        self.plan.operations.remove(index);
        self.plan.cells.retain(|cell| cell.operation != index);
        for cell in &mut self.plan.cells {
            if cell.operation > index {
                cell.operation -= 1;
            }
        }
        self.texts.forget("option ");
    }

    /// Takes a name into a list or out of it, in the lab's order.
    pub fn toggle(&mut self, list: List, name: &str, lab: Option<&Lab>) {
        let names = list.of_mut(&mut self.plan);
        let before = names.len();
        names.retain(|known| known != name);
        if names.len() == before {
            names.push(name.to_owned());
            let order = lab.map(|lab| list.known(lab)).unwrap_or_default();
            names.sort_by_key(|name| order.iter().position(|known| known == name).unwrap_or(usize::MAX));
        } else {
            self.plan.cells.retain(|cell| match list {
                List::Repositories => cell.repository != name,
                List::Variants => cell.variant != name,
                List::Media => cell.medium != name,
            });
        }
    }

    /// Takes a cache state in or out.
    pub fn toggle_cache(&mut self, cache: Cache) {
        let before = self.plan.caches.len();
        self.plan.caches.retain(|known| *known != cache);
        if self.plan.caches.len() == before {
            self.plan.caches.push(cache);
            self.plan.caches.sort_unstable();
        } else {
            self.plan.cells.retain(|cell| cell.cache != cache);
        }
    }
}

fn operation(experiment: &str) -> Operation {
    Operation { experiment: experiment.to_owned(), ..Operation::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use triptych_runner::plan::Cell;

    fn cell(operation: usize, variant: &str, cache: Cache) -> Cell {
        Cell { operation, repository: "tsvn".into(), variant: variant.into(), medium: "SSD".into(), cache }
    }

    #[test]
    fn names_keep_the_labs_order_with_the_baseline_first() {
        let mut lab = Lab::new("box");
        for name in ["new", "old", "patched"] {
            lab.variants.push(triptych_runner::lab::Variant { name: name.to_owned(), ..Default::default() });
        }
        lab.baseline = Some("old".to_owned());
        let mut draft = Draft::of_lab(&lab);
        assert_eq!(draft.plan.variants, ["old", "new", "patched"]);
        draft.toggle(List::Variants, "old", Some(&lab));
        assert_eq!(draft.plan.variants, ["new", "patched"]);
        draft.toggle(List::Variants, "old", Some(&lab));
        assert_eq!(draft.plan.variants, ["old", "new", "patched"]);
    }

    #[test]
    fn chosen_cells_follow_what_is_taken_out() {
        let mut plan = Plan {
            operations: vec![operation("export"), operation("verify")],
            variants: vec!["old".into(), "new".into()],
            ..Plan::default()
        };
        plan.cells =
            vec![cell(0, "old", Cache::Cold), cell(1, "old", Cache::Cold), cell(1, "new", Cache::Hot)];
        let mut draft = Draft::new(plan, None);
        draft.remove_operation(0);
        assert_eq!(draft.plan.cells, [cell(0, "old", Cache::Cold), cell(0, "new", Cache::Hot)]);
        draft.toggle(List::Variants, "new", None);
        assert_eq!(draft.plan.cells, [cell(0, "old", Cache::Cold)]);
        draft.toggle_cache(Cache::Cold);
        assert!(draft.plan.cells.is_empty());
        assert_eq!(draft.plan.caches, [Cache::Hot]);
        draft.toggle_cache(Cache::Cold);
        assert_eq!(draft.plan.caches, [Cache::Cold, Cache::Hot]);
        draft.remove_operation(9);
        assert_eq!(draft.plan.operations.len(), 1);
    }
}
