//! Compares the code of two programs in pairs of functions and constants, from `main` on.
//!
//! Cargo's build of a program has a module of code for each crate, its bundle has one. Where a function of one mentions a
//! name, its counterpart must mention a name at the same place, and both become a pair. So names, order, blocks that are never
//! entered, copies of an instance in several crates and the visibility to the linker may differ. So may three things more:
//!
//! - A source location in the bundle may be any other.
//! - `panic!` with a literal calls another function in editions before 2021, which does the same.
//! - An instance of std's code may be compiled in std on one side, and in the program on the other.

mod panics;

use crate::rustc::ir::{Kind, Module, Piece, Pieces, Unit};
use crate::rustc::normal::{bare, label, places, ADDRESS};
use std::collections::{HashMap, HashSet};

/// A unit: its module and its index there.
type Id = (usize, usize);

/// The code of a program.
pub struct Program<'t> {
    modules: Vec<Module<'t>>,
    /// Whether each unit is a source location.
    places: Vec<Vec<bool>>,
    /// The units that other modules can name.
    defined: HashMap<&'t str, Id>,
}

impl<'t> Program<'t> {
    /// Reads the LLVM assembly of all its crates; `None` if it has an unknown form. Places in files called `file` are
    /// source locations; with an empty name those in all files.
    pub fn read(crates: impl IntoIterator<Item = &'t str>, file: &str) -> Option<Program<'t>> {
        let modules: Vec<Module<'t>> = crates.into_iter().map(Module::parse).collect::<Option<_>>()?;
        let places = modules.iter().map(|module| places(module, file)).collect();
        let mut defined = HashMap::new();
        for (m, module) in modules.iter().enumerate() {
            for (u, unit) in module.units.iter().enumerate() {
                if matches!(unit.kind, Kind::Function | Kind::Data | Kind::Exported) {
                    defined.entry(unit.name).or_insert((m, u));
                }
            }
        }
        Some(Program { modules, places, defined })
    }

    fn unit(&self, (module, unit): Id) -> &Unit<'t> {
        &self.modules[module].units[unit]
    }

    /// The unit that a name means in a module.
    fn find(&self, module: usize, name: &str) -> Option<Id> {
        let unit = *self.modules[module].index.get(name)?;
        let is_declared = self.modules[module].units[unit].kind == Kind::External;
        let elsewhere = self.defined.get(name).filter(|_| is_declared);
        Some(elsewhere.copied().unwrap_or((module, unit)))
    }

    /// The symbols that the linker starts from.
    fn roots(&self) -> impl Iterator<Item = Id> + '_ {
        let all = self.modules.iter().enumerate();
        let ids = all.flat_map(|(m, module)| (0..module.units.len()).map(move |u| (m, u)));
        ids.filter(|&id| self.unit(id).kind == Kind::Exported)
    }

    /// The number of functions that are reached from the roots.
    fn functions(&self) -> usize {
        let mut queue: Vec<Id> = self.roots().collect();
        let mut seen: HashSet<Id> = queue.iter().copied().collect();
        while let Some(id) = queue.pop() {
            for piece in self.unit(id).lines.iter().flat_map(|line| Pieces::of(line)) {
                let Piece::Name(name) = piece else { continue };
                queue.extend(self.find(id.0, name).filter(|found| seen.insert(*found)));
            }
        }
        seen.iter().filter(|&&id| self.unit(id).lines.len() > 1).count()
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The number of functions of the second program.
    pub functions: usize,
    /// The number of those that are the same in the first one; what is reached only through a function that differs isn't.
    pub same: usize,
    /// The first function of the second program that differs.
    pub differs: Option<String>,
}

