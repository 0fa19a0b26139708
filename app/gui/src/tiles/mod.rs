//! The tiles in the middle: what each shows, how they lie, and the data they were given.

mod behavior;
mod chart_view;
mod data;
mod header;
mod menu;
mod readout;
mod scene;
mod states;
mod time;

pub use behavior::{tiles_ui, view_title};
pub use chart_view::{selected, step};
pub use data::request_data;
pub use menu::svg_of;
pub use readout::Readout;

use crate::action::Place;
use crate::state::TileQuery;
use crate::theme::Theme;
use egui_tiles::{Container, Linear, LinearDir, Tile as Node, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};
use triptych_report::{Marker, Verdict};

/// The mark of a verdict and its colour: triangles, bars, dot or ring, never colour alone.
pub fn verdict_mark(verdict: Verdict, theme: &Theme) -> (Marker, egui::Color32) {
    match verdict {
        Verdict::Faster => (Marker::TriangleUp, theme.faster),
        Verdict::Slower => (Marker::TriangleDown, theme.slower),
        Verdict::Same => (Marker::TwoBars, theme.same),
        Verdict::NotShown => (Marker::Dot, theme.not_shown),
        Verdict::TooFew => (Marker::DashedRing, theme.not_shown),
    }
}

/// What a tile can show, with one line about it: every chart of the table, and the table itself.
pub fn views() -> impl Iterator<Item = (&'static str, &'static str)> {
    let charts = triptych_report::CHARTS.iter().map(|chart| (chart.spec().id, chart.spec().help));
    charts.chain([("table", "the triples, a row each")])
}

/// One tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tile {
    /// Unique in the layout, never used again.
    pub id: u64,
    /// Chart id, or `table`.
    pub view: String,
    /// Whether it follows the window's query.
    pub query: TileQuery,
    /// For charts of one run: the run's id; `None`: the `nth` run that has what the chart needs.
    pub run: Option<String>,
    /// Which of the runs it takes where none is named.
    pub nth: usize,
    /// Whether its time axis and cursor are shared.
    pub linked: bool,
    /// Legend entries that are hidden.
    pub hidden: Vec<String>,
}

impl Tile {
    /// A tile that follows the window.
    pub fn new(id: u64, view: &str) -> Self {
        Self {
            id,
            view: view.to_owned(),
            query: TileQuery::Follow,
            run: None,
            nth: 0,
            linked: true,
            hidden: Vec::new(),
        }
    }
}

/// The tree of tiles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// How they lie.
    pub tree: Tree<Tile>,
    next_id: u64,
}

impl Default for Layout {
    /// Triples and cold against hot above, two CPU loads below.
    fn default() -> Self {
        let mut tiles = Tiles::default();
        let mut second = Tile::new(4, "cpu-load");
        second.nth = 1;
        let above = [Tile::new(1, "triples"), Tile::new(2, "cold-hot")].map(|tile| tiles.insert_pane(tile));
        let below = [Tile::new(3, "cpu-load"), second].map(|tile| tiles.insert_pane(tile));
        let above = row(&mut tiles, above, 0.63);
        let below = row(&mut tiles, below, 0.5);
        let mut column = Linear::new(LinearDir::Vertical, vec![above, below]);
        column.shares.set_share(above, 0.6);
        column.shares.set_share(below, 0.4);
        let root = tiles.insert_container(Container::Linear(column));
        Self { tree: Tree::new(egui::Id::unique("tiles"), root, tiles), next_id: 5 }
    }
}

impl Layout {
    /// Where no source knows the CPU load: triples and cold against hot, with all the room.
    pub fn without_load() -> Self {
        let mut tiles = Tiles::default();
        let both = [Tile::new(1, "triples"), Tile::new(2, "cold-hot")].map(|tile| tiles.insert_pane(tile));
        let root = row(&mut tiles, both, 0.63);
        Self { tree: Tree::new(egui::Id::unique("tiles"), root, tiles), next_id: 5 }
    }
}

