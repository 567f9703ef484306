//! Chooses the level of minification: the user's, or else the least that fits the limit.

use super::shrunk;
use crate::api::bundle::{LevelSize, Minified};
use crate::api::options::{Minify, Options};
use crate::syntax::text::Text;

/// Chooses the level for a readable text. `whole` is the bundle with a given form of the program in it.
///
/// The sizes at the levels below the highest follow from the text, so nothing is compiled. Names are shortened by the
/// compiler only, so without it the highest level is [`Minify::Space`].
pub fn choose(text: &Text, options: &Options, whole: impl Fn(&Text) -> Text) -> Minified {
    if let Some(level) = options.minify {
        return Minified::fixed(level);
    }
    let highest = if options.check { Minify::Names } else { Minify::Space };
    let mut over = Vec::new();
    for level in [Minify::Comments, Minify::Space].into_iter().filter(|level| *level < highest) {
        let size = options.limit.unit.size(whole(&shrunk(text.clone(), level)).as_str());
        if size <= options.limit.size {
            return Minified { level, fixed: false, over };
        }
        over.push(LevelSize { level, size });
    }
    Minified { level: highest, fixed: false, over }
}

/// The text with its comments and the marks of its files, if the site's bundles are for reading and it fits the limit.
pub fn readable(
    text: &Text,
    options: &Options,
    with_marks: impl Fn(&Text) -> Text,
    whole: impl Fn(&Text) -> Text,
) -> Option<(Text, Minified)> {
    let is_wanted = options.minify.is_none() && options.platform.as_ref().is_some_and(|p| p.is_readable());
    let readable = is_wanted.then(|| with_marks(text))?;
    let fits = options.limit.unit.size(whole(&readable).as_str()) <= options.limit.size;
    fits.then(|| (readable, Minified { level: Minify::None, fixed: false, over: Vec::new() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::options::{Limit, Unit};

    const TEXT: &str = "fn main() {\n\tg(\"é\");\n}\n";
    const HEADER: &str = "// é\n";

    fn chosen(size: usize, unit: Unit, options: Options) -> (Minify, Vec<usize>) {
        let options = Options { limit: Limit { size, unit }, ..options };
        let whole = |body: &Text| Text::generated(format!("{HEADER}{}", body.as_str()));
        let minified = choose(&Text::generated(TEXT), &options, whole);
        assert_eq!(minified.fixed, options.minify.is_some());
        let levels: Vec<Minify> = minified.over.iter().map(|over| over.level).collect();
        assert_eq!(levels, [Minify::Comments, Minify::Space][..levels.len()]);
        (minified.level, minified.over.iter().map(|over| over.size).collect())
    }

    #[test]
    fn the_least_level_that_fits_is_chosen() {
        for unit in [Unit::Bytes, Unit::Chars, Unit::Utf16] {
            let whole = |text: &str| unit.size(HEADER) + unit.size(text);
            let small = shrunk(Text::generated(TEXT), Minify::Space);
            let (plain, dense) = (whole(TEXT), whole(small.as_str()));
            assert!(dense < plain && (unit == Unit::Bytes) == (plain == HEADER.len() + TEXT.len()));
            let at = |size| chosen(size, unit, Options::default());
            assert_eq!(at(plain), (Minify::Comments, vec![]), "{unit:?}");
            assert_eq!(at(plain - 1), (Minify::Space, vec![plain]), "{unit:?}");
            assert_eq!(at(dense), (Minify::Space, vec![plain]), "{unit:?}");
            assert_eq!(at(dense - 1), (Minify::Names, vec![plain, dense]), "{unit:?}");
            // Whether the highest level fits is seen once it is made.
            assert_eq!(at(0), (Minify::Names, vec![plain, dense]), "{unit:?}");
        }
    }

    #[test]
    fn without_the_compiler_no_name_is_shortened() {
        let at = |size| chosen(size, Unit::Bytes, Options { check: false, ..Options::default() });
        assert_eq!(at(30), (Minify::Comments, vec![]));
        assert_eq!([at(29), at(0)], [(Minify::Space, vec![30]), (Minify::Space, vec![30])]);
    }

    #[test]
    fn a_level_can_be_fixed() {
        for level in [Minify::None, Minify::Comments, Minify::Space, Minify::Names] {
            let options = Options { minify: Some(level), ..Options::default() };
            assert_eq!(chosen(0, Unit::Bytes, options), (level, vec![]));
        }
    }
}
