//! Removes unneeded code that lints do not report: impls, derived traits, trait methods and macro invocations.
//!
//! The [`probe`] finds the functions that the program contains. All others are removed at once; where a type needs one
//! although nothing calls it, the text does not compile, and what rustc's errors name is restored.

use crate::api::error::Error;
use crate::prune::excluded::{self, Excluded};
use crate::prune::probe::Instantiated;
use crate::prune::reach::{prune, Kills};
use crate::prune::repair::{blanks, Repair};
use crate::prune::sites::{Site, SiteId, Sites, What};
use crate::prune::{kept, lints, probe, stub};
use crate::rustc::session::Session;
use crate::rustc::{Checker, Outcome};
use crate::syntax::text::{Files, Text};
use crate::syntax::tokens::Tokens;
use std::collections::BTreeSet;
use std::path::Path;

/// Maximum number of rounds in which sites are restored before the removal is given up.
const ROUNDS: usize = 40;
/// Traits whose impls matter even if none of their functions is called, or whose absence silently changes code.
const MEANINGFUL: &[&str] = &["Drop", "Deref", "GlobalAlloc", "Copy"];

/// The evidence that code is unused. Each finds more than the ones after it, and may be wrong where they are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// It was removed last time.
    LastTime,
    /// The compiled program does not contain it.
    Code,
    /// The compiled program does not contain it, and rustc would reject the program if it were needed. This excludes
    /// impls that std uses implicitly, such as `Eq` for the content of an `Rc`, and code with a fallback.
    Errors,
    /// rustc's lints report it.
    Lints,
}

impl Means {
    /// The next safer evidence, if removal has changed the program's code.
    pub fn safer(self) -> Option<Means> {
        match self {
            Means::LastTime => Some(Means::Code),
            Means::Code => Some(Means::Errors),
            Means::Errors => Some(Means::Lints),
            Means::Lints => None,
        }
    }

    /// The removed code, for messages.
    pub fn said(self) -> &'static str {
        match self {
            Means::LastTime => "what was removed last time",
            Means::Code => "code that the program does not contain",
            Means::Errors => "code that the program does not contain and that has no fallback",
            Means::Lints => "code that rustc reports as unused",
        }
    }

    /// The kind of its cache entries.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Means::LastTime => "again",
            Means::Code => "trimmed",
            Means::Errors => "safer",
            Means::Lints => "linted",
        }
    }
}

/// Number of rounds after which restored sites are not tried again: each compiles the program, and few would go.
const MANY: usize = 10;

/// Code that had to be restored.
#[derive(Debug, Default)]
struct Needed {
    /// The identities of the restored sites, which are not removed again.
    sites: BTreeSet<String>,
    /// The number of rounds that it took.
    rounds: usize,
}

/// Removes unused code, alternately by generated code and by lints; `outcome` is the result of compiling `text`.
pub fn remove_unused(
    mut text: Text,
    outcome: Outcome,
    means: Means,
    checker: &Checker,
    session: &Session<'_>,
) -> Result<Text, Error> {
    let mut outcome = Some(outcome);
    if let Some(next) = excluded::decided(&text) {
        let after = checker.check(next.as_str())?;
        if after.ok {
            text = next;
            outcome = Some(after);
        }
    }
    let mut needed = Needed::default();
    let mut known = None;
    let mut again = false;
    // An item that only the code removed next needs is no longer kept after that.
    let mut note = None;
    loop {
        let step = match means {
            Means::Lints => None,
            means => remove_unneeded(&text, means, checker, &mut needed, &mut known, session)?,
        };
        let done = step.is_none();
        if let Some((next, after)) = step {
            text = next;
            outcome = Some(after);
            // For a smaller program, errors show more clearly what is needed, so everything is tried once more.
            if !std::mem::replace(&mut again, true) && needed.rounds < MANY {
                needed = Needed::default();
            }
        }
        if let Some(after) = outcome.take() {
            let linted = lints::remove_reported(text, after, checker)?;
            note = linted.note();
            text = linted.text;
        }
        if done {
            session.note_all(note);
            session.note_all(known.and_then(|known| kept::note(&text, &known)));
            return lints::allow_in_debug_builds(text, checker);
        }
    }
}

