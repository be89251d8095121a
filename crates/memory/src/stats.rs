//! Statistics of learnings: lines that are appended to a file that a team shares, and their fold.
//!
//! Git puts the lines of two branches together in any order and may repeat some. Every fold here
//! gives the same result in any order and with any repetitions.

mod account;
mod given_line;
mod line;
mod miss;
mod of_event;
mod overview;
mod parsing;
#[cfg(test)]
mod samples;
mod tally;
mod usage;

pub use account::Account;
pub use line::{StatsEvent, StatsLine, VERSION, render};
pub use miss::{Miss, misses};
pub use of_event::lines_of;
pub use overview::{Group, Overview, Period, TREND_DAYS, Trend};
pub use parsing::{Log, parse};
#[cfg(test)]
pub(crate) use samples::in_session;
pub use tally::Tally;
pub use usage::{LearningKey, USAGE_BYTES, Usage};
