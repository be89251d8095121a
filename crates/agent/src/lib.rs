//! Adapters for coding agents, one module each. An adapter decodes the agent's payloads into
//! events, and encodes verdicts into the agent's answers.
//!
//! An adapter consists of four files and one table. `wire` has the structs of the program's
//! payloads. `decode` converts them to the types of `verger-event`. `salvage` keeps payloads that
//! can't be decoded, so that records aren't lost if a program changes its payloads. `encode`
//! converts an [`Answer`](verger_event::Answer) to the program's format. The [`AgentSpec`] lists
//! every event with its supported answers. `encode` reads this table, so the table can't list an
//! answer that is never sent. Other crates look an agent up with [`by_name`] and never name one.
//!
//! If no payload of an event was captured, the event keeps its payload unparsed. To add an agent:
//! capture its payloads into `fixtures/<agent>/<version>/`, write the module, and add the spec to
//! [`AGENTS`].
//!
//! This crate is pure: it uses no clock, environment or files.

mod attribution;
mod capabilities;
mod claude;
mod client_words;
mod codex;
mod context_text;
mod copilot;
mod event_table;
mod gemini;
mod guard_table;
mod headless;
mod install_spec;
mod lenient;
mod observed;
mod patch;
mod pattern_text;
mod payload;
mod plugin_hooks;
mod process;
mod registration;
mod settings_hooks;
mod spec;
mod ticket_call;
mod tool_answer;
mod tool_form;
mod unread;

pub use attribution::{ADDRESSES, LINKS, NAMES, PRODUCTS};
pub use capabilities::{BlindSpot, Coverage, Exception, Policy, PolicyCoverage, TestedVersion};
pub use claude::{CLAUDE, CONTEXT_LIMIT_CHARS};
pub use client_words::{PAYLOAD_KEYS, TOOL_NAMES};
pub use codex::CODEX;
pub use copilot::COPILOT;
pub use gemini::GEMINI;
pub use guard_table::{
    Asking, Cell, GUARD_CLIENTS, GuardClient, GuardRow, Rewrites, Tested, guard_client,
};
pub use headless::{HeadlessRun, HeadlessSpec};
pub use install_spec::{
    AllowedTools, DirectoryVariable, FailClosed, HookCommand, HookFormat, HookList, HookTrust,
    InstallSpec, ListedHook, PluginSettingNames, PluginSpec, RulesFile, SettingNames, Switch,
    TrustedHooks,
};
pub use observed::{Malformed, Observed};
pub use pattern_text::{OnlyShellHasCommands, PatternText, pattern_text};
pub use plugin_hooks::{ENFORCE_WORD, Guarding, PLUGIN_WORD};
pub use process::{Process, agent_of, client_of, mark_of, telling_variables};
pub use registration::Registration;
pub use settings_hooks::HookScope;
pub use spec::{
    AGENTS, AgentSpec, Capture, Carried, DEMONSTRATED, DEMONSTRATED_RUN, Decode, Encode, HookEvent,
    IsForeign, Part, Proof, RawInput, ReadCall, Salvage, TellVersion, by_name,
};
pub use ticket_call::{ClosedTicket, closed_tickets};
