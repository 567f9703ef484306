//! Generated libraries: of any edition, with features, exported macros in the shapes that contest libraries have, and macros
//! that read documentation.

use crate::common::Random;

/// The editions that a package may have.
const EDITIONS: &[&str] = &["2015", "2018", "2021", "2024"];
/// The library's features.
const FEATURES: &[&str] = &["near", "far", "wide"];

/// A part of the library, and an expression of the binary that uses it.
struct Part {
    items: String,
    /// What the binary has besides, such as a macro's invocation.
    beside: String,
    uses: String,
}

fn part(rng: &mut Random, n: usize) -> Part {
    let value = 10 + rng.below(90);
    let feature = rng.one_of(FEATURES);
    let none = String::new();
    match rng.below(10) {
        // Documentation is text and a number of attributes.
        0 => Part {
            items: format!(
                "#[macro_export]
                macro_rules! options_{n} {{
                    ($($(#[doc = $text:expr])* $name:ident),*) => {{
                        pub fn help_{n}() -> String {{
                            let mut out = String::new();
                            $($(out.push_str($text);)* out.push_str(stringify!($name));)*
                            out
                        }}
                    }};
                }}"
            ),
            beside: format!("options_{n}! {{ /// The {value} first.\n/// More of it.\nfirst, /** Other. */ second }}"),
            uses: format!("help_{n}()"),
        },
        1 => Part {
            items: format!(
                "#[macro_export]
                macro_rules! counted_{n} {{
                    ($(#[$a:meta])* => $v:expr) => {{ {{ let mut n = {value}; $(let _ = stringify!($a); n += 1;)* n + $v }} }};
                }}"
            ),
            beside: none,
            uses: format!("counted_{n}!(#[doc = \"a\"] #[inline] => 3)"),
        },
        // Siblings without `$crate`, as `#[macro_use] extern crate` allows.
        2 => Part {
            items: format!(
                "#[macro_export]
                macro_rules! input_{n} {{ ($($n:ident : $t:ident),*) => {{ $(let $n = read_{n}!($t);)* }}; }}
                #[macro_export]
                macro_rules! read_{n} {{ (word) => {{ \"word\".len() }}; ($t:ident) => {{ {value} as $t }}; }}"
            ),
            beside: none,
            uses: format!("{{ input_{n}! {{ a: u8, b: word }} a as usize + b }}"),
        },
        3 => Part {
            items: format!(
                "mod outer_{n} {{
                    mod inner {{
                        #[macro_export]
                        macro_rules! nested_{n} {{ ($v:expr) => {{ $v + $crate::nested_value_{n}() }}; }}
                        pub fn value() -> u32 {{ {value} }}
                    }}
                    pub fn forwarded() -> u32 {{ self::inner::value() }}
                }}
                pub fn nested_value_{n}() -> u32 {{ outer_{n}::forwarded() }}"
            ),
            beside: none,
            uses: format!("nested_{n}!(1u32)"),
        },
        4 => Part {
            items: format!(
                "#[cfg(feature = {feature:?})] pub fn featured_{n}() -> u32 {{ {value} }}
                #[cfg(not(feature = {feature:?}))] pub fn featured_{n}() -> u32 {{ 1 + cfg!(feature = \"wide\") as u32 }}"
            ),
            beside: none,
            uses: format!("kit::featured_{n}()"),
        },
        5 => Part {
            items: format!(
                "macro_rules! modules_{n} {{
                    ($feature:literal, $name:ident, $v:expr) => {{
                        #[cfg(feature = $feature)] pub mod $name {{ pub fn get() -> u32 {{ $v }} }}
                        #[cfg(not(feature = $feature))] pub mod $name {{ pub fn get() -> u32 {{ 0 }} }}
                    }};
                }}
                modules_{n}!(\"near\", near_{n}, {value});
                modules_{n}!(\"far\", far_{n}, 7);"
            ),
            beside: none,
            uses: format!("kit::near_{n}::get() + kit::far_{n}::get()"),
        },
        6 => Part {
            items: format!(
                "pub trait Weigh{n} {{ fn weigh(&self) -> u32; }}
                macro_rules! weights_{n} {{
                    ($t:ty, $v:expr $(, $a:meta)*) => {{ $(#[$a])* impl Weigh{n} for $t {{ fn weigh(&self) -> u32 {{ $v }} }} }};
                }}
                weights_{n}!(u8, {value}, cfg(feature = {feature:?}));
                weights_{n}!(u8, 2, cfg(not(feature = {feature:?})));
                weights_{n}!(u16, 3);"
            ),
            beside: none,
            uses: format!("{{ use kit::Weigh{n}; 1u8.weigh() + 2u16.weigh() }}"),
        },
        // What the editions treat differently, with the same meaning in each of them or by translation.
        7 => Part {
            items: format!(
                "pub fn arrays_{n}() -> u32 {{ let a = [{value}u32, 2]; let mut s = 0; for x in a.iter() {{ s += *x; }} s }}
                pub fn boxed_{n}() -> Box<dyn Fn(u32) -> u32> {{ Box::new(move |x| x + {value}) }}"
            ),
            beside: none,
            uses: format!("kit::arrays_{n}() + kit::boxed_{n}()(1)"),
        },
        8 => Part {
            items: format!(
                "#[derive(Clone, Debug, PartialEq, Default)]
                pub struct Point{n} {{ pub x: u32, pub y: u32 }}
                impl Point{n} {{ pub fn new() -> Self {{ Point{n} {{ x: {value}, ..Default::default() }} }} pub fn spare(&self) {{}} }}"
            ),
            beside: none,
            uses: format!("format!(\"{{:?}}\", kit::Point{n}::new().clone())"),
        },
        _ => Part {
            items: format!(
                "#[macro_export]
                macro_rules! pair_{n} {{ ($a:expr, $b:expr) => {{ pair_{n}!(@sum $a) + pair_{n}!(@sum $b) }}; (@sum $a:expr) => {{ $a + {value} }}; }}
                mod hidden_{n} {{ pub(crate) fn unused() -> u8 {{ 1 }} }}
                #[allow(dead_code)] fn never_{n}() -> u8 {{ hidden_{n}::unused() }}"
            ),
            beside: none,
            uses: format!("pair_{n}!(1, 2)"),
        },
    }
}

/// The files of a random program with a library `kit` of `parts` parts.
pub fn program(seed: u64, parts: usize) -> Vec<(String, String)> {
    let mut rng = Random(seed);
    rng.below(2);
    let package = |name: &str, edition: &str, rest: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"{edition}\"\nlicense = \"MIT\"\n{rest}"
        )
    };
    let (mut lib, mut beside, mut main) = (String::new(), String::new(), String::new());
    for n in 0..parts {
        let part = part(&mut rng, n);
        lib.push_str(&format!("{}\n", part.items));
        beside.push_str(&format!("{}\n", part.beside));
        main.push_str(&format!("    println!(\"{{}}\", {});\n", part.uses));
    }
    let on: Vec<String> =
        FEATURES.iter().filter(|_| rng.below(2) == 0).map(|feature| format!("{feature:?}")).collect();
    let (bin_edition, lib_edition) = (rng.one_of(EDITIONS), rng.one_of(EDITIONS));
    let features: String = FEATURES.iter().map(|feature| format!("{feature} = []\n")).collect();
    let dependency = format!("kit = {{ path = \"kit\", features = [{}] }}", on.join(", "));
    vec![
        (
            "Cargo.toml".into(),
            package("bot", bin_edition, &format!("[dependencies]\n{dependency}\n[workspace]\n")),
        ),
        ("src/main.rs".into(), format!("#[macro_use]\nextern crate kit;\n{beside}fn main() {{\n{main}}}\n")),
        ("kit/Cargo.toml".into(), package("kit", lib_edition, &format!("[features]\n{features}"))),
        ("kit/src/lib.rs".into(), lib),
    ]
}
