//! Finds the event that a person names.

use verger_config::near;
use verger_engine::State;
use verger_event::{EventId, Record, Timestamp};
use verger_store::{Entry, ReadLog, SegmentName};
use verger_store_local::{Index, LocalStore, SessionRow};

use crate::invocation::command_error::CommandError;
use crate::render::output::{Ui, count};
use crate::render::progress::Meter;
use crate::render::short_ids::{ambiguous, is_meant_event};
use crate::sessions::picker::choose;

/// The maximum number of events that a message names.
const MAX_NAMED: usize = 3;
const ID_CHARS: usize = 26;
/// The minimum number of characters from the end of an id that can name an event.
const MIN_END_CHARS: usize = 8;

/// The event that a person typed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// An id, its beginning or its last characters.
    Id(String),
    /// A number in the given session.
    Place { session: String, seq: u64 },
    /// A number in the default session.
    Seq(u64),
}

/// An event and where it was found.
#[derive(Debug, PartialEq)]
pub(crate) struct Located {
    pub(crate) segment: SegmentName,
    pub(crate) record: Record,
}

impl Located {
    /// A name of the event that a person can type: the session with the number, if the event has
    /// one.
    pub(crate) fn name(&self) -> String {
        let draft = &self.record.draft;
        match (&self.segment, self.record.seq) {
            (SegmentName::Session(_), 1..) => {
                format!("{}:{}", draft.origin.session, self.record.seq)
            }
            (SegmentName::Session(_), 0) | (SegmentName::Project(_), _) => draft.id.to_string(),
        }
    }
}

impl Wanted {
    pub(crate) fn parse(text: &str) -> Result<Self, CommandError> {
        if let Some((session, seq)) = text.rsplit_once(':')
            && let Ok(seq) = seq.parse()
        {
            return Ok(Self::Place { session: session.to_owned(), seq });
        }
        // A text that begins with 0 is an id: ids will begin with 0 for some hundred years. A long
        // number is also an id, because no session has so many events.
        if !text.starts_with('0')
            && text.len() < MIN_END_CHARS
            && let Ok(seq) = text.parse()
        {
            return Ok(Self::Seq(seq));
        }
        let is_end = text.len() >= MIN_END_CHARS && text.chars().all(is_id_letter);
        let is_id = (1..=ID_CHARS).contains(&text.len())
            && (is_end
                || (text.starts_with(|first| ('0'..='7').contains(&first))
                    && earliest(text).is_some()));
        if is_id {
            return Ok(Self::Id(text.to_ascii_uppercase()));
        }
        Err(CommandError::Usage {
            message: format!("{text:?} is not an event's id"),
            hint:
                "give an id, the beginning of one, or SESSION:NUMBER, as verger session trace SESSION -v \
                   shows them"
                    .to_owned(),
        })
    }
}

/// Whether an id may contain this character: digits, and letters without I, L, O and U.
fn is_id_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() && !"ILOU".contains(letter.to_ascii_uppercase())
}

fn earliest(prefix: &str) -> Option<Timestamp> {
    Some(format!("{prefix:0<ID_CHARS$}").parse::<EventId>().ok()?.made_at())
}

fn latest(prefix: &str) -> Option<Timestamp> {
    Some(format!("{prefix:Z<ID_CHARS$}").parse::<EventId>().ok()?.made_at())
}

/// The event with this number in a session.
pub(crate) fn in_session(
    store: &impl ReadLog,
    segment: SegmentName,
    seq: u64,
) -> Result<Located, CommandError> {
    let (mut found, mut last) = (None, None);
    each_record(store, &segment, &mut |record| {
        last = Some(record.seq.max(last.unwrap_or_default()));
        if record.seq == seq {
            found = Some(record);
        }
    })?;
    let (SegmentName::Session(stem) | SegmentName::Project(stem)) = &segment;
    let session = store.key_of(stem)?.map_or_else(|| stem.clone(), |key| key.session.to_string());
    found.map(|record| Located { segment, record }).ok_or_else(|| CommandError::Usage {
        message: match last {
            Some(last) => format!("session {session} has no event {seq}: its last is {last}"),
            None => format!("session {session} has no event that can be read"),
        },
        hint: format!("verger session trace {session} lists its events"),
    })
}

/// The event with this number in the session that a person names.
pub(crate) fn at_place(
    store: &LocalStore,
    session: &str,
    seq: u64,
) -> Result<Located, CommandError> {
    in_session(store, choose(store, session)?, seq)
}

/// The only event with this id, or with this part of an id.
pub(crate) fn by_id(ui: &Ui, store: &LocalStore, prefix: &str) -> Result<Located, CommandError> {
    let mut search = Search { prefix, matching: vec![], others: vec![] };
    let segments = |rows: Vec<SessionRow>| rows.iter().map(SessionRow::segment).collect::<Vec<_>>();
    let likely = match (latest(prefix), earliest(prefix)) {
        (Some(latest), Some(earliest)) => {
            Index::current::<State, _>(store, |index| index.sessions_around(latest, earliest))?
        }
        _ => vec![],
    };
    let likely = segments(likely);
    search.through(ui, store, likely.clone())?;
    if search.matching.is_empty() {
        // These sessions are unlikely: the clock may have been set back, or the session was removed
        // but the record was kept.
        let all = segments(Index::list::<State>(store)?).into_iter();
        let rest = all.chain(store.project_segments()?).filter(|name| !likely.contains(name));
        search.through(ui, store, rest.collect())?;
    }
    search.result()
}

