//! Maps of former bundles, in the cache.

use crate::api::map::{Map, MapIndex};
use crate::rustc::cache::{Cache, Key};

/// Stores a map in the cache, by its bundle's digest and as the last one.
pub fn remember(map: &Map, cache: &Cache) {
    cache.put("map", &key(&map.sha256), map.json().as_bytes());
    cache.put("last", &key("last"), map.sha256.as_bytes());
}

/// Loads the map of the bundle with this digest, or of the last bundle.
pub fn remembered(cache: &Cache, sha256: Option<&str>) -> Option<MapIndex> {
    let last = || String::from_utf8(cache.get("last", &key("last"))?).ok();
    let sha256 = sha256.map(str::to_owned).or_else(last)?;
    Map::read(&cache.get("map", &key(&sha256))?).ok()
}

fn key(what: &str) -> Key {
    Key::of(&[what.as_bytes()])
}
