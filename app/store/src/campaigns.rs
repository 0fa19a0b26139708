//! Which runs were made together: the directory left of what the pattern matched, or the table's file.

use crate::patterns::{below, directory};
use crate::resolve::{Resolved, number};
use crate::{Corrections, Source};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use triptych_model::{Key, Origin, Symbol};

/// One campaign.
#[derive(Clone, Debug, Default)]
pub(crate) struct CampaignEntry {
    /// Directory or file as given.
    pub(crate) root: String,
    /// What tells its place from others, however it was written.
    place: String,
    /// The shortest unique tail of the root, or what a column or the user called it.
    pub(crate) name: String,
    pub(crate) sources: Vec<u32>,
    pub(crate) runs: usize,
    pub(crate) is_table: bool,
    pub(crate) pattern: Option<(String, Origin)>,
}

/// Campaigns in the making, in order of their first source.
#[derive(Default)]
struct Places {
    known: HashMap<(String, Symbol), u32>,
    campaigns: Vec<CampaignEntry>,
    /// What columns or the user call them, by campaign; 0 where nobody does.
    named: Vec<Symbol>,
    of_source: Vec<Vec<u32>>,
}

impl Places {
    fn place(&mut self, source: usize, root: &Root, name: Symbol) -> u32 {
        let (campaigns, named) = (&mut self.campaigns, &mut self.named);
        let campaign = *self.known.entry((root.place.clone(), name)).or_insert_with(|| {
            let Root { given, place } = root.clone();
            campaigns.push(CampaignEntry { root: given, place, ..CampaignEntry::default() });
            named.push(name);
            number(campaigns.len() - 1)
        });
        add_once(&mut self.of_source[source], campaign);
        campaign
    }

    fn runs(&mut self, roots: &[Root], out: &mut Resolved) {
        let nowhere = Root::default();
        let mut order: Vec<usize> = (0..out.runs.len()).collect();
        order.sort_by_key(|run| out.runs[*run].source);
        for run in order {
            let entry = &mut out.runs[run];
            let source = entry.source as usize;
            let said = entry.value(Key::Campaign);
            // What the user calls one campaign is one, wherever its files lie.
            let everywhere = said != 0 && entry.origin(Key::Campaign) == Origin::Yours;
            entry.campaign = self.place(source, if everywhere { &nowhere } else { &roots[source] }, said);
        }
        for entry in &out.runs {
            for companion in &entry.companions {
                add_once(&mut self.of_source[*companion as usize], entry.campaign);
            }
        }
    }

    /// What the runner keeps beside its log is of the same campaign, which may have no run yet.
    fn kept_together(
        &mut self,
        sources: &[Source],
        roots: &[Root],
        homes: &[Option<u32>],
        out: &mut Resolved,
    ) {
        for (source, root) in roots.iter().enumerate() {
            if let (Some(name), []) = (&sources[source].data.campaign, &self.of_source[source][..]) {
                let name = out.texts.intern(name);
                self.place(source, root, name);
            }
        }
        for (source, home) in homes.iter().enumerate() {
            let campaign = home.and_then(|home| self.of_source[home as usize].first().copied());
            if let (Some(campaign), []) = (campaign, &self.of_source[source][..]) {
                self.of_source[source].push(campaign);
            }
        }
    }
}

/// Where a campaign lies.
#[derive(Clone, Default)]
struct Root {
    /// As part of the path that was given.
    given: String,
    /// The full path where the file has one: `.`, `../x` and `/a/x` may be one place.
    place: String,
}

impl Root {
    fn of(source: &Source, given: String) -> Self {
        let place = full_root(source, &given).unwrap_or_else(|| given.clone());
        Self { given, place }
    }
}

/// The part of the file's full path that belongs to `root`; `None` where links lead elsewhere.
fn full_root(source: &Source, root: &str) -> Option<String> {
    let rest = Path::new(source.path().get(root.len()..)?.trim_start_matches('/'));
    let file = source.file.as_deref().filter(|file| file.ends_with(rest))?;
    Some(file.ancestors().nth(rest.components().count())?.to_string_lossy().into_owned())
}

/// Gives every run and every source its campaign, and the campaigns their names.
pub(crate) fn assign(
    sources: &[Source],
    corrections: &Corrections,
    homes: &[Option<u32>],
    out: &mut Resolved,
) {
    let roots: Vec<Root> =
        sources.iter().zip(roots(sources, out)).map(|(s, root)| Root::of(s, root)).collect();
    let mut places = Places { of_source: vec![Vec::new(); sources.len()], ..Places::default() };
    places.runs(&roots, out);
    places.kept_together(sources, &roots, homes, out);
    for (source, root) in roots.iter().enumerate() {
        if places.of_source[source].is_empty() {
            places.place(source, root, 0);
        }
    }
    let Places { mut campaigns, named, of_source, .. } = places;
    collect(sources, &of_source, &mut campaigns, out);
    name(&named, &mut campaigns, out);
    rename(corrections, &mut campaigns);
    for entry in &mut out.runs {
        let origin = if entry.value(Key::Campaign) == 0 { Origin::Path } else { entry.origin(Key::Campaign) };
        let symbol = out.texts.intern(&campaigns[entry.campaign as usize].name);
        entry.set(Key::Campaign, symbol, origin);
    }
    out.campaigns = campaigns;
}