struct Search<'a> {
    prefix: &'a str,
    matching: Vec<Located>,
    others: Vec<String>,
}

impl Search<'_> {
    fn through(
        &mut self,
        ui: &Ui,
        store: &impl ReadLog,
        segments: Vec<SegmentName>,
    ) -> Result<(), CommandError> {
        let mut meter = Meter::new(ui, "searching segment");
        let total = segments.len();
        for (done, segment) in (1..).zip(segments) {
            each_record(store, &segment, &mut |record| {
                if is_meant_event(record.draft.id, self.prefix) {
                    self.matching.push(Located { segment: segment.clone(), record });
                } else {
                    self.others.push(record.draft.id.to_string());
                }
            })?;
            meter.update(done, total);
        }
        Ok(())
    }

    fn result(mut self) -> Result<Located, CommandError> {
        let prefix = self.prefix;
        match self.matching.len() {
            1 => Ok(self.matching.swap_remove(0)),
            0 => Err(CommandError::Usage {
                message: format!("no event has the id {prefix:?}"),
                hint: match &nearest(prefix, self.others)[..] {
                    [] => {
                        "verger session trace SESSION -v lists the events of a session, verger session list the sessions".into()
                    }
                    near => {
                        format!("verger session trace SESSION -v lists the events of a session; similar ids: {}", near.join(", "))
                    }
                },
            }),
            _ => Err(ambiguous(prefix, self.matching.iter().map(|found| found.record.draft.id))),
        }
    }
}

/// The ids with the fewest differences from the typed prefix. If none is similar, the ids with the
/// longest common prefix, because these were created at about the same time.
fn nearest(prefix: &str, ids: Vec<String>) -> Vec<String> {
    let typed = |id: &String| id[..id.len().min(prefix.len())].to_owned();
    let shared = |id: &String| id.bytes().zip(prefix.bytes()).take_while(|(a, b)| a == b).count();
    let mut found: Vec<_> = near(prefix, ids.iter().map(|id| (typed(id), id)), |(typed, _)| typed)
        .into_iter()
        .map(|(_, id)| id.clone())
        .collect();
    if found.is_empty() {
        let longest = ids.iter().map(shared).max().unwrap_or_default();
        found = ids.into_iter().filter(|id| longest > 1 && shared(id) == longest).collect();
    }
    found.truncate(MAX_NAMED);
    found
}

/// Calls `each` for all readable records, merged or not. Returns the number of unreadable lines.
pub(crate) fn each_record(
    store: &impl ReadLog,
    segment: &SegmentName,
    each: &mut dyn FnMut(Record),
) -> Result<usize, CommandError> {
    let mut unread = 0;
    store.read_segment(segment, &mut |entry| match entry {
        Entry::Record(record) | Entry::Spilled(record) => each(*record),
        Entry::Foreign { .. } | Entry::Bad { .. } => unread += 1,
    })?;
    Ok(unread)
}

/// Like [`each_record`], but reports the unreadable lines. For commands that show a whole session.
pub(crate) fn each_record_told(
    ui: &Ui,
    store: &impl ReadLog,
    segment: &SegmentName,
    each: &mut dyn FnMut(Record),
) -> Result<(), CommandError> {
    if let unread @ 1.. = each_record(store, segment, each)? {
        let lines = count(unread, "line");
        ui.warn(&format!("{lines} of this session cannot be read; verger log verify says why"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_named_by_id_by_place_or_by_number() {
        let id = |text: &str| Some(Wanted::Id(text.into()));
        let place = |session: &str, seq| Some(Wanted::Place { session: session.into(), seq });
        for (text, expected) in [
            ("01M7G83FEM0000000000000007", id("01M7G83FEM0000000000000007")),
            ("01m7g8", id("01M7G8")),
            ("0", id("0")),
            ("1111:3", place("1111", 3)),
            ("a:b:12", place("a:b", 12)),
            ("12", Some(Wanted::Seq(12))),
            ("zz000007", id("ZZ000007")),
            ("12345678", id("12345678")),
            ("12345678901234567890123456Z", None),
            ("", None),
            ("1111:", None),
            ("1111:x", None),
            ("what", None),
            ("01M7G83FEM00000000000000071", None),
            ("01U", None),
        ] {
            assert_eq!(Wanted::parse(text).ok(), expected, "{text:?}");
        }
    }

    #[test]
    fn near_ids_are_those_with_few_differences_or_of_about_the_same_time() {
        let ids = || ["01M7G83FEM0A", "01M7G83FEM0B", "01M7H00000ZZ"].map(str::to_owned).to_vec();
        assert_eq!(nearest("01M7G83FEM0C", ids()), ["01M7G83FEM0A", "01M7G83FEM0B"]);
        assert_eq!(nearest("01M7G83FME0B", ids()), ["01M7G83FEM0B", "01M7G83FEM0A"]);
        assert_eq!(nearest("01M7HABCDEFG", ids()), ["01M7H00000ZZ"]);
        assert_eq!(nearest("7", ids()), Vec::<String>::new());
    }
}
