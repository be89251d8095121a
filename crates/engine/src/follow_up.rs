//! Work that follows once an event's records are on disk.

use std::path::Path;

use verger_event::{Answer, Event, VergerPart};
use verger_gate::LeftLine;
use verger_store::{Store, Turn, with_causes};

use crate::State;
use crate::call::{Appended, Call, is_told};
use crate::clock::seed_of_child;
use crate::failure::Failure;
use crate::left_commands::Runner;
use crate::notification;
use crate::upkeep::LeftSessions;

impl<S: Store> Call<'_, S> {
    pub(crate) fn follow_up(&self, appended: &Appended) -> Result<(), Failure> {
        self.tell_unfinished(appended)?;
        self.count(appended)?;
        self.notify(appended)?;
        if appended.is_start {
            let (environment, clock) = (self.engine.environment, self.engine.clock);
            LeftSessions { home: self.home, store: self.store, environment, clock }
                .look_daily(self.key);
        }
        Ok(())
    }

    /// Records failures of work that the store did after its commit. Each message is recorded
    /// once, because every call would repeat it.
    fn tell_unfinished(&self, appended: &Appended) -> Result<(), Failure> {
        let unfinished = self.store.take_unfinished();
        if unfinished.is_empty() {
            return Ok(());
        }
        let messages = unfinished.iter().map(|error| format!("cannot {}", with_causes(error)));
        let message = messages.collect::<Vec<_>>().join("\n");
        let turn = self.store.open::<State>(self.key)?;
        if !is_told(&turn.state().session, &message) {
            let warning = Event::Warned { area: VergerPart::Store.into(), message };
            turn.commit(vec![self.warning(&appended.origin, warning, appended.on)])?;
        }
        Ok(())
    }

    /// Starts the person's notification program if there is a text for it. A failure to start it
    /// is recorded as a warning.
    fn notify(&self, appended: &Appended) -> Result<(), Failure> {
        let command = &self.loaded.settings.notify.command.value;
        let (Some(command), Some(text)) = (command, &appended.notification) else { return Ok(()) };
        let cwd = appended.origin.circumstance.cwd.as_deref();
        let sent = notification::send(command, text, cwd, self.engine.environment);
        let Err(error) = sent else { return Ok(()) };
        let message = format!("cannot run notify.command ({}): {error}", command.program);
        let warning = Event::Warned { area: VergerPart::Config.into(), message };
        let warning = self.warning(&appended.origin, warning, appended.on);
        self.store.open::<State>(self.key)?.commit(vec![warning])?;
        Ok(())
    }

    /// Adds the call's lines to the statistics of learnings. A failure is recorded as a warning,
    /// because the agent can't do anything about it.
    fn count(&self, Appended { on, origin, lines, .. }: &Appended) -> Result<(), Failure> {
        if lines.is_empty() {
            return Ok(());
        }
        let place = self.learnings_place(origin.circumstance.cwd.as_deref());
        let counted = place.map_or(Ok(()), |place| place.kept.tell(lines));
        let Err(error) = counted else { return Ok(()) };
        let message = format!("cannot {}", with_causes(&error));
        let warning = Event::Warned { area: VergerPart::Statistics.into(), message };
        self.store.open::<State>(self.key)?.commit(vec![self.warning(origin, warning, *on)])?;
        Ok(())
    }

    /// Runs a command that an agent left to the hook, and returns the answer with the command's
    /// result. The call is recorded first, so that a second report of the same call doesn't run
    /// the command again.
    pub(crate) fn do_left(&self, left: &LeftLine, appended: Appended) -> Result<Answer, Failure> {
        let Appended { mut answer, leaving, .. } = appended;
        let Some(about) = leaving else { return Ok(answer) };
        let Some((call, _)) = about.event.ended_call() else { return Ok(answer) };
        let runner = Runner {
            spec: self.engine.spec,
            environment: self.engine.environment,
            store: self.store,
            key: self.key,
            cwd: about.origin.circumstance.cwd.as_deref().map(Path::new),
            seed: seed_of_child(self.engine.clock),
        };
        let decision = runner.decide(left, call);
        let (more, events) = decision.into_answer(about.id, about.event.kind());
        let drafts: Vec<_> = events.into_iter().map(|event| self.own(&about, event)).collect();
        self.store.open::<State>(self.key)?.commit(drafts)?;
        let texts = [answer.context, more.context];
        answer.context = texts.into_iter().flatten().reduce(|one, two| one + "\n\n" + &two);
        Ok(answer)
    }
}