/// Removes unneeded sites from a text that compiles; `None` if there are none. `known` is what the first probe found.
fn remove_unneeded(
    text: &Text,
    means: Means,
    checker: &Checker,
    needed: &mut Needed,
    known: &mut Option<Instantiated>,
    session: &Session<'_>,
) -> Result<Option<(Text, Outcome)>, Error> {
    let Ok(tokens) = Tokens::read(text.as_str()) else {
        return Ok(None);
    };
    let sites = Sites::read(&tokens);
    if known.is_none() {
        let probe = probe::Probe::new(text.as_str(), &tokens, &sites);
        let Some(lines) = checker.instantiated(&probe.text)? else {
            session.note(
                "kept code that only the compiled program shows to be unused: the probe did not compile",
            );
            return Ok(None);
        };
        *known = Some(Instantiated::new(text, &sites, &probe.live(&sites, &lines)));
    }
    let live = &known.as_ref().map(|known| known.sites(text, &sites)).unwrap_or_default();
    let excluded = Excluded::read(text);
    let depends_on_target = depends_on_target(text.as_str());
    let choice = Choice { means, text, sites: &sites, live, excluded: &excluded, needed, depends_on_target };
    let out = choice.removable();
    if out.is_empty() {
        return Ok(None);
    }
    // A copy whose origins are offsets in `text`, to find the sites that errors are about.
    let plain = Text::of_file(Files::default().add(Path::new(""), ""), text.as_str().to_owned());
    let mut out = out;
    for _ in 0..ROUNDS {
        let Some(next) = cut(&plain, &sites, &out) else { break };
        let outcome = checker.check(next.as_str())?;
        if outcome.ok {
            let Some(next) = cut(text, &sites, &out) else { break };
            let solid = |t: &Text| t.as_str().bytes().filter(|b| !b.is_ascii_whitespace()).count();
            // Otherwise sites that cannot be cut would be tried forever.
            let less = solid(&next) < solid(text);
            return Ok(less.then_some((next, outcome)));
        }
        needed.rounds += 1;
        let repair =
            Repair { sites: &sites, out: &out, before: text.as_str(), tokens: &tokens, after: &next };
        let (back, also) = (repair.back(&outcome.diagnostics), repair.also_out(&outcome.diagnostics));
        out.extend(also);
        for id in &back {
            out.remove(id);
            needed.sites.insert(identity(text, &sites, *id));
        }
        // A restored method that is never called can be a stub, or a declaration.
        let choice =
            Choice { means, text, sites: &sites, live, excluded: &excluded, needed, depends_on_target };
        let stubs = back.iter().map(|id| id + 1).filter(|id| choice.may_lose_its_body(*id, &out));
        let stubs: Vec<SiteId> = stubs.collect();
        out.extend(stubs);
        if out.is_empty() {
            return Ok(None);
        }
    }
    session.note(
        "kept code that only the compiled program shows to be unused: too much of it is needed to compile",
    );
    Ok(None)
}

/// The text without some sites and the items that only they mention.
fn cut(text: &Text, sites: &Sites, out: &BTreeSet<SiteId>) -> Option<Text> {
    let mut kills = Kills::default();
    let by_name = |s: &Site| s.what == What::Fn && s.within.is_none();
    kills.names = out.iter().map(|&id| &sites.list[id]).filter(|s| by_name(s)).map(|s| s.name_at).collect();
    let blanked = text.edited(blanks(text.as_str(), sites, out));
    prune(&blanked, &kills)
}

