//! The English words and phrases that count, with commas between them.

/// What was made or changed, and does not end in "ed".
pub(super) const IRREGULAR_DEEDS: &str = "built, cut, done, made, put, rebuilt, reset, \
     rewritten, rewrote, set, split, written, wrote, brought, undid, took, taken, gave, given, \
     sent, shut, gone, hid, hidden, swept, drew, drawn, became, become, laid, bound, broken, \
     spun, sped, rerun, redone, overhauled, taught, run";

/// Words in "ed" that make nothing.
pub(super) const NO_DEEDS: &str = "aborted, affected, analysed, analyzed, asked, assessed, \
     assumed, attempted, audited, based, believed, bisected, cancelled, canceled, blocked, \
     called, checked, compared, concerned, confirmed, considered, counted, crashed, debugged, \
     decided, deprecated, designed, detected, diagnosed, discussed, drafted, embedded, \
     encountered, estimated, evaluated, examined, expected, explored, exceeded, expired, failed, \
     feed, focused, followed, happened, hundred, identified, indeed, inspected, intended, \
     isolated, killed, interested, interpreted, interrupted, investigated, limited, listed, \
     located, looked, marked, measured, mentioned, missed, mixed, named, narrowed, need, needed, \
     noted, noticed, observed, occurred, outlined, paused, pinpointed, planned, profiled, \
     proposed, queued, read, reached, received, recommended, red, refused, related, remained, \
     reported, reproduced, required, researched, reverted, reviewed, scanned, scoped, searched, \
     seed, seemed, sketched, skipped, speed, started, stayed, stopped, studied, succeeded, \
     suggested, supposed, suspected, timed, traced, tracked, tried, unchanged, unrelated, \
     unchecked, used, verified, wanted, watched, waited, wondered, worked, agreed, approved, \
     allowed, advanced, shared, stored, computed, passed, tested, requested, owned, parsed, \
     defined, declared, cached, ordered, sorted, stuck, tied, nested, unused, typed";

/// What work is when it is done, behind "is", "are" or "has been".
pub(super) const STATES: &str = "resized, rotated, renewed, restarted, rebooted, rebased, \
     extracted, simplified, unified, consolidated, inlined, downgraded, patched, provisioned, \
     hooked up, integrated, localised, localized, optimised, optimized, hardened, secured, \
     reorganised, restructured, swapped, addressed, added, cleaned up, closed, complete, \
     completed, configured, converted, corrected, covered, created, deployed, documented, done, \
     enabled, finished, fixed, gone, implemented, in place, installed, live, merged, migrated, \
     moved, published, pushed, ready, released, removed, renamed, replaced, resolved, restored, \
     rewritten, set up, solved, split, tagged, updated, upgraded, wired up, working, reset, \
     up to date, handled, translated, refactored, cleaned, landed, shipped, up and running, \
     committed, rolled out, online, built, written, repaired, reworked, ported, switched, \
     dropped, honoured, history";

/// Other words for being done.
pub(super) const FINISHED: &str = "all set, everything you asked, all you asked, \
     everything you listed, nothing to do here, nothing to change, it resolves, it fixes, \
     it solves, this resolves, this fixes, this solves, which fixes, which resolves, \
     nothing is left, nothing left, as requested, can be closed, what i did, what i changed, \
     what changed, changes made, what was done, ready for review, ready to merge, good to go, \
     all done, wrapped up, took care of, taken care of, no changes were, no change needed, \
     no changes needed, should be gone, should now, has the change, has the fix, with the fix, \
     should fix, should resolve, should do it, is complete, works again, works now, \
     works as expected, here you go, there you go, here's the finished, here is the finished";

/// Where one of these stands before the words, what follows is not so yet, or not this work.
pub(super) const CONDITIONS: &str = "if, when, whenever, once, to say, to call, definition, \
     should the, should this, should it, after that, afterwards, until, unless, assuming, \
     provided, would, will, i'll, we'll, you'll, they'll, it'll, could, might, may, can't, \
     cannot, not, isn't, aren't, wasn't, weren't, hasn't, haven't, didn't, doesn't, don't, \
     never, none, nor, before, after you, says, said, according, to make, to be, you wrote, \
     you've, he, she, have to, has to, needs, need to, must, to get, as soon as, let's, to finish";

/// Somebody else's work.
pub(super) const OTHERS: &str = "upstream, colleague, on your machine, released in, the team, \
     the author, in version, last year, as of, last week, last month, last night, last night's, \
     this week, yesterday, ago, was introduced, was added in, was removed in, since version, \
     this pr, the pr";

/// Something is missing, or was not done.
pub(super) const MISSING: &str = "is missing, are missing, still missing, what's missing, \
     left out, remain to, the rest is, the rest of, the rest are, the rest will, left to do, \
     still to do, todo list, in progress, half way, halfway, wip, partially, stubbed, \
     everything but, are open, is open, still open, tomorrow, next session, what doesn't, \
     left to, is left, are left, still to come, to follow, will follow, comes later, come later, \
     first draft, rough draft, first cut, first pass, your decision, first part, first half, \
     second half, other half, half of, good progress, progress so far, progress update, \
     status update, where things stand, not covered, incomplete, unfinished, postponed, \
     unresolved, unsolved, under way, underway, ongoing, but not, didn't get to, out of time, \
     needs to be, still needs, another session, queued for, scheduled for, we need, \
     everything else is, will take, nearly there, almost done, nearly done, with the exception, \
     a start on, second session, another round, short of, isn't what, not what";