/// Compares the functions of `two` with those of `one`.
pub fn compare(one: &Program<'_>, two: &Program<'_>) -> Compared {
    let mut pairs = Pairs { one, two, seen: HashSet::new(), queue: Vec::new(), types: OneToOne::default() };
    let mut variables = OneToOne::default();
    let mut differing: HashSet<Id> = HashSet::new();
    let mut differs = None;
    for root in two.roots() {
        match one.defined.get(two.unit(root).name) {
            Some(&partner) => pairs.push(partner, root, root),
            None => differs = differs.or(Some(two.unit(root).name.trim_start_matches('@').to_owned())),
        }
    }
    let mut functions: HashSet<Id> = HashSet::new();
    let mut next = 0;
    while let Some(&(a, b, by)) = pairs.queue.get(next) {
        next += 1;
        let is_function = two.unit(b).lines.len() > 1;
        let owner = if is_function { b } else { by };
        functions.extend(is_function.then_some(b));
        let is_variable = is_variable(two.unit(b)) || is_variable(one.unit(a));
        if !pairs.are_same(a, b, owner) || is_variable && !variables.are(a, b) {
            differing.insert(owner);
            let unit = two.unit(owner);
            differs = differs.or(Some(unit.known_as.unwrap_or(unit.name.trim_start_matches('@')).to_owned()));
        }
    }
    let same = functions.difference(&differing).count();
    Compared { functions: two.functions(), same, differs }
}

/// Whether a unit has an identity besides its content.
fn is_variable(unit: &Unit<'_>) -> bool {
    let head = unit.lines[0].split(['"', '<', '[', '{']).next().unwrap_or_default();
    matches!(unit.kind, Kind::Data | Kind::Exported)
        && unit.lines.len() == 1
        && !head.contains("unnamed_addr constant")
}

/// Which values of one side belong to which of the other.
struct OneToOne<T>(HashMap<T, T>, HashMap<T, T>);

impl<T> Default for OneToOne<T> {
    fn default() -> OneToOne<T> {
        OneToOne(HashMap::new(), HashMap::new())
    }
}

impl<T: Copy + Eq + std::hash::Hash> OneToOne<T> {
    /// Whether two values belong together; if neither has a partner yet, they do from now on.
    fn are(&mut self, a: T, b: T) -> bool {
        *self.0.entry(a).or_insert(b) == b && *self.1.entry(b).or_insert(a) == a
    }
}

struct Pairs<'p, 't> {
    one: &'p Program<'t>,
    two: &'p Program<'t>,
    seen: HashSet<(Id, Id)>,
    /// Pairs in the order in which they were found, each with the function of `two` in which it was.
    queue: Vec<(Id, Id, Id)>,
    types: OneToOne<&'t str>,
}

/// Two functions while they are compared.
struct Bodies<'t> {
    /// The modules and the function of `two`.
    at: (usize, usize, Id),
    locals: OneToOne<&'t str>,
    /// The lines after each label.
    labels: [HashMap<&'t str, usize>; 2],
    /// Pairs of blocks to compare.
    blocks: Vec<[usize; 2]>,
}

