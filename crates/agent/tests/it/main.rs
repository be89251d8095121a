//! Tests with payloads of the real programs, and with the answers that they support.
#![cfg(test)]

mod claude_lenient;
mod claude_malformed;
mod claude_reply;
mod claude_salvage;
mod claude_told_apart;
mod codex_fixtures;
mod copilot_fixtures;
mod depth;
mod fixture;
mod fixtures;
mod gemini_fixtures;
mod leaves;
mod malformed;
mod properties;
mod raw_input;
mod replies;
mod spec;
mod version_skew;