/// It went wrong.
pub(super) const FAILED: &str = "unfortunately, gave up, give up, giving up, ran out of, \
     out of ideas, i reverted, i've reverted, reverted everything, reverted the, reverted my, \
     nothing i, rolled back, rolled it back, permission denied, was aborted, sorry, \
     stopped here, i stopped, stopped at, stopping here, had to stop, correct myself, \
     i was wrong, i'm stuck, got stuck, gets stuck, i'm blocked, is blocked, blocked by, \
     blocked on, not possible, is impossible, no longer exists, don't have permission, \
     the same error, doesn't compile, no luck, don't understand, the error is the same, \
     same problem, backed out, discarded, as far as i got, is wrong, are wrong, persists, \
     persist, keeps failing, keeps happening, comes back, come out again, premature, \
     nothing happens, i'm lost, at a loss, stopped there, scrapped it, dropped them all, \
     isn't permitted, not permitted";

/// It goes on, it waits, or it is only meant.
pub(super) const GOES_ON: &str = "time to, i'll, i will, we'll, i plan, i intend, i want to, \
     i expect to, let me know when, let me know which, let me know how, tell me when, \
     tell me what, tell me which, tell me if, send me, please confirm, please choose, \
     please decide, go-ahead, before i, until you, next i, next steps, what's next, next up, \
     have in mind, is next, are next, up next, comes next, come next, i need, i've started, \
     i have started, i started, ready to implement, ready to start, your decision, your call, \
     hear from you, waiting for, waiting on, wait for, awaiting, reply with, answer with, \
     ready when, got it, understood, noted, glad, are running, it'll, to finish";

/// Nothing was made: it was only looked at.
pub(super) const LOOKED: &str = "review is complete, review is done, review is finished, \
     my only, nicely done, nice work, well done, well written, review of, reviewed, reviewing, \
     analysis, investigation, verdict, request changes, requesting changes, approve, \
     i went through, looked at the, read-only, research, assessment, review completed, \
     review complete, review done, lgtm, nit, nits, blocker, blockers, severity, my comments, \
     concern, concerns, audit is, audit of, audit complete, audit done";

/// It is said that nothing was made.
pub(super) const NOTHING_MADE: &str = "no edits, no changes made, no changes were made, \
     didn't change, haven't changed, haven't touched, nothing was changed, nothing is changed, \
     nothing changed, nothing has been, no code changed, no code was, without changing anything";

/// What would be well to do.
pub(super) const ADVICE: &str = "i'd, i would, we'd, we would, you could, you should, \
     you can either, i suggest, i recommend, i propose, i estimate, i lean, my suggestion, \
     my recommendation, would be, would make, looks good";

/// A plan is told.
pub(super) const PLANS: &str = "plan, proposal, proposed, suggested, outline, approach, options, \
     milestone, effort, estimate, idea";

/// Somebody else says so.
pub(super) const SAYS: &str = "says quote, said quote, reads quote, claims that, according to, \
     says that, the ticket, means that, you wrote, release notes, the log, acceptance criteria, \
     the output, output of";

/// An offer to a person is no open question.
pub(super) const OFFERS: &str = "would you like me, do you want me to, want me to, \
     anything else, shall i, should i, let me know if, happy to, would you like, do you want";

/// What is not of this work, or was so before it.
pub(super) const ASIDE: &str = "third-party, third party, we don't control, unrelated, \
     not related, nothing to do with, on main too, before the change, before my change, \
     failing before, failed before, without the change, without the fix, not part of, \
     isn't part of, fails on main, failed on main, pre-existing, preexisting, out of scope, \
     outside the scope, you only, you mentioned, only asked, you said, earlier i said, used to, \
     as before, previously, the first version, let me know if, if you'd like, if you want, \
     i'd be happy, i'm happy to, you asked me not to, if you disagree, ping me";

/// Titles of what is left.
pub(super) const OPEN_HEADINGS: &str = "open, missing, left, remaining, todo, to do, pending, \
     next, not done, not finished, not delivered, not started, not included, outstanding, \
     in progress, what's left, what's missing, what's next, what doesn't, what isn't, \
     what's not, still open, blocked, skipped, omitted, deferred, known problems, known gap, \
     known gaps, todos";

/// Titles of what was wrong before the work.
pub(super) const CAUSES: &str = "cause, causes, root cause, problem, background, what happened, \
     what was wrong, why, symptom, reason, issue, diagnosis, context";

