//! What lints do not report: impls, derived traits, methods of traits and macro invocations that nothing needs.
//!
//! The [`probe`] says which functions the program really has. All of the rest is removed in one go; where
//! types need it although nothing calls it, the text does not compile, and what the messages name is put back.

use crate::error::Error;
use crate::reach::{pruned, Kills};
use crate::repair::{blanks, Repair};
use crate::rustc::{Checker, Outcome};
use crate::sites::{Site, SiteId, Sites, What};
use crate::text::{Files, Text};
use crate::tokens::Tokens;
use crate::unseen::{self, Unseen};
use crate::{hollow, lints, probe};
use std::collections::BTreeSet;
use std::path::Path;

/// How often something may be put back before all is.
const ROUNDS: usize = 40;
/// Traits whose impls mean something although no function of theirs is called, or whose absence changes code silently.
const MEANINGFUL: &[&str] = &["Drop", "Deref", "GlobalAlloc", "Copy"];

/// What says that something is unused: each may be wrong where the ones after it are right, and finds more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// The code does not hold it.
    Code,
    /// The code does not hold it, and rustc would refuse a program that needs it: not what std asks for behind its back,
    /// such as `Eq` of what an `Rc` holds, and not what has something else to fall back on.
    Errors,
    /// rustc's lints say so.
    Lints,
}

impl Means {
    /// What to rely on if the code of the program differs.
    pub fn safer(self) -> Option<Means> {
        match self {
            Means::Code => Some(Means::Errors),
            Means::Errors => Some(Means::Lints),
            Means::Lints => None,
        }
    }

    /// What goes, as said to people.
    pub fn said(self) -> &'static str {
        match self {
            Means::Code => "what the code does not hold",
            Means::Errors => "what the code does not hold and nothing else can stand for",
            Means::Lints => "what rustc calls unused",
        }
    }

    /// As a kind of entry in the cache.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Means::Code => "trimmed",
            Means::Errors => "safer",
            Means::Lints => "linted",
        }
    }
}

/// What was put back: not to be tried again.
#[derive(Debug, Default)]
struct Needed(BTreeSet<String>);

/// Removes what is unused, by generated code and by lints in turn, given what came of compiling `text`.
pub fn smallest(
    mut text: Text,
    outcome: Outcome,
    means: Means,
    checker: &Checker,
    notes: &mut Vec<String>,
) -> Result<Text, Error> {
    let mut outcome = Some(outcome);
    if let Some(next) = unseen::decided(&text) {
        let after = checker.check(next.as_str())?;
        if after.ok {
            text = next;
            outcome = Some(after);
        }
    }
    let mut needed = Needed::default();
    let mut again = false;
    loop {
        let step = match means {
            Means::Lints => None,
            means => trimmed(&text, means, checker, &mut needed, notes)?,
        };
        let done = step.is_none();
        if let Some((next, after)) = step {
            text = next;
            outcome = Some(after);
            // Of a smaller program errors say more clearly what is needed: once more.
            if !std::mem::replace(&mut again, true) {
                needed = Needed::default();
            }
        }
        if let Some(after) = outcome.take() {
            text = lints::trimmed(text, after, checker, notes)?;
        }
        if done {
            return Ok(text);
        }
    }
}

/// Removes what nothing needs, given a text that compiles; `None` if there is no such thing.
fn trimmed(
    text: &Text,
    means: Means,
    checker: &Checker,
    needed: &mut Needed,
    notes: &mut Vec<String>,
) -> Result<Option<(Text, Outcome)>, Error> {
    let Ok(tokens) = Tokens::read(text.as_str()) else {
        return Ok(None);
    };
    let sites = Sites::read(&tokens);
    let probe = probe::Probe::new(text.as_str(), &tokens, &sites);
    let Some(lines) = checker.instantiated(&probe.text)? else {
        notes.push("kept what only generated code shows to be unused: the probe did not compile".into());
        return Ok(None);
    };
    let live = probe.live(&sites, &lines);
    let unseen = Unseen::read(text);
    let depends_on_target = depends_on_target(text.as_str());
    let live = &live.sites;
    let choice = Choice { means, text, sites: &sites, live, unseen: &unseen, needed, depends_on_target };
    let out = choice.unneeded();
    if out.is_empty() {
        return Ok(None);
    }
    // A copy whose origins are places in `text`, to find out what an error is about.
    let plain = Text::of_file(Files::default().add(Path::new(""), ""), text.as_str().to_owned());
    let mut out = out;
    for _ in 0..ROUNDS {
        let Some(next) = cut(&plain, &sites, &out) else { break };
        let outcome = checker.check(next.as_str())?;
        if outcome.ok {
            let Some(next) = cut(text, &sites, &out) else { break };
            let solid = |t: &Text| t.as_str().bytes().filter(|b| !b.is_ascii_whitespace()).count();
            // Without this, what cannot be cut would be tried for ever.
            let less = solid(&next) < solid(text);
            return Ok(less.then_some((next, outcome)));
        }
        let back = Repair { sites: &sites, out: &out, before: text.as_str(), after: &next }
            .back(&outcome.diagnostics);
        for id in &back {
            out.remove(id);
            needed.0.insert(identity(text, &sites, *id));
        }
        // What must be there need not do anything.
        let choice = Choice { means, text, sites: &sites, live, unseen: &unseen, needed, depends_on_target };
        let hollow = back.iter().map(|id| id + 1).filter(|id| choice.may_be_hollow(*id, &out));
        let hollow: Vec<SiteId> = hollow.collect();
        out.extend(hollow);
        if out.is_empty() {
            return Ok(None);
        }
    }
    notes.push("kept what only generated code shows to be unused: too much of it is needed after all".into());
    Ok(None)
}