fn add_once(list: &mut Vec<u32>, value: u32) {
    if !list.contains(&value) {
        list.push(value);
    }
}

/// The root of each source: tables are their own, companions lie in the campaign round them.
fn roots(sources: &[Source], out: &Resolved) -> Vec<String> {
    let matched: Vec<Option<&str>> = sources
        .iter()
        .zip(&out.patterns)
        .map(|(source, used)| source.path().get(..used.as_ref()?.found.root))
        .collect();
    let mut all: Vec<&str> = matched.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    let root_of = |(source, matched): (&Source, &Option<&str>)| {
        let path = source.path();
        if source.data.is_table || source.file.is_none() && source.text.is_some() {
            return path.to_owned();
        }
        if let Some(root) = matched {
            return (*root).to_owned();
        }
        let round =
            all.iter().filter(|root| !root.is_empty() && below(path, root)).max_by_key(|root| root.len());
        match round {
            Some(root) if source.data.runs.is_empty() && source.data.campaign.is_none() => (*root).to_owned(),
            _ => directory(path).to_owned(),
        }
    };
    sources.iter().zip(&matched).map(root_of).collect()
}

fn collect(sources: &[Source], of_source: &[Vec<u32>], campaigns: &mut [CampaignEntry], out: &Resolved) {
    for entry in out.runs.iter() {
        campaigns[entry.campaign as usize].runs += 1;
    }
    for (index, list) in of_source.iter().enumerate() {
        let used = out.patterns[index].as_ref();
        for campaign in list {
            let entry = &mut campaigns[*campaign as usize];
            entry.sources.push(number(index));
            entry.is_table |= sources[index].data.is_table;
            if entry.pattern.is_none() && !sources[index].data.runs.is_empty() {
                entry.pattern = used.map(|used| (used.pattern.clone(), used.origin));
            }
        }
    }
}

/// The shortest tail of each root that no other campaign has.
fn name(named: &[Symbol], campaigns: &mut [CampaignEntry], out: &Resolved) {
    let shown: Vec<String> = campaigns.iter().map(|entry| visible_root(entry).to_owned()).collect();
    let said = |index: usize| named.get(index).and_then(|symbol| out.texts.get(*symbol));
    let mut depth: Vec<usize> = vec![1; campaigns.len()];
    loop {
        for (index, entry) in campaigns.iter_mut().enumerate() {
            entry.name = said(index).map_or_else(|| tail(&shown[index], depth[index]), str::to_owned);
        }
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in campaigns.iter() {
            *count.entry(&entry.name).or_default() += 1;
        }
        let longer: Vec<usize> = (0..campaigns.len())
            .filter(|index| count[campaigns[*index].name.as_str()] > 1 && said(*index).is_none())
            .filter(|index| tail(&shown[*index], depth[*index] + 1) != campaigns[*index].name)
            .collect();
        if longer.is_empty() {
            break;
        }
        for index in longer {
            depth[index] += 1;
        }
    }
    // Equal names that columns or the user gave in different places.
    for index in 0..campaigns.len() {
        let name = campaigns[index].name.clone();
        if campaigns[..index].iter().any(|other| other.name == name) {
            campaigns[index].name = format!("{} {name}", shown[index]).trim_start().to_owned();
        }
    }
}

/// The root as people know it: `.`, `..` and the empty path have a name, too.
fn visible_root(entry: &CampaignEntry) -> &str {
    let is_name = |part: &str| !matches!(part, "" | "." | "..");
    if entry.root.rsplit('/').next().is_some_and(is_name) { &entry.root } else { &entry.place }
}

/// The last parts of a path.
fn tail(path: &str, parts: usize) -> String {
    let mut all: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let skip = all.len().saturating_sub(parts);
    all.drain(..skip);
    all.join("/")
}

/// Names that the user gave to campaigns as they are shown.
fn rename(corrections: &Corrections, campaigns: &mut [CampaignEntry]) {
    let Some(names) = corrections.renames.get(&Key::Campaign) else { return };
    for entry in campaigns {
        if let Some(name) = names.get(&entry.name) {
            entry.name.clone_from(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_of_paths() {
        for (path, parts, expect) in
            [("a/b/c", 1, "c"), ("a/b/c", 2, "b/c"), ("a/b/c", 9, "a/b/c"), ("/a/b/", 1, "b"), ("", 1, "")]
        {
            assert_eq!(tail(path, parts), expect, "{path}");
        }
    }
}
