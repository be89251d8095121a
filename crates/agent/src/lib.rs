//! One module per coding agent: what it sends, as an event; a verdict, as what it honours.
