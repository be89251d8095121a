//! Writes a log of many small sessions, one every twenty minutes up to now. Sessions older than a
//! week are packed, as they are for users.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;
use verger_engine::State;
use verger_event::stored::event_from;
use verger_event::{Draft, Event, EventId, ProjectId, SessionKey, Timestamp};
use verger_store::{Options, Receipt, Retention, Sessions, StoreError, Turn};
use verger_store_local::LocalStore;

use crate::bench::sample;
use crate::failure::Failure;

const APART_MS: u64 = 20 * 60 * 1000;
const IDLE_MS: u64 = 7 * 24 * 60 * 60 * 1000;
/// The number of sessions without an end, which are the latest ones.
const LIVE: usize = 3;
/// The interval of sessions in which a task was recorded: one in this many.
const SESSIONS_PER_TASK: usize = 10;
const WRITERS: usize = 2;

/// The project and the working directory of the sessions.
pub(crate) struct ManySessions<'a> {
    pub(crate) project: ProjectId,
    pub(crate) cwd: &'a Path,
}

impl ManySessions<'_> {
    pub(crate) fn write(&self, data: &Path, sessions: usize) -> Result<(), Failure> {
        let store = LocalStore::open(data, Options::default())?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = u64::try_from(now.as_millis()).unwrap_or_default();
        let share = |writer: usize| -> Result<(), Failure> {
            for back in (writer..sessions).step_by(WRITERS) {
                let name = format!("0f357e9b-fb48-4d7a-8f3b-{back:012}");
                let key = sample::key(&name).ok_or(Failure::NoSuchAgent)?;
                let began =
                    Timestamp::from_millis(now.saturating_sub(APART_MS * (back as u64 + 1)));
                let receipt = self.write_one(&store, &key, began, back)?;
                if let Receipt::Logged { last_seq } = receipt
                    && APART_MS * back as u64 > IDLE_MS
                {
                    store.pack(&key, last_seq)?;
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let writers = (0..WRITERS).map(|writer| scope.spawn(move || share(writer)));
            let writers: Vec<_> = writers.collect();
            writers.into_iter().try_for_each(|writer| writer.join().unwrap_or(Ok(())))
        })
    }

    fn write_one(
        &self,
        store: &LocalStore,
        key: &SessionKey,
        began: Timestamp,
        back: usize,
    ) -> Result<Receipt, StoreError> {
        let drafts = events(back).into_iter().zip(0_u16..).map(|(event, number)| {
            let mut draft = sample::draft(key, back * 16 + usize::from(number), event);
            draft.at = Timestamp::from_millis(began.as_millis() + 1000 * u64::from(number));
            draft.id = EventId::new(draft.at, (back as u128) << 8 | u128::from(number));
            draft.origin.project = Some(self.project.clone());
            draft.origin.circumstance.cwd = Some(self.cwd.to_string_lossy().into_owned());
            draft
        });
        let drafts: Vec<Draft> = drafts.collect();
        store.open::<State>(key)?.commit(drafts)
    }
}

fn events(back: usize) -> Vec<Event> {
    let mut events = vec![
        event_from(
            "session.started",
            &json!({ "source": "startup", "model": null, "transcript": null }).to_string(),
        ),
        sample::event(0),
        sample::event(2),
        sample::event(3),
        sample::event(19),
    ];
    if back % SESSIONS_PER_TASK == SESSIONS_PER_TASK - 1 {
        let goal = format!("Keep the last token of line {back}");
        let task = json!({
            "number": 1, "parent": null, "status": "complete", "trigger": "complete",
            "query": &goal, "goal": &goal, "commit": null, "task": {},
        });
        events.push(event_from("task.recorded", &task.to_string()));
    }
    if back >= LIVE {
        events.push(event_from("session.ended", &json!({ "reason": "other" }).to_string()));
    }
    events
}