/// It is told why something is so.
pub(super) const EXPLAINS: &str = "because, means, the reason is, the reason for, which is why, \
     that's why, this is why, so that's, it depends, as follows, the difference, works like, \
     here's how, here's what happens, short answer, short version, in short, comes from, \
     comes down to, you're on, you see, you get, is what, which is the, whatever, \
     whether or not, none of, hence, the former, the latter, explains, that's the, you need, \
     you'd need, you have to, you must";

/// Something is missing, if the sentence does not tell with it what was made.
pub(super) const MAYBE_MISSING: &str = "remain, remains, remaining, is partial, a stub, \
     placeholder, for now, is pending, are pending, still pending, outstanding, the others, \
     the other two, the other three, mocked out, commented out, deferred, i skipped, are stubs, \
     stubs, is mocked, are mocked";

/// Verbs that look, at the beginning of a sentence or after "I".
pub(super) const ONLY_LOOKED: &str = "analysed, analyzed, assessed, audited, checked, compared, \
     examined, explored, had, inspected, investigated, looked, profiled, read, reviewed, \
     scanned, searched, skimmed, studied, traced, walked, went, dug";

/// What may stand before the first word that counts.
pub(super) const INTERJECTIONS: &str = "ok, okay, sure, great, alright, perfect, good, yes, yep, \
     all, successfully, and, so, also, news, hi, finally, just, both, everything";

/// What says that something is otherwise than it was.
pub(super) const CHANGED: &str = "gets rid of, no longer, from now on, instead of, rather than, \
     down from, up from, went from, dropped from";

/// What says that something was kept or asked for, which says little by itself.
pub(super) const UNCHANGED: &str = "as before, new, unchanged, you asked for, you requested, \
     requested, stays, stay, keeps, keep";

/// What is said of something that was run and went well.
pub(super) const WENT_WELL: &str = "pass, passes, passed, passing, succeed, succeeds, succeeded, \
     green, clean, quiet, happy, compiles, success, agree, agrees";

/// What it is good to have none of.
pub(super) const BAD_COUNTS: &str = "failures, failure, errors, failed, warnings, violations, \
     findings, regressions, failing, differences, drops, crash, crashes, complaints, conflicts, \
     issues, leaks, mismatches, mismatch, races, misses, deviations, violation, differing";

/// What may still be so, and is well.
pub(super) const STILL_WELL: &str = "pass, passes, passing, green, work, works, compiles, \
     builds, behaves, valid, fine, supported, accepted, holds, accepts, possible, keeps, \
     returns, supports, available";

/// What is not done where one of these is denied.
pub(super) const ENDS_OF_WORK: &str = "done, complete, completed, finished, finish, fixed, fix, \
     implemented, working, work, works, started, ready, merged, usable, solved, resolved, hold, \
     begun, addressed, delivered, made, written, moved, converge, possible, enough, saved, \
     built, installed, applied, deployed, supported, included, covered, happy, satisfied, \
     respond, answer, compile, build, pass, handled, wired, there, help, helped";

/// What need not have been done with the work for it to be done.
pub(super) const OPERATED: &str = "tested, verified, checked, run, only, applied, deployed, \
     pushed, flashed, tried, measured, compiled, built";

/// Verbs of looking at what was made, after "I couldn't".
pub(super) const LOOKS: &str = "run, verify, test, reproduce, check, start, measure, try, \
     confirm, compare, tested, verified, reproduced, checked, exercise, validate, see, simulate, \
     observe, benchmark, tried, launch, boot, connect, prove, execute, say, judge, guarantee, \
     build, render, view, rerun, exercised, time, trigger, tell, know, provoke, catch, generate";

/// Words for a look at the work, and for where it could not be had.
pub(super) const OF_LOOK: &str = "tested, verified, checked, run, test, verify, check, \
     reproduce, reproduced, measured, try, tried, exercised, confirmed, here, environment, \
     sandbox, locally, device, hardware, credentials, matter, harm, need, touched, changed, wrong";

/// Verbs before the words of somebody else.
pub(super) const SAY_VERBS: &str = "says, say, said, claims, claimed, states, reads, reports, \
     prints, announces, writes, wrote, shows, displays, answers, promises";

/// How work is that is not as it should be.
pub(super) const BAD_STATES: &str = "off, wrong, broken, stuck, empty, stale, red, unusable, \
     unresponsive, incorrect, incomplete, unclear, untouched, flaky, unstable, garbled, corrupt, \
     unfinished, inconsistent, blank, outdated, unreliable, unsupported, unhandled, \
     unimplemented, absent, slower, worse";

/// What goes wrong, said of what is so now.
pub(super) const BREAKS: &str = "exits, crashes, hangs, panics, segfaults, breaks, complains, \
     dies, deadlocks, leaks, flickers, refuses, trips, differs, differ, diverges, overflows, \
     freezes, stalls, lags, glitches, misses, misbehaves, regresses, times out";

/// What is done to something, and may have been so before the work.
pub(super) const DESCRIBED: &str = "kept, shown, stored, cached, sorted, parsed, computed, read, \
     held, typed, checked, validated, sent, logged, tracked, rejected, refused, ignored, \
     counted, listed, skipped, queued, shared, embedded";
