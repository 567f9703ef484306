//! The sites of a text, which are the pieces of code that can be removed by themselves, and their indexes.

use crate::prune::elements::elements;
use crate::prune::site_reader::read_sites;
use crate::syntax::tokens::Tokens;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// Index of a site in [`Sites`].
pub type SiteId = usize;

/// The kind of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// A function or method.
    Fn,
    /// An impl; of a trait if it has a `tr`.
    Impl,
    /// A trait.
    Trait,
    /// One trait in a `#[derive(…)]`.
    Derive,
    /// One supertrait in a trait's bounds.
    Bound,
    /// The default body of a trait's method, which an impl may override.
    Body,
    /// The body of a method in an impl of a trait.
    Stub,
    /// A macro invocation in item position.
    Call,
    /// One element of a list from which a macro generates impls.
    Element,
    /// A module.
    Mod,
    /// `$( … )*` around items in a macro's body.
    Repeat,
    /// A `macro_rules!`.
    Macro,
    /// Any other item.
    Other,
}

/// A piece of code that can be removed.
#[derive(Clone, Debug)]
pub struct Site {
    /// Kind of site.
    pub what: What,
    /// Name; for an impl the last segment of the type, for a derive the trait.
    pub name: String,
    /// For an impl of a trait: the last segment of the trait's path.
    pub tr: Option<String>,
    /// The names that an error about it would mention: for an impl those in the type, for a derive the type it is on,
    /// for an invocation its arguments.
    pub about: BTreeSet<String>,
    /// For an impl of a trait, the names in the trait's arguments; for an invocation, the first name in its arguments.
    pub arguments: BTreeSet<String>,
    /// Range, attributes included; for a derive only the trait.
    pub range: Range<usize>,
    /// The byte at which rustc places its definition: the first after the attributes.
    pub at: usize,
    /// The byte at which its name stands, if it has one.
    pub name_at: usize,
    /// The site that contains it.
    pub owner: Option<SiteId>,
    /// For a derive the attribute, for an element the whole list, for a bound all bounds with the colon.
    pub list: Range<usize>,
    /// The opening bracket of its body, if it has one.
    pub open: Option<usize>,
    /// The macro whose body contains it.
    pub within: Option<SiteId>,
}

/// The sites of one text; owners come before their contents.
pub struct Sites {
    /// All sites.
    pub list: Vec<Site>,
    /// The sites directly in each site.
    inside: Vec<Vec<SiteId>>,
    /// The sites in the body of each macro.
    in_macros: HashMap<SiteId, Vec<SiteId>>,
    /// The sites of each name.
    named: HashMap<String, Vec<SiteId>>,
}

impl Sites {
    /// Finds the sites of a text.
    pub fn read(tokens: &Tokens<'_>) -> Sites {
        let mut sites = Sites::of(read_sites(tokens));
        let elements = elements(tokens, &sites);
        if elements.is_empty() {
            return sites;
        }
        sites.list.extend(elements);
        Sites::of(sites.list)
    }

    fn of(list: Vec<Site>) -> Sites {
        let mut inside = vec![Vec::new(); list.len()];
        let mut in_macros: HashMap<SiteId, Vec<SiteId>> = HashMap::new();
        let mut named: HashMap<String, Vec<SiteId>> = HashMap::new();
        for (id, site) in list.iter().enumerate() {
            if let Some(owner) = site.owner {
                inside[owner].push(id);
            }
            if let Some(within) = site.within {
                in_macros.entry(within).or_default().push(id);
            }
            named.entry(site.name.clone()).or_default().push(id);
        }
        Sites { list, inside, in_macros, named }
    }

    /// The sites directly in a site, in order.
    pub fn inside(&self, owner: SiteId) -> impl Iterator<Item = (SiteId, &Site)> + Clone {
        self.of_ids(self.inside.get(owner))
    }

    /// The sites in the body of a macro, in order.
    pub fn in_macro(&self, within: SiteId) -> impl Iterator<Item = (SiteId, &Site)> + Clone {
        self.of_ids(self.in_macros.get(&within))
    }

    /// The sites of a name, in order.
    pub fn named(&self, name: &str) -> impl DoubleEndedIterator<Item = (SiteId, &Site)> + Clone {
        self.of_ids(self.named.get(name))
    }

    fn of_ids<'s>(
        &'s self,
        ids: Option<&'s Vec<SiteId>>,
    ) -> impl DoubleEndedIterator<Item = (SiteId, &'s Site)> + Clone {
        ids.into_iter().flatten().map(|&id| (id, &self.list[id]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> Vec<String> {
        let tokens = Tokens::read(source).unwrap();
        let sites = Sites::read(&tokens).list;
        sites
            .iter()
            .map(|s| {
                let about: Vec<&str> = s.about.iter().map(String::as_str).collect();
                let tr = s.tr.as_deref().unwrap_or("-");
                format!("{:?} {} {tr} {}", s.what, s.name, about.join("+"))
            })
            .collect()
    }

    #[test]
    fn impl_headers_are_read() {
        assert_eq!(
            shown("impl<T: Fn() -> u8, const N: usize> a::Tr<u8> for b::Ty<T, N> where T: X { fn f() {} const C: u8 = { 1 }; }
                impl Ty {} unsafe impl<T> Send for T {} mod m { pub(crate) const unsafe fn g() {} }"),
            ["Impl Ty Tr Ty+b", "Fn f - ", "Stub f - ", "Other C - ", "Impl Ty - Ty", "Impl T Send ", "Mod m - ", "Fn g - "]
        );
    }

    #[test]
    fn macro_bodies_have_sites() {
        assert_eq!(
            shown("macro_rules! m { ($t:ty) => { $(#[$m])* impl Tr for $t { $v fn f(&self) {} } }; (@x $($t:ident),*) => { $(impl U for $t {})* #[derive(Clone, fmt::Debug)] struct S; }; ($e:expr) => { $e + 1 } }
                m!(u8); a::m! { x y } #[derive(Copy)] pub struct Z(u8);"),
            ["Macro m - ", "Impl t Tr ", "Fn f - ", "Stub f - ", "Repeat  - ", "Impl t U ", "Other S - ", "Derive Clone - S", "Derive Debug - S",
             "Call m - u8", "Call m - x+y", "Other Z - ", "Derive Copy - Z"]
        );
    }
}