impl<'t> Pairs<'_, 't> {
    fn push(&mut self, a: Id, b: Id, by: Id) {
        if self.seen.insert((a, b)) {
            self.queue.push((a, b, by));
        }
    }

    fn are_same(&mut self, a: Id, b: Id, owner: Id) -> bool {
        if self.two.places[b.0][b.1] {
            return self.one.places[a.0][a.1];
        }
        let (one, two) = (self.one.unit(a), self.two.unit(b));
        let is_either = |kind: Kind| one.kind == kind || two.kind == kind;
        if is_either(Kind::External) {
            return instance(one.name) == instance(two.name);
        }
        if is_either(Kind::Detail) && one.kind != two.kind
            || is_either(Kind::Exported) && one.name != two.name
        {
            return false;
        }
        let labels = [&one.lines, &two.lines].map(|lines| {
            let labels = lines.iter().enumerate().filter_map(|(i, line)| Some((label(line)?.0, i + 1)));
            labels.collect::<HashMap<_, _>>()
        });
        let mut bodies =
            Bodies { at: (a.0, b.0, owner), locals: OneToOne::default(), labels, blocks: vec![] };
        let heads = [one, two].map(|unit| head(unit));
        if !self.are_pieces_same(&heads[0], &heads[1], &mut bodies) {
            return false;
        }
        if one.lines.len() == 1 || two.lines.len() == 1 {
            return one.lines.len() == two.lines.len();
        }
        bodies.blocks.push([1, 1]);
        let mut entered = HashSet::new();
        while let Some(block) = bodies.blocks.pop() {
            if entered.insert(block) && !self.are_blocks_same(&one.lines, &two.lines, block, &mut bodies) {
                return false;
            }
        }
        true
    }

    fn are_blocks_same(
        &mut self,
        one: &[&'t str],
        two: &[&'t str],
        [i, j]: [usize; 2],
        bodies: &mut Bodies<'t>,
    ) -> bool {
        // The first block may have a label.
        let start = |lines: &[&str], i: usize| i + usize::from(i == 1 && label(lines[1]).is_some());
        let (mut i, mut j) = (start(one, i), start(two, j));
        loop {
            match (line(one, &mut i), line(two, &mut j)) {
                (Some(a), Some(b)) => {
                    let (a, b): (Vec<_>, Vec<_>) = (Pieces::of(a).collect(), Pieces::of(b).collect());
                    let is_panic = self.is_panic_same((&a, one, i), (&b, two, &mut j), bodies);
                    if !is_panic && !self.are_pieces_same(&a, &b, bodies) {
                        return false;
                    }
                }
                (a, b) => return a.is_none() && b.is_none(),
            }
        }
    }

    fn are_pieces_same(&mut self, one: &[Piece<'t>], two: &[Piece<'t>], bodies: &mut Bodies<'t>) -> bool {
        let mut is_source = false;
        one.len() == two.len()
            && one.iter().zip(two).all(|pair| match pair {
                (Piece::Text(a), Piece::Text(b)) => self.is_text_same(a, b),
                (Piece::Name(a), Piece::Name(b)) => {
                    // The source location of an `asm!`.
                    let is_skipped = std::mem::replace(&mut is_source, *a == "!srcloc" && a == b);
                    is_skipped && a.starts_with('!') && b.starts_with('!') || self.is_name_same(a, b, bodies)
                }
                _ => false,
            })
    }

    fn is_name_same(&mut self, a: &'t str, b: &'t str, bodies: &mut Bodies<'t>) -> bool {
        let (one, two, owner) = bodies.at;
        match (self.one.find(one, a), self.two.find(two, b)) {
            (Some(first), Some(second)) => {
                self.push(first, second, owner);
                a[..1] == b[..1]
            }
            (None, None) if a.starts_with('%') && b.starts_with('%') => self.is_local_same(a, b, bodies),
            (None, None) => a == b,
            _ => false,
        }
    }

    /// Whether two variables or labels belong together; blocks that do are compared.
    fn is_local_same(&mut self, a: &'t str, b: &'t str, bodies: &mut Bodies<'t>) -> bool {
        let (a, b) = (bare(a), bare(b));
        match (bodies.labels[0].get(a), bodies.labels[1].get(b)) {
            (Some(&i), Some(&j)) => bodies.blocks.push([i, j]),
            (None, None) => {}
            _ => return false,
        }
        bodies.locals.are(a, b)
    }

    /// A type's identity is a digest of its path, written as an impossible address.
    fn is_text_same(&mut self, a: &'t str, b: &'t str) -> bool {
        if !a.contains(ADDRESS) {
            return a == b;
        }
        let (mut one, mut two) = (a.split(ADDRESS), b.split(ADDRESS));
        if one.next() != two.next() {
            return false;
        }
        loop {
            let (a, b) = match (one.next(), two.next()) {
                (Some(a), Some(b)) => (a, b),
                (a, b) => return a == b,
            };
            let [a, b] = [a, b].map(|text| text.split_at(text.find(' ').unwrap_or(text.len())));
            let is_identity = |text: &str| text.parse().is_ok_and(|n: i64| n.unsigned_abs() > 1 << 47);
            let same =
                if is_identity(a.0) && is_identity(b.0) { self.types.are(a.0, b.0) } else { a.0 == b.0 };
            if !same || a.1 != b.1 {
                return false;
            }
        }
    }
}

/// The next line of a block; `None` at its end.
fn line<'t>(lines: &[&'t str], i: &mut usize) -> Option<&'t str> {
    loop {
        let next = *lines.get(*i)?;
        if next == "}" || label(next).is_some() {
            return None;
        }
        *i += 1;
        if Pieces::of(next).next().is_some() {
            return Some(next);
        }
    }
}

