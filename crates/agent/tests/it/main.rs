//! Tests with payloads of the real programs, and with the answers that they support.
#![cfg(test)]

mod claude_fixtures;
mod claude_lenient;
mod claude_malformed;
mod claude_properties;
mod claude_reply;
mod claude_salvage;
mod claude_told_apart;
mod codex_fixtures;
mod depth;
mod fixture;
mod leaves;
mod raw_input;
mod spec;
