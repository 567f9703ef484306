//! Arbitrary text is bundled or refused: no panic, no hang, no stack overflow, and the output can be parsed again.

#![no_main]

use bundler::internals::single;
use bundler::Edition;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(source) = std::str::from_utf8(data) else { return };
    let edition = if data.len() % 4 == 0 { Edition::E2015 } else { Edition::E2021 };
    if let Ok(text) = single(source, edition) {
        assert!(bundler::internals::Tokens::read(&text).is_ok(), "the output cannot be parsed:\n{text}");
    }
});