/// The words for how a symbol is seen by the linker.
const LINKAGE: [&str; 13] = [
    "private",
    "internal",
    "hidden",
    "protected",
    "weak",
    "weak_odr",
    "linkonce",
    "linkonce_odr",
    "external",
    "dso_local",
    "unnamed_addr",
    "local_unnamed_addr",
    "comdat",
];

/// The first line of a unit without the words for the linker: word by word, and the value of a constant or variable, which may
/// hold any text, as it is.
fn head<'t>(unit: &Unit<'t>) -> Vec<Piece<'t>> {
    let is_function = unit.lines.len() > 1;
    let mut is_value = unit.kind == Kind::Detail;
    let mut out = Vec::new();
    for piece in Pieces::of(unit.lines[0]) {
        let Piece::Text(mut text) = piece else {
            out.push(piece);
            continue;
        };
        while !is_value && !text.is_empty() {
            let (word, rest) = text.split_at(text.find(' ').map_or(text.len(), |space| space + 1));
            if !LINKAGE.contains(&word.trim_end()) {
                out.push(Piece::Text(word));
            }
            is_value = !is_function && matches!(word.trim_end(), "constant" | "global" | "alias");
            text = rest;
        }
        if !text.is_empty() {
            out.push(Piece::Text(text));
        }
    }
    out
}

