//! Errors whose sentence the implementer of a trait writes.

/// Declares an error made of a sentence: `Err("...".into())`, `.ok_or("...")?` and `format!` work where it is expected.
macro_rules! reason {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(std::borrow::Cow<'static, str>);

        impl From<&'static str> for $name {
            fn from(reason: &'static str) -> $name {
                $name(reason.into())
            }
        }

        impl From<String> for $name {
            fn from(reason: String) -> $name {
                $name(reason.into())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::error::Error for $name {}
    };
}

pub(crate) use reason;