/// Identifies a site across texts: by its own head and that of its owner.
fn identity(text: &Text, sites: &Sites, id: SiteId) -> String {
    let site = &sites.list[id];
    let whole = text.as_str().get(site.range.clone()).unwrap_or("");
    let about: Vec<&str> = site.about.iter().map(String::as_str).collect();
    let owner = site.owner.map(|o| &sites.list[o]).filter(|o| o.what != What::Mod);
    let owner = owner.map(|o| format!("{} {}", o.tr.as_deref().unwrap_or(""), o.name)).unwrap_or_default();
    let head = whole.split('{').next().unwrap_or("");
    format!("{:?} {} {} {owner} {head}", site.what, about.join(" "), site.name)
}

/// Whether a program tests its target with `cfg!`: then it contains other functions on other targets.
fn depends_on_target(source: &str) -> bool {
    let asks = source.match_indices("cfg!").map(|(at, _)| source.get(at + 4..).unwrap_or("").trim_start());
    asks.into_iter().any(|rest| !rest.starts_with("(debug_assertions)"))
}

struct Choice<'a> {
    means: Means,
    text: &'a Text,
    sites: &'a Sites,
    live: &'a BTreeSet<SiteId>,
    excluded: &'a Excluded,
    needed: &'a Needed,
    depends_on_target: bool,
}

