//! Pages and pictures, each one file that needs no network: a game's page ([`view`]), a run's ([`run_page`]), and the
//! charts of both ([`svg`]).
//!
//! ```
//! use coppice_pages::svg;
//!
//! let css = svg::ink::css();
//! assert!(css.contains("prefers-color-scheme"));
//! ```

#![warn(unreachable_pub)]

pub mod html;
pub mod play;
pub mod run_page;
pub mod svg;
pub mod view;
