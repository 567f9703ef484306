//! Files that the source takes in as bytes, put into the bundle as text.
//!
//! Until it is known which of them are live, [`crate::strip`] leaves `include_bytes!` with an absolute path. Then
//! [`embed`] chooses for all of them together, since they share their decoders: a byte string, packed characters
//! ([`radix`]), or an entropy coder before that ([`coder`]). The choice is the same in every form of the program.
//!
//! What only run time reaches is decoded on first use. What a constant or static names must be known to the compiler,
//! which decodes packed characters quickly, but not what the entropy coder makes.

pub mod coder;
pub mod places;
pub mod radix;
mod write;

use crate::options::Unit;
use crate::text::{Edits, Origin, Text};
use places::{places, Place};
use radix::Alphabet;
use serde::Serialize;
use std::collections::BTreeMap;
use std::rc::Rc;
use write::Library;

/// A file in a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Asset {
    /// The file, as the user would write it.
    pub path: String,
    /// Its bytes.
    pub raw: usize,
    /// What it takes in the bundle, in the limit's unit and without the decoder.
    pub bundled: usize,
    /// How it is written.
    pub method: Method,
}

/// How a file is written in a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// As a byte string.
    Literal,
    /// In packed characters, which the compiler decodes.
    Constant,
    /// In packed characters, decoded on first use.
    Packed,
    /// Entropy-coded, decoded on first use.
    Coded,
}

impl Method {
    /// As said to people.
    pub fn name(self) -> &'static str {
        match self {
            Method::Literal => "byte string",
            Method::Constant => "packed, decoded by the compiler",
            Method::Packed => "packed, decoded on first use",
            Method::Coded => "entropy-coded, decoded on first use",
        }
    }
}

/// What came of putting files into a text.
#[derive(Debug)]
pub struct Embedded {
    /// The text without `include_bytes!`.
    pub text: Text,
    /// The files that are live.
    pub assets: Vec<Asset>,
}

/// One content, wherever it is taken in.
struct Content {
    bytes: Rc<Vec<u8>>,
    path: String,
    /// How many live places take it in.
    live: usize,
    /// Whether one of them is a constant.
    constant: bool,
}

/// Puts every file into `whole`, of which `reached` is what is live; `None` if there is none.
pub fn embed(whole: &Text, reached: &Text, unit: Unit) -> Option<Embedded> {
    let all = places(whole);
    if all.is_empty() {
        return None;
    }
    let live: Vec<Origin> = places(reached).iter().filter_map(|p| reached.origin(p.range.start)).collect();
    let is_live = |p: &Place| whole.origin(p.range.start).is_some_and(|o| live.contains(&o));
    let mut contents: BTreeMap<&[u8], Content> = BTreeMap::new();
    for place in all.iter().filter(|p| is_live(p)) {
        let content = contents.entry(&place.bytes).or_insert_with(|| Content {
            bytes: place.bytes.clone(),
            path: place.path.clone(),
            live: 0,
            constant: false,
        });
        content.live += 1;
        content.constant |= !place.run_time;
    }
    let mut contents: Vec<Content> = contents.into_values().collect();
    let order = |bytes: &Vec<u8>| all.iter().position(|p| *p.bytes == *bytes);
    contents.sort_by_key(|c| order(&c.bytes));
    let library = Library::new(whole, Alphabet::for_unit(unit), unit);
    let forms = library.choose(&contents);
    let mut edits = Edits::default();
    for place in &all {
        let form = contents.iter().zip(&forms).find(|(c, _)| c.bytes == place.bytes).map(|(_, f)| f);
        edits.replace(place.range.clone(), library.mention(form, place));
    }
    let mut text = whole.edited(edits);
    text.push_str(&library.module(&forms));
    let assets = contents.iter().zip(&forms).map(|(c, f)| Asset {
        path: crate::text::shown(std::path::Path::new(&c.path)),
        raw: c.bytes.len(),
        bundled: f.size(c, unit),
        method: f.method,
    });
    Some(Embedded { text, assets: assets.collect() })
}
