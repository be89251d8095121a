//! One module per coding agent. It decodes the agent's payloads into events, and encodes verdicts
//! into answers that the agent honours.
//!
//! An agent is a folder of four files and one table. `wire` holds the real program's payloads;
//! `decode` turns them into the types of `verger-event`. `salvage` keeps payloads that can't be
//! decoded, so that no change of a program empties the log. `encode` turns an
//! [`Answer`](verger_event::Answer) into an answer of the program. The [`AgentSpec`] beside them
//! lists, event by event, the possible events and answers. `encode` obeys the table, so that the
//! table can't promise an answer that is not sent. Programs look an agent up with [`by_name`] and
//! never name one.
//!
//! An event without a captured payload keeps its payload unparsed. To add an agent: capture its
//! payloads into `fixtures/<agent>/<version>/`, write the folder, and add the spec to [`AGENTS`].
//!
//! This crate is pure: it has no clock, no environment and no files.

mod attribution;
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
    AllowedTools, DirectoryVariable, FailClosed, HookCommand, HookFormat, HookList, InstallSpec,
    PluginSettingNames, PluginSpec, SettingNames, Switch,
};
pub use observed::{Malformed, Observed};
pub use pattern_text::{OnlyShellHasCommands, PatternText, pattern_text};
pub use plugin_hooks::{ENFORCE_WORD, Guarding, PLUGIN_WORD};
pub use process::{Process, agent_of, client_of, mark_of, telling_variables};
pub use registration::Registration;
pub use settings_hooks::HookScope;
pub use spec::{
    AGENTS, AgentSpec, Capture, Carried, DEMONSTRATED, DEMONSTRATED_RUN, Decode, Encode, HookEvent,
    Part, Proof, RawInput, ReadCall, Salvage, TellVersion, by_name,
};
pub use ticket_call::{ClosedTicket, closed_tickets};
