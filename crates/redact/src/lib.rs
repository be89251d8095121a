//! Finds secrets in text and replaces each by its type and a short keyed hash.