/// The text without some sites and what only they named.
fn cut(text: &Text, sites: &Sites, out: &BTreeSet<SiteId>) -> Option<Text> {
    let mut kills = Kills::default();
    let by_name = |s: &Site| s.what == What::Fn && s.within.is_none();
    kills.names = out.iter().map(|&id| &sites.list[id]).filter(|s| by_name(s)).map(|s| s.name_at).collect();
    let blanked = text.edited(blanks(text.as_str(), sites, out));
    pruned(&blanked, &kills)
}

/// What a site is called from one text to the next: its own head and that of what it stands in.
fn identity(text: &Text, sites: &Sites, id: SiteId) -> String {
    let site = &sites.list[id];
    let whole = text.as_str().get(site.range.clone()).unwrap_or("");
    let about: Vec<&str> = site.about.iter().map(String::as_str).collect();
    let owner = site.owner.map(|o| &sites.list[o]).filter(|o| o.what != What::Mod);
    let owner = owner.map(|o| format!("{} {}", o.tr.as_deref().unwrap_or(""), o.name)).unwrap_or_default();
    let head = whole.split('{').next().unwrap_or("");
    format!("{:?} {} {} {owner} {head}", site.what, about.join(" "), site.name)
}

/// Whether a program asks at run time what it is compiled for: then it has other functions elsewhere.
fn depends_on_target(source: &str) -> bool {
    let asks = source.match_indices("cfg!").map(|(at, _)| source.get(at + 4..).unwrap_or("").trim_start());
    asks.into_iter().any(|rest| !rest.starts_with("(debug_assertions)"))
}

struct Choice<'a> {
    means: Means,
    text: &'a Text,
    sites: &'a Sites,
    live: &'a BTreeSet<SiteId>,
    unseen: &'a Unseen,
    needed: &'a Needed,
    depends_on_target: bool,
}

impl Choice<'_> {
    fn unneeded(&self) -> BTreeSet<SiteId> {
        let mut out = BTreeSet::new();
        let ids = 0..self.sites.list.len();
        // Impls first: whether a method of a trait is called depends on what is left of them.
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
                What::Hollow => self.is_never_run(id, &out),
                What::Element => self.element_is_unneeded(id, &out),
                _ => false,
            };
            if gone && self.may_go(id) {
                out.insert(id);
            }
        }
        // What holds nothing more.
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
            && !self.unseen.hides(site.range.start)
            && !self.unseen.may_need(site)
            && !self.needed.0.contains(&identity(self.text, self.sites, id))
    }

    /// Whether std may do otherwise without it, rather than not compile: a derive or an impl that has no function to call.
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
                let mut made = self.sites.made(of);
                made.any(|(i, s)| s.what == What::Impl && self.is_asked_for_silently(i))
            }),
            _ => false,
        }
    }

    /// Whether an invocation makes impls, or nothing at all any more.
    fn makes_impls(&self, call: &Site) -> bool {
        let Some(of) = probe::meant(self.sites, call) else { return false };
        let made = || self.sites.made(of);
        let nothing = call.within.is_none()
            && made().all(|(_, s)| s.what == What::Call && s.name == call.name)
            && self.is_hollow(of);
        nothing || made().any(|(_, s)| s.what == What::Impl)
    }

    /// Whether the arms of a macro hold nothing but invocations.
    fn is_hollow(&self, of: SiteId) -> bool {
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
        let empty = ours.is_some_and(|(i, _)| self.sites.inside(i).next().is_none());
        plain.contains(&site.name.as_str()) || empty
    }

    /// Whether a site says of itself that it is not compiled, anywhere.
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
        // Of a trait of ours, the method goes everywhere or where it hides the trait's own.
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

    /// Whether every impl of a trait has its own of a method that the trait has too.
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

    /// Whether other elements of a list are in the program, and this one is not.
    fn element_is_unneeded(&self, id: SiteId, out: &BTreeSet<SiteId>) -> bool {
        let Some(call) = self.sites.list[id].owner else { return false };
        let one_lives = self.sites.inside(call).any(|(i, _)| self.live.contains(&i));
        one_lives && !self.live.contains(&id) && !out.contains(&call)
    }

    fn may_be_hollow(&self, id: SiteId, out: &BTreeSet<SiteId>) -> bool {
        self.sites.list.get(id).is_some_and(|s| s.what == What::Hollow)
            && self.is_never_run(id, out)
            && self.may_go(id)
    }

    /// Whether an impl must have a method that is in no program, so that it need not do anything.
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
            && hollow::hollow(self.text.as_str(), self.sites.list[function].at, &site.range).is_some()
    }

    fn owner_is(&self, site: &Site, what: impl Fn(&Site) -> bool) -> bool {
        site.owner.is_some_and(|o| what(&self.sites.list[o]))
    }

    /// Functions that are there for more than being called.
    fn is_special(&self, site: &Site) -> bool {
        let whole = self.text.as_str().get(site.range.clone()).unwrap_or("");
        let (attributes, rest) = whole.split_at((site.at - site.range.start).min(whole.len()));
        let head = rest.split("fn ").next().unwrap_or("");
        // Those that the compiler evaluates are in no program; its lints know about them.
        let constant = head.contains("const") && site.within.is_none();
        let symbol = ["no_mangle", "export_name", "used", "panic_handler", "test"];
        constant || site.name == "main" || symbol.iter().any(|s| attributes.contains(s))
    }
}
