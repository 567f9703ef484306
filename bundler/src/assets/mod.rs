//! Embeds the files of `include_bytes!` in the bundle as text.
//!
//! [`crate::read::strip`] leaves `include_bytes!` with an absolute path, because it is not yet known which files are live.
//! [`taken_in`] then chooses an encoding for all of them together, since they share decoders: a byte string, packed
//! characters ([`radix`]), or entropy coding followed by packing ([`coder`]). The choice is the same in every form of
//! the program.
//!
//! A file used only at run time is decoded on first use. A file used in a constant or static must be decoded by the
//! compiler, which is fast for packed characters but too slow for the entropy coder.

pub mod coder;
pub mod holders;
pub mod places;
pub mod probe;
pub mod radix;
mod write;

use crate::api::bundle::{thousands, Asset};
use crate::api::error::Error;
use crate::api::options::Limit;
use crate::prune::reach::{self, prune, Kills};
use crate::rustc::cache::Cache;
use crate::syntax::parsed::Parsed;
use crate::syntax::text::{Edits, Files, Text};
use crate::syntax::visibility::demote;
use holders::{holders, Holder};
use places::{places, places_of, Place};
use radix::Alphabet;
use std::rc::Rc;
use write::Library;

/// A larger file is refused before it is coded: as a multiple of the limit, and in bytes.
const MOST_FOLD: usize = 200;
const MOST_BYTES: usize = 32 << 20;

/// A text with its files embedded.
#[derive(Debug)]
pub struct Embedded {
    /// The text without `include_bytes!`.
    pub whole: Text,
    /// The live part of the text.
    pub reached: Text,
    /// The live files.
    pub assets: Vec<Asset>,
    /// Whether any static became a function.
    pub functions: bool,
}

impl Embedded {
    /// A text without files.
    pub fn without(whole: Text, reached: Text) -> Embedded {
        Embedded { whole, reached, assets: Vec::new(), functions: false }
    }
}

/// One file content, which several places may embed.
struct Content {
    bytes: Rc<Vec<u8>>,
    path: String,
    /// Number of live places that embed it.
    live: usize,
    /// Whether one of them is a constant context.
    constant: bool,
}

/// Finds the live part of `whole` and embeds its files.
///
/// With `functions`, statics that only hold a file become functions. The result may not compile then.
///
/// # Errors
/// If a live file can never fit the limit.
pub fn taken_in(
    whole: &Parsed,
    limit: Limit,
    files: &Files,
    cache: &Cache,
    functions: bool,
) -> Result<Embedded, Error> {
    let reached = reach::reached(whole);
    let embedded = embedded(whole, &reached, limit, files, cache, functions)?;
    Ok(embedded.unwrap_or_else(|| Embedded::without(whole.text().clone(), whole.text().behind(reached))))
}

/// Embeds the files; `None` without files.
fn embedded(
    whole: &Parsed,
    reached: &Text,
    limit: Limit,
    files: &Files,
    cache: &Cache,
    functions: bool,
) -> Result<Option<Embedded>, Error> {
    let unit = limit.unit;
    let mut all = places(whole);
    if all.is_empty() {
        return Ok(None);
    }
    let named = places_of(reached);
    let live: Vec<usize> =
        named.iter().filter_map(|p| reached.origin(p.range.start)).map(|origin| origin.offset).collect();
    let is_live = |p: &Place| live.contains(&p.range.start);
    let most = limit.size.saturating_mul(MOST_FOLD).min(MOST_BYTES);
    if let Some(place) = all.iter().find(|p| p.bytes.len() > most && is_live(p)) {
        return Err(Error::Refused {
            place: whole.text().point(place.range.start, files).unwrap_or_default(),
            why: format!(
                "{} has {} bytes, which no encoding brings within a limit of {} {}.\n  \
                 Embed a smaller file, or compute its content when the program starts.",
                crate::syntax::text::shown(std::path::Path::new(&place.path)),
                thousands(place.bytes.len()),
                thousands(limit.size),
                unit.name()
            ),
        });
    }
    let mut held = if functions { holders(whole, &all) } else { Vec::new() };
    held.retain(|h| is_live(&all[h.place]));
    for holder in &held {
        all[holder.place].run_time = true;
    }
    let contents = contents(&all, is_live);
    let library = Library::new(&whole.tokens(), Alphabet::for_unit(unit), unit, cache.clone());
    let forms = library.choose(&contents);
    let mut edits = Edits::default();
    let form = |place: &Place| contents.iter().position(|c| c.bytes == place.bytes).map(|i| &forms[i]);
    held.retain(|h| form(&all[h.place]).is_some_and(|f| f.method.at_run_time()));
    for (_, place) in all.iter().enumerate().filter(|(i, _)| held.iter().all(|h| h.place != *i)) {
        edits.replace(place.range.clone(), library.mention(form(place), place));
    }
    for holder in &held {
        let place = &all[holder.place];
        replace(whole.text(), holder, place.bytes.len(), &library.mention(form(place), place), &mut edits);
    }
    let library = demote(&Text::generated(library.module(&forms)));
    let of_reached = edits.of_part(reached);
    let mut text = whole.text().edited(edits);
    text.push(&library);
    let assets = contents.iter().zip(&forms).map(|(c, f)| Asset {
        path: crate::syntax::text::shown(std::path::Path::new(&c.path)),
        raw: c.bytes.len(),
        bundled: f.size(c, unit),
        method: f.method,
    });
    let assets = assets.collect();
    // The whole text is many times as large.
    let of_reached = of_reached.and_then(|edits| {
        let mut part = reached.edited(edits);
        part.push(&library);
        Some(whole.text().behind(prune(&part, &Kills::default())?))
    });
    let reached = of_reached.or_else(|| prune(&text, &Kills::default())).unwrap_or_else(|| text.clone());
    Ok(Some(Embedded { whole: text, reached, assets, functions: !held.is_empty() }))
}

/// The live contents, ordered by their first place.
fn contents(all: &[Place], is_live: impl Fn(&Place) -> bool) -> Vec<Content> {
    let mut out: Vec<Content> = Vec::new();
    for place in all.iter().filter(|p| is_live(p)) {
        match out.iter_mut().find(|c| c.bytes == place.bytes) {
            Some(content) => {
                content.live += 1;
                content.constant |= !place.run_time;
            }
            None => out.push(Content {
                bytes: place.bytes.clone(),
                path: place.path.clone(),
                live: 1,
                constant: !place.run_time,
            }),
        }
    }
    out
}

/// Replaces a holder by a function and its mentions by calls.
fn replace(text: &Text, holder: &Holder, size: usize, call: &str, edits: &mut Edits) {
    edits.insert(holder.start, "#[allow(non_snake_case)] ");
    edits.replace(holder.item.clone(), holder.function(size, call));
    for (range, how) in &holder.mentions {
        let path = &text.as_str()[range.clone()];
        edits.replace(range.clone(), holder.mention(*how, path, size));
    }
}
