//! The test environment, a scripted model upstream and the real coding agents.
//!
//! ```no_run
//! use verger_testkit::{ClaudeCode, Reply, Script, TestEnvironment, Upstream, Version};
//!
//! let environment = TestEnvironment::new();
//! let upstream = Upstream::start(Script::new().step(Reply::text("Hello.")));
//! let run = ClaudeCode::installed(Version::V2_1_326).print("Say hello").run(&environment, &upstream);
//! assert_eq!(run.success().answer(), "Hello.");
//! upstream.finish();
//! ```
//!
//! A [`Client`] is any of the agents, so that one test can be written for all of them:
//!
//! ```no_run
//! use verger_testkit::{Client, Reply, Script, TestEnvironment, Upstream};
//!
//! let environment = TestEnvironment::new();
//! for client in Client::ALL {
//!     let call = Reply::blocks([client.shell("echo hello")]);
//!     let upstream = Upstream::start(Script::new().step(call).step(Reply::text("Done.")));
//!     let run = client.prompt("Say hello").run(&environment, &upstream);
//!     assert_eq!(run.success().answer(), "Done.");
//!     upstream.finish();
//! }
//! ```
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "test support: a failure here is a failure of the test, and tests start programs"
)]

mod captured;
mod claim_score;
mod claude_code;
mod client;
mod conversation;
mod drift_script;
mod enclosure;
mod environment;
mod guard_corpus;
mod guard_score;
mod hook_answer;
mod meeting;
mod output;
mod processes;
mod processor_time;
mod sandbox;
mod stand_in;
mod supervised;
mod terminal;
mod upstream;

pub use captured::{captured, captured_payloads, changed};
pub use claim_score::{ClaimTotals, LabelledMessage, ScoredMessage, score_claims};
pub use claude_code::{
    ClaudeCode, HookCall, Interactive, OnPath, PermissionMode, Playing, Print, PrintRun,
    RecordingHook, Scenario, ScenarioPlayed, UnknownScenario, UnknownVersion, Version,
    hook_settings,
};
pub use client::{
    Client, ClientPrompt, ClientRun, CodexVersion, InstallError, Newest, agents_directories,
    install, install_newest,
};
pub use conversation::{Conversation, Speaker};
pub use drift_script::DriftScript;
pub use enclosure::Isolation;
pub use environment::TestEnvironment;
pub use guard_corpus::{Label, LabelledCommand, Part, labelled_commands};
pub use guard_score::{Scored, Share, Totals, by_category, score};
pub use hook_answer::HookAnswer;
pub use meeting::Meeting;
pub use output::{Filter, Output};
pub use processes::kill_all_with_home;
pub use processor_time::processor_ms;
pub use stand_in::{Misbehaviour, StandIn};
pub use terminal::{Terminal, TerminalSize};
pub use upstream::Upstream;
pub use verger_event::TaskEnding;
pub use verger_upstream::{Block, Kind, Reply, Request, Rule, Script, Usage};
