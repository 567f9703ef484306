//! Small workspaces in the shapes of public contest code: a binary and one or two library crates each, bundled, compiled
//! alone without a warning, and compared with the original; or refused with what to change.

mod common;

use common::{crates, plays_the_same, Run};

fn same(edition: &str, main: &str, libs: &[(&str, &str, &str)]) -> String {
    plays_the_same(crates(edition, main, libs).path(), "bot")
}

/// The message of a refusal, which is no fault of the bundler.
fn refused(edition: &str, main: &str, libs: &[(&str, &str, &str)]) -> String {
    let run = Run::bundler(crates(edition, main, libs).path(), &["bot"]);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(!run.stderr.contains("bug in the bundler"), "{}", run.stderr);
    run.stderr
}

#[test]
fn whole_crates_are_imported_from_the_root() {
    let lib = ("lib", "2021", "pub fn f() -> u8 { 1 } pub fn g() -> u8 { 2 }");
    same("2021", "use ::lib as real; fn main() { println!(\"{}\", real::f()); }", &[lib]);
    same("2021", "use ::lib; fn main() { println!(\"{}\", lib::f()); }", &[lib]);
    same(
        "2021",
        "use ::{lib::{f, g}, std::cmp::max}; fn main() { println!(\"{}\", max(f(), g())); }",
        &[lib],
    );
}

#[test]
fn a_macro_may_name_its_crate_as_its_users_do() {
    let lib = "pub fn twice(x: i32) -> i32 { 2 * x } #[macro_export] macro_rules! m { ($e:expr) => { ::lib::twice($e) } }";
    same("2021", "fn main() { println!(\"{}\", lib::m!(4)); }", &[("lib", "2021", lib)]);
    let main = "struct X<V>(V); impl<V> ::lib::Show for X<V> {} fn main() { println!(\"{}\", ::lib::Show::show(&X(1))); }";
    same("2021", main, &[("lib", "2021", "pub trait Show { fn show(&self) -> u8 { 3 } }")]);
}

#[test]
fn limits_of_the_compiler_are_those_of_the_root() {
    let lib = format!(
        "#![recursion_limit = \"512\"]\n\
        macro_rules! count {{ () => {{ 0 }}; ($h:tt $($t:tt)*) => {{ 1 + count!($($t)*) }} }}\n\
        pub fn deep() -> i32 {{ count!({}) }}",
        "a ".repeat(200)
    );
    let bundle = same("2021", "fn main() { println!(\"{}\", lib::deep()); }", &[("lib", "2021", &lib)]);
    assert_eq!(bundle.matches("recursion_limit").count(), 1);
}

#[test]
fn function_objects_need_no_dyn_in_older_editions() {
    let lib = "use std::collections::HashMap;
        pub fn by_ref(f: &Fn(i32) -> i32) -> i32 { f(1) }
        pub fn by_mut<'a>(f: &'a mut FnMut(i32) -> i32) -> i32 { f(2) }
        pub fn boxed() -> Box<Fn(i32) -> i32> { Box::new(|x| x + 3) }
        pub struct Table { all: HashMap<u8, Box<for<'a> Fn(&'a str) -> usize>> }
        pub fn table() -> Table { let mut all: HashMap<u8, Box<for<'a> Fn(&'a str) -> usize>> = HashMap::new();
            all.insert(1, Box::new(|s| s.len())); Table { all } }
        impl Table { pub fn at(&self, n: u8) -> usize { (self.all[&n])(\"four\") } }
        pub fn generic<F: Fn(i32) -> i32>(f: F) -> i32 where F: std::ops::Fn(i32) -> i32 { f(5) }
        pub type Op = std::ops::Fn(i32) -> i32; pub fn typed(f: &Op) -> i32 { f(6) }
        pub fn plus(f: &(Fn(i32) -> i32 + Send)) -> i32 { f(7) }";
    let main = "fn main() { println!(\"{} {} {} {} {} {} {}\", lib::by_ref(&|x| x), lib::by_mut(&mut |x| x), lib::boxed()(0),
        lib::table().at(1), lib::generic(|x| x), lib::typed(&|x| x), lib::plus(&|x| x)); }";
    same("2021", main, &[("lib", "2018", lib)]);
    same("2021", main, &[("lib", "2015", lib)]);
}

#[test]
fn methods_named_like_those_of_a_later_prelude_stay() {
    let lib = "pub trait TryInto<T> { fn try_into(&self) -> Result<T, String>; }
        impl TryInto<u8> for u32 { fn try_into(&self) -> Result<u8, String> { if *self < 100 { Ok(*self as u8) } else { Err(\"big\".into()) } } }
        pub fn f(x: u32) -> bool { let r: Result<u8, _> = x.try_into(); r.is_ok() }";
    same("2021", "fn main() { println!(\"{}\", lib::f(150)); }", &[("lib", "2018", lib)]);
    let lib =
        "pub struct Bag(pub Vec<u8>); pub trait FromIterator<T>: Sized { fn from_iter(all: Vec<T>) -> Self; }
        impl FromIterator<u8> for Bag { fn from_iter(all: Vec<u8>) -> Self { Bag(all) } }
        pub fn bag() -> usize { Bag::from_iter(vec![1, 2]).0.len() }";
    same("2018", "fn main() { println!(\"{}\", lib::bag()); }", &[("lib", "2018", lib)]);
}

#[test]
fn what_no_common_edition_can_mean_is_refused() {
    let chain = "if let Some(x) = std::env::args().next() && x.len() > 0 { println!(\"{}\", lib::f()); }";
    let boxed = "use std::rc::Rc; pub fn f() -> usize { let a = Rc::new(1); let b: Box<[Rc<i32>]> = vec![a.clone(), a.clone()].into_boxed_slice();
        let v: Vec<_> = b.into_iter().map(|x| x.clone()).collect(); Rc::strong_count(&a) + v.len() }";
    let said = refused("2024", &format!("fn main() {{ {chain} }}"), &[("lib", "2021", boxed)]);
    assert!(
        said.contains("`into_iter` of a boxed slice") && said.contains("Give both the same edition"),
        "{said}"
    );
    let new = "pub fn f() -> u8 { if let Some(x) = Some(1) && x > 0 { x } else { 0 } }";
    let old = "pub mod gen { pub fn g() -> u8 { 1 } } #[macro_export] macro_rules! named { ($i:ident) => { pub fn $i() -> u8 { 2 } } }";
    let main = "mod a { old::named!(gen); } fn main() { println!(\"{}\", a::gen() + new::f()); }";
    let said = refused("2018", main, &[("new", "2024", new), ("old", "2018", old)]);
    assert!(said.contains("edition"), "{said}");
}

#[test]
fn a_long_line_beside_letters_of_several_bytes_takes_no_longer_than_others() {
    // Places within a line were counted from its start: this took minutes.
    let numbers = (0..30_000).map(|n| format!("{},", n % 7)).collect::<String>();
    let main = format!("static T: [u8; 30000] = [{numbers}]; fn main() {{ println!(\"é {{}}\", T.iter().map(|&x| x as u32).sum::<u32>()); }}");
    same("2021", &main, &[]);
}