fn row(tiles: &mut Tiles<Tile>, [first, second]: [TileId; 2], share: f32) -> TileId {
    let mut linear = Linear::new(LinearDir::Horizontal, vec![first, second]);
    linear.shares.set_share(first, share);
    linear.shares.set_share(second, 1.0 - share);
    tiles.insert_container(Container::Linear(linear))
}

impl Layout {
    /// All tiles in the order of the tree's storage.
    pub fn panes(&self) -> impl Iterator<Item = &Tile> {
        self.tree.tiles.tiles().filter_map(|node| match node {
            Node::Pane(tile) => Some(tile),
            Node::Container(_) => None,
        })
    }

    /// The tile of an id.
    pub fn pane(&self, id: u64) -> Option<&Tile> {
        self.panes().find(|tile| tile.id == id)
    }

    /// The tile of an id, to change it.
    pub fn pane_mut(&mut self, id: u64) -> Option<&mut Tile> {
        self.tree.tiles.tiles_mut().find_map(|node| match node {
            Node::Pane(tile) if tile.id == id => Some(tile),
            _ => None,
        })
    }

    fn node_of(&self, id: u64) -> Option<TileId> {
        self.tree.tiles.iter().find_map(|(node, tile)| match tile {
            Node::Pane(pane) if pane.id == id => Some(*node),
            _ => None,
        })
    }

    /// Puts a tile beside, below or behind another, or at the right end; returns its id.
    pub fn add(&mut self, mut tile: Tile, beside: Option<u64>, place: Place) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        tile.id = id;
        let new = self.tree.tiles.insert_pane(tile);
        let target = beside.and_then(|id| self.node_of(id)).or_else(|| self.tree.root());
        let Some(target) = target else {
            self.tree = Tree::new(egui::Id::unique("tiles"), new, std::mem::take(&mut self.tree.tiles));
            return id;
        };
        let parent = self.tree.tiles.parent_of(target);
        let container = match place {
            Place::Right => Container::new_horizontal(vec![target, new]),
            Place::Below => Container::new_vertical(vec![target, new]),
            Place::Tab => Container::new_tabs(vec![target, new]),
        };
        let group = self.tree.tiles.insert_container(container);
        match parent {
            Some(parent) => self.replace_child(parent, target, group),
            None => self.tree.root = Some(group),
        }
        if place == Place::Tab {
            self.tree.make_active(|node, _| node == new);
        }
        id
    }

    fn replace_child(&mut self, parent: TileId, old: TileId, new: TileId) {
        if let Some(Node::Container(container)) = self.tree.tiles.get_mut(parent) {
            match container {
                Container::Linear(linear) => {
                    linear.shares.replace_with(old, new);
                    replace(&mut linear.children, old, new);
                }
                Container::Tabs(tabs) => {
                    replace(&mut tabs.children, old, new);
                    if tabs.active == Some(old) {
                        tabs.set_active(new);
                    }
                }
                Container::Grid(_) => {}
            }
        }
    }

    /// Takes a tile away.
    pub fn close(&mut self, id: u64) {
        if let Some(node) = self.node_of(id) {
            self.tree.remove_recursively(node);
        }
    }
}

fn replace(children: &mut [TileId], old: TileId, new: TileId) {
    for child in children {
        if *child == old {
            *child = new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_added_and_closed() {
        let mut layout = Layout::default();
        assert_eq!(layout.panes().count(), 4);
        let id = layout.add(Tile::new(0, "table"), Some(2), Place::Tab);
        assert_eq!(layout.pane(id).map(|tile| tile.view.as_str()), Some("table"));
        for id in [1, 2, 3, 4, id] {
            layout.close(id);
        }
        assert_eq!(layout.panes().count(), 0);
        layout.add(Tile::new(0, "triples"), None, Place::Right);
        assert_eq!(layout.panes().count(), 1);
    }

    #[test]
    fn a_layout_survives_saving() {
        let layout = Layout::default();
        let text = serde_json::to_string(&layout).expect("serialises");
        assert_eq!(serde_json::from_str::<Layout>(&text).expect("reads back"), layout);
    }
}
