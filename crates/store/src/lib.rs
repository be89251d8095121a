//! What a log must do, its errors, an in-memory log, and the suite every log passes.
