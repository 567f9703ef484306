//! Learning.
pub mod loss;
