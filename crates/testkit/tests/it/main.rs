//! Tests of the test support itself, the real client included.

mod claude_code;
