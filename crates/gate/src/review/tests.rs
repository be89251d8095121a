//! Every state with every input, and the rules that hold for any sequence of them.
