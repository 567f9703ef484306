//! Referees bots over pipes.