impl Choice<'_> {
    fn removable(&self) -> BTreeSet<SiteId> {
        let mut out = BTreeSet::new();
        let ids = 0..self.sites.list.len();
        // Impls first: which trait methods are called depends on the impls that are left.
        for id in ids.clone() {
            let site = &self.sites.list[id];
            let gone = match site.what {
                What::Impl => site.tr.is_some() && self.impl_is_unneeded(id),
                What::Derive => self.derive_is_unneeded(id),
                What::Call => self.makes_impls(site) && !self.live.contains(&id),
                What::Bound => self.bound_is_unneeded(site),
                _ => false,
            };
            let gone = gone || self.is_ruled_out(site);
            if gone && self.may_go(id) {
                out.insert(id);
            }
        }
        for id in ids.clone() {
            let gone = match self.sites.list[id].what {
                What::Fn => self.function_is_unneeded(id),
                What::Body => self.body_is_unneeded(id, &out),
                What::Stub => self.is_never_run(id, &out),
                What::Element => self.element_is_unneeded(id, &out),
                _ => false,
            };
            if gone && self.may_go(id) {
                out.insert(id);
            }
        }
        // Containers that are now empty.
        for id in ids.rev() {
            let site = &self.sites.list[id];
            let holder = match site.what {
                What::Repeat => true,
                What::Impl => site.tr.is_none(),
                _ => site.name == "_",
            };
            let mut inside = self.sites.inside(id).peekable();
            if holder && inside.peek().is_some() && inside.all(|(i, _)| out.contains(&i)) {
                out.insert(id);
            }
        }
        out
    }

    fn may_go(&self, id: SiteId) -> bool {
        let site = &self.sites.list[id];
        if self.is_ruled_out(site) {
            return true;
        }
        let owner = site.owner.and_then(|o| self.sites.list[o].tr.as_deref());
        let meaningful = site.tr.as_deref().or(owner).is_some_and(|t| MEANINGFUL.contains(&t))
            || site.what == What::Derive && MEANINGFUL.contains(&site.name.as_str());
        let missed = self.means != Means::Errors || !self.is_asked_for_silently(id);
        !meaningful
            && missed
            && !self.excluded.hides(site.range.start)
            && !self.excluded.may_need(site)
            && !self.needed.sites.contains(&identity(self.text, self.sites, id))
    }

    /// Whether std may silently behave differently without it: a derive or an impl without functions of its own.
    fn is_asked_for_silently(&self, id: SiteId) -> bool {
        let site = &self.sites.list[id];
        let ours = |tr: &str| self.sites.named(tr).any(|(_, s)| s.what == What::Trait);
        match site.what {
            What::Derive => site.name == "Eq",
            What::Impl => {
                let foreign = site.tr.as_deref().is_some_and(|tr| !ours(tr));
                foreign && self.sites.inside(id).next().is_none()
            }
            What::Call => probe::meant(self.sites, site).is_some_and(|of| {
                let mut inside = self.sites.in_macro(of);
                inside.any(|(i, s)| s.what == What::Impl && self.is_asked_for_silently(i))
            }),
            _ => false,
        }
    }

    /// Whether an invocation generates impls, or no longer generates anything.
    fn makes_impls(&self, call: &Site) -> bool {
        let Some(of) = probe::meant(self.sites, call) else { return false };
        let inside = || self.sites.in_macro(of);
        let nothing = call.within.is_none()
            && inside().all(|(_, s)| s.what == What::Call && s.name == call.name)
            && self.is_empty_macro(of);
        nothing || inside().any(|(_, s)| s.what == What::Impl)
    }

    /// Whether the arms of a macro hold nothing but its own invocations.
    fn is_empty_macro(&self, of: SiteId) -> bool {
        let body = self.text.as_str().get(self.sites.list[of].range.clone()).unwrap_or("");
        let mut arms = body.split("=>").skip(1);
        arms.all(|arm| {
            let arm = arm.trim_start();
            let inside = arm.get(1..).unwrap_or("").trim_start();
            inside.starts_with(['}', ')']) || inside.starts_with(&format!("{}!", self.sites.list[of].name))
        })
    }

    fn bound_is_unneeded(&self, site: &Site) -> bool {
        // Not `Clone`: without it, `x.clone()` may copy the reference.
        let plain = ["Debug", "Display", "Error", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];
        let ours = self.sites.named(&site.name).find(|(_, s)| s.what == What::Trait);
        plain.contains(&site.name.as_str()) || ours.is_some_and(|(i, _)| self.trait_is_unused(i))
    }

    /// Whether the program contains no function of a trait, nor of its impls.
    fn trait_is_unused(&self, id: SiteId) -> bool {
        let name = Some(&self.sites.list[id].name);
        let impls =
            self.sites.list.iter().enumerate().filter(|(_, s)| s.what == What::Impl && s.tr.as_ref() == name);
        let mut all = impls.map(|(i, _)| i).chain([id]);
        !all.any(|i| self.alive_within(i))
    }

    /// Whether a site has `#[cfg(any())]`, so that it is never compiled.
    fn is_ruled_out(&self, site: &Site) -> bool {
        site.at > site.range.start
            && self.text.as_str().get(site.range.start..site.at).is_some_and(|a| a.contains("#[cfg(any())]"))
    }

    fn impl_is_unneeded(&self, id: SiteId) -> bool {
        !self.sites.inside(id).any(|(i, s)| {
            self.live.contains(&i) || matches!(s.what, What::Call | What::Repeat) && self.alive_within(i)
        })
    }

    fn alive_within(&self, id: SiteId) -> bool {
        self.live.contains(&id) || self.sites.inside(id).any(|(i, _)| self.alive_within(i))
    }

    fn derive_is_unneeded(&self, id: SiteId) -> bool {
        let site = &self.sites.list[id];
        let stays = |name: &str| {
            self.sites.named(name).any(|(i, s)| {
                s.what == What::Derive && s.owner == site.owner && (self.live.contains(&i) || name == "Copy")
            })
        };
        let implied = match site.name.as_str() {
            "Clone" => stays("Copy"),
            "Eq" => stays("Ord"),
            "PartialOrd" => stays("Ord"),
            "PartialEq" => stays("Ord") || stays("PartialOrd"),
            _ => false,
        };
        !self.live.contains(&id) && !implied
    }

    fn function_is_unneeded(&self, id: SiteId) -> bool {
        let site = &self.sites.list[id];
        if self.live.contains(&id) || self.is_special(site) {
            return false;
        }
        let mut owner = site.owner;
        while let Some(o) = owner.filter(|&o| self.sites.list[o].what == What::Repeat) {
            owner = self.sites.list[o].owner;
        }
        let Some(owner) = owner.map(|o| &self.sites.list[o]) else { return true };
        let tr = match owner.what {
            What::Trait => &owner.name,
            What::Impl => match &owner.tr {
                Some(tr) => tr,
                None => return true,
            },
            _ => return true,
        };
        // A method of a local trait is removed everywhere, or where it overrides the trait's default.
        let declared = |s: &Site| self.owner_is(s, |o| o.what == What::Trait && o.name == *tr);
        let all = || self.sites.named(&site.name).filter(|(_, s)| s.what == What::Fn);
        let Some((_, declaration)) = all().find(|(_, s)| declared(s)) else {
            return self.means == Means::Code;
        };
        let called = all().any(|(i, s)| {
            let of_trait = declared(s) || self.owner_is(s, |o| o.tr.as_ref() == Some(tr));
            of_trait && self.live.contains(&i)
        });
        !called || self.means == Means::Code && owner.what == What::Impl && declaration.open.is_some()
    }

    /// Whether no impl uses the default body of a trait's method.
    fn body_is_unneeded(&self, id: SiteId, out: &BTreeSet<SiteId>) -> bool {
        let site = &self.sites.list[id];
        let Some(tr) = site.owner.map(|o| &self.sites.list[o].name) else { return false };
        let own = |i: SiteId| {
            let mut inside = self.sites.inside(i);
            inside.any(|(_, s)| s.what == What::Fn && s.name == site.name)
        };
        let function = id.wrapping_sub(1);
        let mut impls = self.sites.list.iter().enumerate().filter(|(_, s)| s.tr.as_ref() == Some(tr));
        !self.live.contains(&function)
            && !out.contains(&function)
            && impls.all(|(i, _)| out.contains(&i) || own(i))
    }

    /// Whether the program contains other elements of the list but not this one.
    fn element_is_unneeded(&self, id: SiteId, out: &BTreeSet<SiteId>) -> bool {
        let Some(call) = self.sites.list[id].owner else { return false };
        let one_lives = self.sites.inside(call).any(|(i, _)| self.live.contains(&i));
        one_lives && !self.live.contains(&id) && !out.contains(&call)
    }

    /// Whether the body of a restored function can go: an impl's becomes a stub, a trait's goes unless an impl that rustc
    /// will name needs it.
    fn may_lose_its_body(&self, id: SiteId, out: &BTreeSet<SiteId>) -> bool {
        let gone = match self.sites.list.get(id).map(|s| s.what) {
            Some(What::Stub) => self.is_never_run(id, out),
            Some(What::Body) => !self.live.contains(&id.wrapping_sub(1)),
            _ => false,
        };
        gone && self.may_go(id)
    }

    /// Whether a method that an impl must have is never instantiated, so that it can be a stub.
    fn is_never_run(&self, id: SiteId, out: &BTreeSet<SiteId>) -> bool {
        let site = &self.sites.list[id];
        let function = id.wrapping_sub(1);
        let gone = |i: SiteId| out.contains(&i);
        self.means == Means::Code
            && !self.live.contains(&function)
            && !gone(function)
            && !site.owner.is_some_and(gone)
            && !self.is_special(&self.sites.list[function])
            && !self.depends_on_target
            && stub::edits(self.text.as_str(), self.sites.list[function].at, &site.range).is_some()
    }

    fn owner_is(&self, site: &Site, what: impl Fn(&Site) -> bool) -> bool {
        site.owner.is_some_and(|o| what(&self.sites.list[o]))
    }

    /// Whether a function has a purpose besides being called.
    fn is_special(&self, site: &Site) -> bool {
        let whole = self.text.as_str().get(site.range.clone()).unwrap_or("");
        let (attributes, rest) = whole.split_at((site.at - site.range.start).min(whole.len()));
        let head = rest.split("fn ").next().unwrap_or("");
        // The compiled program does not contain functions evaluated at compile time; lints cover them.
        let constant = head.contains("const") && site.within.is_none();
        let symbol = ["no_mangle", "export_name", "used", "panic_handler", "test"];
        constant || site.name == "main" || symbol.iter().any(|s| attributes.contains(s))
    }
}
