//! Measures the cost of drift: for events that lead to a score, for all other events, and in long
//! sessions.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::bench::calls::{Place, Plan};
use crate::bench::figures::{Bound, Figure, median};
use crate::bench::hook::{LONG, SHORT, WARM_UP, compared, seeded};
use crate::failure::Failure;

/// The number of batches of tool calls after which a session is scored. This is the default
/// setting.
const BATCHES: usize = 3;
/// The divisor of the usual number of rounds. A round is expensive here: it has nine calls in each
/// lane.
const SHARE_OF_ROUNDS: usize = 4;

/// One lane of the measurement: a place, a session in it, and the name of its calls in the report.
struct Lane {
    name: &'static str,
    place: Place,
    session: String,
}

impl Lane {
    fn new(
        bench: &Bench<'_>,
        name: &'static str,
        mode: &str,
        records: usize,
    ) -> Result<Self, Failure> {
        let config = format!("[drift]\nmode = \"{mode}\"\n");
        let place = Place::with_config(&bench.folder, &config)?;
        let session = seeded(&place, 1, records)?;
        Ok(Self { name, place, session })
    }

    /// Adds the call for a prompt that sets a limit.
    fn prompt(&mut self, plan: &mut Plan, bench: &Bench<'_>) -> Result<(), Failure> {
        let prompt = json!({
            "hook_event_name": "UserPromptSubmit",
            "prompt": "Fix the parser in parser.rs: it drops comments. Do not touch src/lexer.rs.",
            "prompt_id": "prompt-drift",
        });
        self.call(plan, bench, "warm-up", "UserPromptSubmit", &prompt)
    }

    fn call(
        &mut self,
        plan: &mut Plan,
        bench: &Bench<'_>,
        lane: &str,
        event: &str,
        own: &Value,
    ) -> Result<(), Failure> {
        let payload = self.place.event(&self.session, own)?;
        let home = self.place.home();
        plan.call(lane, &home, &payload, &bench.programs.hook, &["claude", event]);
        plan.go();
        Ok(())
    }

    /// Adds the calls for one edit and the end of its batch.
    fn edit(
        &mut self,
        plan: &mut Plan,
        bench: &Bench<'_>,
        number: usize,
        is_warm: bool,
    ) -> Result<(), Failure> {
        let id = format!("toolu_drift_{number:010}");
        let path = self.place.path().join("project/src/parser.rs");
        let (old, new) = (text("skip_comment", number), text("keep_comment", number));
        let input = json!({ "file_path": path, "old_string": old, "new_string": new });
        let call = json!({ "tool_name": "Edit", "tool_input": input, "tool_use_id": id });
        let of = |event: &str, more: Value| {
            let mut own = call.clone();
            own["hook_event_name"] = json!(event);
            if let (Some(own), Some(more)) = (own.as_object_mut(), more.as_object()) {
                own.extend(more.clone());
            }
            own
        };
        let lane = |what: &str| {
            if is_warm { format!("{} {what}", self.name) } else { "warm-up".to_owned() }
        };
        let scores = number % BATCHES == BATCHES - 1;
        let batch_lane = lane(if scores { "scores" } else { "counts" });
        let response = json!({ "filePath": path, "structuredPatch": [] });
        let batch = json!({
            "hook_event_name": "PostToolBatch",
            "tool_calls": [{
                "tool_name": "Edit", "tool_input": input, "tool_use_id": id,
                "tool_response": "The file has been updated.",
            }],
        });
        let calls = [
            ("PreToolUse", lane("asks"), of("PreToolUse", json!({}))),
            ("PostToolUse", lane("did"), of("PostToolUse", json!({ "tool_response": response }))),
            ("PostToolBatch", batch_lane, batch),
        ];
        for (event, lane, own) in calls {
            self.call(plan, bench, &lane, event, &own)?;
        }
        Ok(())
    }
}

/// Some lines of code, as in a typical edit.
fn text(name: &str, number: usize) -> String {
    let line = |n: usize| format!("    let comment_{n} = self.{name}(token, {number})?;\n");
    (0..12).map(line).collect()
}

pub(crate) fn drift(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let mut lanes = [
        Lane::new(bench, "observe", "observe", SHORT)?,
        Lane::new(bench, "off", "off", SHORT)?,
        Lane::new(bench, "long", "observe", LONG)?,
    ];
    let rounds = (bench.args.rounds / SHARE_OF_ROUNDS).max(1) * BATCHES;
    let mut plan = Plan::default();
    for lane in &mut lanes {
        lane.prompt(&mut plan, bench)?;
    }
    let count = lanes.len();
    for number in 0..rounds + WARM_UP {
        for turn in 0..count {
            lanes[(number + turn) % count].edit(&mut plan, bench, number, number >= WARM_UP)?;
        }
    }
    let outcome = plan.run(&bench.programs.launcher, lanes[0].place.path())?;
    let times = |lane: &str| outcome.times(lane);
    let (scores, off, asks) = (times("observe scores"), times("off scores"), times("off asks"));
    let added = (median(&scores.cpu_ms) - median(&off.cpu_ms)) / median(&asks.cpu_ms);
    let mut figures = vec![Figure {
        name: "hook/drift scoring adds cpu",
        value: added,
        unit: "x",
        bound: Bound::AtMost(0.3),
        detail: format!(
            "median {:.3} ms (a batch that scores), {:.3} ms (the same, switched off), {:.3} ms (no opinion)",
            median(&scores.cpu_ms),
            median(&off.cpu_ms),
            median(&asks.cpu_ms),
        ),
    }];
    for (names, observe, off) in [
        (["hook/drift other calls cpu", "hook/drift other calls wall"], "observe asks", "off asks"),
        (["hook/drift other ends cpu", "hook/drift other ends wall"], "observe did", "off did"),
    ] {
        let pair = [("observe", &times(observe)), ("off", &times(off))];
        figures.extend(compared(names, 1.05, pair));
    }
    let long = times("long scores");
    let pair = [("50,000 events", &long), ("2,000 events", &scores)];
    figures.extend(compared(["hook/drift long cpu", "hook/drift long wall"], 1.2, pair));
    Ok(figures)
}
