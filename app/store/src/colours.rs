//! Which colour a variant has, everywhere and for good.
//!
//! Colours go by first appearance, baseline first, but only variants of one campaign must differ:
//! `trunk` of one campaign and `1.6.9` of another may share a colour, or a folder of many campaigns
//! would soon run out of colours that are plainly different.

use crate::resolve::Resolved;
use std::collections::{BTreeMap, BTreeSet};
use triptych_model::{Key, is_usual_baseline, natural_cmp};

/// The places of all variants in the palette of colours, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariantColours {
    places: Vec<(String, u16)>,
}

impl VariantColours {
    /// The place of a variant; `None` for a name that is none.
    pub fn place(&self, name: &str) -> Option<u16> {
        self.places.iter().find(|(known, _)| known == name).map(|(_, place)| *place)
    }

    /// All variants in order of first appearance, each with its place.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u16)> {
        self.places.iter().map(|(name, place)| (name.as_str(), *place))
    }

    /// Places the new variants; the known ones keep theirs, and one that took another's name its colour.
    pub(crate) fn update(&mut self, resolved: &Resolved) {
        let campaigns = campaigns(resolved);
        let now: BTreeSet<&str> = campaigns.iter().flatten().copied().collect();
        self.follow_a_renaming(&now);
        for names in &campaigns {
            let mut taken: BTreeSet<u16> = names.iter().filter_map(|name| self.place(name)).collect();
            for name in names {
                if self.place(name).is_none() {
                    let free = (0..=u16::MAX).find(|place| !taken.contains(place)).unwrap_or(u16::MAX);
                    taken.insert(free);
                    self.places.push(((*name).to_owned(), free));
                }
            }
        }
    }

    fn follow_a_renaming(&mut self, now: &BTreeSet<&str>) {
        let gone: Vec<usize> =
            (0..self.places.len()).filter(|at| !now.contains(self.places[*at].0.as_str())).collect();
        let new: Vec<&&str> = now.iter().filter(|name| self.place(name).is_none()).collect();
        if let ([at], [name]) = (&gone[..], &new[..]) {
            (**name).clone_into(&mut self.places[*at].0);
        }
    }
}

impl<const N: usize> From<[(&str, u16); N]> for VariantColours {
    fn from(places: [(&str, u16); N]) -> Self {
        Self { places: places.map(|(name, place)| (name.to_owned(), place)).into() }
    }
}

/// The variants of each campaign, baseline first; campaigns with most runs first, for the variants
/// that are looked at most shall have the first colours.
fn campaigns(resolved: &Resolved) -> Vec<Vec<&str>> {
    let mut runs: BTreeMap<u32, (usize, Vec<&str>)> = BTreeMap::new();
    for entry in &resolved.runs {
        let campaign = runs.entry(entry.campaign).or_default();
        campaign.0 += 1;
        if let Some(name) = resolved.texts.get(entry.value(Key::Variant))
            && !campaign.1.contains(&name)
        {
            campaign.1.push(name);
        }
    }
    let is_table =
        |index: u32| resolved.campaigns.get(index as usize).is_some_and(|campaign| campaign.is_table);
    let mut all: Vec<(usize, Vec<&str>)> = runs
        .into_iter()
        .map(|(index, (count, mut names))| {
            if !is_table(index) {
                names.sort_by(|a, b| {
                    is_usual_baseline(b).cmp(&is_usual_baseline(a)).then_with(|| natural_cmp(a, b))
                });
            }
            (count, names)
        })
        .collect();
    all.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    all.into_iter().map(|(_, names)| names).collect()
}
