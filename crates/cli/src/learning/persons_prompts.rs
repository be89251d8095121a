//! The prompts that a person gave to the main agent of a session, from the session's log.

use verger_event::{Event, Fold, Session};
use verger_store::{SegmentName, Store};

use crate::invocation::command_error::CommandError;
use crate::sessions::event_picker::each_record;

/// All prompts in order.
pub(crate) fn persons_prompts(
    store: &impl Store,
    segment: &SegmentName,
) -> Result<Vec<String>, CommandError> {
    let (mut session, mut prompts) = (Session::default(), vec![]);
    each_record(store, segment, &mut |record| {
        let draft = &record.draft;
        if let Event::PromptSubmitted { prompt, .. } = &draft.event
            && session.is_persons_prompt(&draft.origin.actor, &draft.event)
        {
            prompts.push(prompt.clone());
        }
        session.apply(&record);
    })?;
    Ok(prompts)
}
