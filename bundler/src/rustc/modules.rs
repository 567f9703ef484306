//! Splits a text into a file for each module, so that an incremental build compiles again only what has changed.
//!
//! rustc knows a place by its file, line and column: in one file, a line more makes all that follows new. The files have
//! the names of the modules, so programs that share libraries share most of them.

use crate::api::error::Error;
use crate::syntax::tokens::{Kind, Tokens};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

/// The folder of the files, below that of the text.
const FOLDER: &str = "modules";
/// Maximum length in bytes of a file's folder; what is nested deeper stays in the file around it. Each module's path holds
/// those around it, so this keeps paths within 4,096 bytes.
const LONGEST: usize = 80;

/// Writes the modules of a text into files below `folder`, each called `name`, and returns the rest of the text, which
/// names them. A text that can tell in which file it stands, or that includes files, stays whole.
///
/// # Errors
/// If a file cannot be written.
pub fn written<'a>(source: &'a str, name: &str, folder: &Path) -> Result<Cow<'a, str>, Error> {
    let Some((root, files)) = split(source, name) else { return Ok(Cow::Borrowed(source)) };
    for (module, text) in files {
        let place = folder.join(FOLDER).join(module);
        let path = place.join(name);
        let done = std::fs::create_dir_all(&place).and_then(|()| std::fs::write(&path, text));
        done.map_err(|source| Error::Write { path, source })?;
    }
    Ok(Cow::Owned(root))
}

/// The text without its modules, and the folder and text of each.
fn split(source: &str, name: &str) -> Option<(String, Vec<(String, String)>)> {
    let tokens = Tokens::read(source).ok()?;
    let asks = |i: usize| matches!(tokens.ident(i), Some("file" | "include" | "include_str"));
    if (0..tokens.len()).any(|i| asks(i) && tokens.is(i + 1, '!')) {
        return None;
    }
    let mut splitter = Splitter { tokens: &tokens, name, taken: HashMap::new(), files: Vec::new() };
    let root = splitter.without_modules(0..tokens.len(), 0..source.len(), "");
    Some((root, splitter.files))
}

struct Splitter<'a> {
    tokens: &'a Tokens<'a>,
    name: &'a str,
    /// How often each folder's name is wanted: `cfg` can choose between modules of one name.
    taken: HashMap<String, usize>,
    files: Vec<(String, String)>,
}

impl Splitter<'_> {
    /// The bytes of some tokens, with declarations for the modules among them; `folder` is that of the module around
    /// them, empty for the root.
    fn without_modules(&mut self, tokens: Range<usize>, bytes: Range<usize>, folder: &str) -> String {
        let source = self.tokens.source();
        let (mut out, mut at, mut i, mut public) = (String::new(), bytes.start, tokens.start, None);
        while i < tokens.end {
            let close = self.tokens.close(i);
            match self.tokens.get(i).map(|t| t.kind) {
                Some(Kind::Open(_)) => i = close,
                Some(Kind::Ident) if self.tokens.ident(i) == Some("pub") => public = Some(i),
                Some(Kind::Ident) if self.is_module(i, folder) => {
                    let first = public.filter(|&p| self.is_all_of_visibility(p, i)).unwrap_or(i);
                    let close = self.tokens.close(i + 2);
                    let place = |i: usize| self.tokens.get(i).map(|t| t.range.clone()).unwrap_or_default();
                    let (from, open, end) = (place(first).start, place(i + 2), place(close));
                    let inner = self.folder(folder, self.tokens.ident(i + 1).unwrap_or_default());
                    let text = self.without_modules(i + 3..close, open.end..end.start, &inner);
                    let up = if folder.is_empty() { FOLDER } else { ".." };
                    out.push_str(&source[at..from]);
                    out.push_str(&format!("#[path = \"{up}/{inner}/{}\"] ", self.name));
                    out.push_str(source[from..open.start].trim_end());
                    out.push(';');
                    self.files.push((inner, text));
                    at = end.end;
                    i = close;
                }
                _ => {}
            }
            i += 1;
        }
        out.push_str(&source[at..bytes.end]);
        out
    }

    /// Whether a module begins at token `i` whose content can be a file.
    fn is_module(&self, i: usize, outer: &str) -> bool {
        let name = self.tokens.ident(i + 1).filter(|name| outer.len() + name.len() < LONGEST);
        self.tokens.text(i) == "mod" && name.is_some() && self.tokens.is(i + 2, '{')
    }

    /// Whether nothing but a visibility stands from token `public` up to `end`.
    fn is_all_of_visibility(&self, public: usize, end: usize) -> bool {
        let restricted = self.tokens.is(public + 1, '(') && self.tokens.close(public + 1) + 1 == end;
        public + 1 == end || restricted
    }

    /// The folder of a module's file.
    fn folder(&mut self, outer: &str, name: &str) -> String {
        let path = if outer.is_empty() { name.to_owned() } else { format!("{outer}.{name}") };
        // Some file systems take `A` for `a`.
        let count = self.taken.entry(path.to_lowercase()).or_default();
        *count += 1;
        if *count == 1 {
            path
        } else {
            format!("{path}-{count}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_files() {
        let source =
            "mod a { pub(crate) mod b { fn f() { mod inside {} } } macro_rules! m { () => { mod c {} } } }\n\
            #[cfg(x)] pub mod a { fn g() {} }\nm! { mod d {} }\nfn main() {}";
        let (root, files) = split(source, "x.rs").unwrap();
        assert_eq!(
            root,
            "#[path = \"modules/a/x.rs\"] mod a;\n#[cfg(x)] #[path = \"modules/a-2/x.rs\"] pub mod a;\n\
            m! { mod d {} }\nfn main() {}"
        );
        let expected = [
            ("a.b", " fn f() { mod inside {} } "),
            ("a", " #[path = \"../a.b/x.rs\"] pub(crate) mod b; macro_rules! m { () => { mod c {} } } "),
            ("a-2", " fn g() {} "),
        ];
        assert_eq!(files, expected.map(|(folder, text)| (folder.to_owned(), text.to_owned())));
    }

    #[test]
    fn folders_differ_and_are_short() {
        let folders = |source: &str| {
            let (root, files) = split(source, "x.rs").unwrap();
            (root, files.into_iter().map(|(folder, _)| folder).collect::<Vec<_>>())
        };
        assert_eq!(folders("mod a { mod B {} mod b {} }").1, ["a.B", "a.b-2", "a"]);
        let deep = 200;
        let (root, nested) = folders(&format!("{}{}", "mod ab { ".repeat(deep), "}".repeat(deep)));
        assert_eq!(root, "#[path = \"modules/ab/x.rs\"] mod ab;");
        assert!(nested.len() > 20 && nested.iter().all(|folder| folder.len() <= LONGEST), "{nested:?}");
    }

    #[test]
    fn a_text_that_knows_its_file_stays_whole() {
        for own in ["file!()", "include!(\"a.rs\")", "std::include_str!(\"a\")"] {
            assert_eq!(split(&format!("mod a {{ fn f() {{ {own}; }} }}"), "x.rs"), None, "{own}");
        }
    }
}
