//! What the real programs send and honour.
#![cfg(test)]

mod claude_fixtures;
mod claude_malformed;
mod claude_properties;
mod claude_reply;
mod claude_told_apart;
mod fixture;
mod leaves;
mod spec;
