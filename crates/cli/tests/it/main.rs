//! The `verger` program, from outside.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
#![cfg(feature = "fixed")]

mod authority;
mod claude_authority;
mod claude_demo;
mod claude_plugin;
mod claude_review;
mod claude_review_authority;
mod claude_review_run;
mod claude_review_tools;
mod claude_skills;
mod clean;
mod completions;
mod config;
mod context;
mod debug;
mod decide;
mod demo;
mod doctor;
mod every_command;
mod household;
mod init;
mod log;
mod observe;
mod parallel;
mod recall_eval;
mod recorded;
mod review_approvals;
mod review_flow;
mod review_run;
mod review_stage;
mod reviewed;
mod reviewing;
mod sessions;
mod settings_files;
mod skip;
mod stats;
mod status;
mod terminal;
mod tickets;
mod trace;
mod trust;
mod uninstall;
mod usage;
mod why;