/// A symbol without the crate that an instance of generic code was compiled in.
fn instance(name: &str) -> &str {
    let name = name.trim_start_matches(['@', '"']);
    if !name.starts_with("_R") && !name.starts_with("__R") {
        return name;
    }
    let is_crate = |at: usize| {
        let tail = &name[at + 1..];
        let tail = match tail.strip_prefix('s').and_then(|tail| tail.split_once('_')) {
            Some((digits, tail)) if digits.bytes().all(|b| b.is_ascii_alphanumeric()) => tail,
            _ => tail,
        };
        let digits = tail.bytes().take_while(u8::is_ascii_digit).count();
        let length: Option<usize> = tail[..digits].parse().ok();
        length.is_some_and(|n| {
            n == tail.len() - digits || n + 1 == tail.len() - digits && tail[digits..].starts_with('_')
        })
    };
    // The path of a crate, or a reference back to one.
    let crates = name.match_indices('C').map(|(at, _)| at).find(|&at| is_crate(at));
    let back = name
        .strip_suffix('_')
        .and_then(|name| name.rfind('B'))
        .filter(|&at| name[at + 1..name.len() - 1].bytes().all(|b| b.is_ascii_alphanumeric()));
    crates.or(back).map_or(name, |end| &name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A library, and a program with a copy of one of its functions.
    const LIBRARY: &str = "@text = private unnamed_addr constant [2 x i8] c\"hi\"\n\
        @_ZNcount = global i64 0\n@type = private unnamed_addr constant ptr inttoptr (i64 825956037400770499 to ptr)\n\
        define void @_ZNshared() {\n  call void @print(ptr @text)\n  ret void\n}\n\
        define hidden i64 @_ZNnext() unnamed_addr {\n  store ptr inttoptr (i64 825956037400770499 to ptr), ptr @type\n  store i64 1, ptr @_ZNcount\n  ret i64 1\n}\n\
        declare void @print(ptr)\n";
    const MAIN: &str = "@words = private unnamed_addr constant [2 x i8] c\"hi\"\n\
        define internal void @copy() {\n  call void @print(ptr @words)\n  ret void\n}\n\
        define i32 @main() {\nstart:\n  %old = call i64 @_ZNnext()\n  br i1 true, label %a, label %b\n\
        a:\n  call void @copy()\n  ret i32 0\nb:\n  call void @_ZNshared()\n  ret i32 1\n}\n\
        declare i64 @_ZNnext()\ndeclare void @_ZNshared()\ndeclare void @print(ptr, i8)\n";
    /// The bundle, with its blocks in another order.
    const BUNDLE: &str = "@t = private unnamed_addr constant [2 x i8] c\"hi\"\n\
        @n = internal global i64 0\n@i = private unnamed_addr constant ptr inttoptr (i64 -5031720322257128136 to ptr)\n\
        define internal void @f() {\n  call void @print(ptr @t)\n  ret void\n}\n\
        ; bundle::next\ndefine internal i64 @g() {\n  store ptr inttoptr (i64 -5031720322257128136 to ptr), ptr @i\n  store i64 1, ptr @n\n  ret i64 1\n}\n\
        define i32 @main() {\n  %x = call i64 @g()\n  br i1 true, label %y, label %z\n\
        z:\n  call void @f()\n  ret i32 1\ny:\n  call void @f()\n  ret i32 0\n}\ndeclare void @print(ptr)\n";

    fn compared(bundle: &str) -> Compared {
        let built = Program::read([LIBRARY, MAIN], "").unwrap();
        compare(&built, &Program::read([bundle], "x.rs").unwrap())
    }

    #[test]
    fn several_crates_are_the_same_as_one() {
        assert_eq!(compared(BUNDLE), Compared { functions: 3, same: 3, differs: None });
    }

    #[test]
    fn differences_are_found() {
        for (from, to, function) in [
            ("c\"hi\"", "c\"ho\"", "f"),
            ("store i64 1", "store i64 2", "bundle::next"),
            ("call void @f()\n  ret i32 1", "ret i32 1", "main"),
            ("label %y, label %z", "label %z, label %y", "main"),
            ("call i64 @g()", "call i64 @g() #1", "main"),
            ("@print", "@write", "f"),
            ("i64 -5031720322257128136", "i64 7", "bundle::next"),
        ] {
            assert!(BUNDLE.contains(from), "{from}");
            let compared = compared(&BUNDLE.replace(from, to));
            assert_eq!(compared.differs.as_deref(), Some(function), "{from} and {to}");
            assert!(compared.same < 3, "{from} and {to}: {compared:?}");
        }
    }

    #[test]
    fn variables_are_one_to_one() {
        let two = |first: &str, second: &str| {
            format!(
                "@a = internal global i64 0\n@b = internal global i64 0\n\
                define i32 @main() {{\n  store i64 1, ptr {first}\n  store i64 1, ptr {second}\n  ret i32 0\n}}\n"
            )
        };
        let (same, other) = (two("@a", "@a"), two("@a", "@b"));
        for (one, two, is_same) in
            [(&same, &same, true), (&other, &other, true), (&same, &other, false), (&other, &same, false)]
        {
            let [one, two] = [one, two].map(|text| Program::read([text.as_str()], "x.rs").unwrap());
            assert_eq!(compare(&one, &two).differs.is_none(), is_same);
        }
    }

    #[test]
    fn instances_have_no_crate() {
        for (name, end) in [
            ("@_RINvNtCsgEm_4core5slice4copyhECsfEO_11miniz_oxide", "Csf"),
            ("@_RNvMs4_NtCsgEm_4core3fmtNtB5_9Arguments8from_strCsf0X_6bundle", "Csf"),
            ("@_RINvNtCsjr_3std9panicking11begin_panicReEB4_", "B4_"),
        ] {
            assert_eq!(Some(instance(name)), name[1..].rsplit_once(end).map(|(name, _)| name));
        }
        assert_eq!(instance("@_RNvNtCsgEm_4core9panicking5panic"), "_RNvNtCsgEm_4core9panicking5panic");
        assert_eq!(instance("@memcpy"), "memcpy");
    }
}
