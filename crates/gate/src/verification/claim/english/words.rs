//! The English words and phrases that count, with commas between them.

/// What was made or changed, and does not end in "ed".
pub(super) const IRREGULAR_DEEDS: &str = "built, cut, done, made, put, rebuilt, reset, rewritten, rewrote, set, split, \
     written, wrote, brought, undid, took";

/// Words in "ed" that make nothing.
pub(super) const NO_DEEDS: &str = "analysed, analyzed, asked, assumed, attempted, based, blocked, checked, called, \
     compared, considered, counted, debugged, detected, discussed, examined, expected, explored, failed, \
     followed, identified, inspected, interpreted, investigated, listed, located, looked, measured, \
     mentioned, needed, noticed, planned, profiled, proposed, recommended, related, reproduced, reviewed, \
     reverted, scanned, searched, skipped, started, stopped, suggested, traced, tried, unrelated, used, \
     wanted, stayed, seemed, received, need, speed, feed, indeed, red, limited, advanced, mixed";

/// What work is when it is done, behind "is", "are" or "has been".
pub(super) const STATES: &str = "addressed, added, clean, cleaned up, closed, complete, completed, configured, \
     converted, corrected, covered, created, deployed, documented, done, enabled, finished, fixed, gone, \
     green, implemented, in place, in the report, installed, live, merged, migrated, moved, passing, \
     published, pushed, quiet, ready, released, removed, renamed, replaced, reset, resolved, restored, \
     rewritten, run over, set up, solved, split, tagged, updated, upgraded, wired up, working, in and, \
     reset, up to date, back, fast again, handled, honoured, translated, refactored, cleaned";

/// Tests, builds and other proofs that went well, and other words for being done.
pub(super) const DONE: &str = "tests pass, tests all pass, tests are passing, tests are green, \
     tests are all green, tests also pass, tests now pass, tests still pass, tests succeed, suite passes, \
     suite is green, suite succeeds, everything passes, everything works, everything is green, all pass, \
     they all pass, all green, all passed, build succeeds, build passes, build works, build is green, \
     builds again, both green, all clean, checks pass, ci is green, ci passes, 0 failures, no failures, \
     no failure, compiles without warnings, works again, works now, works as expected, \
     all set, that's everything, that is everything, nothing is left, nothing left to do, as requested, \
     no change was necessary, no changes were necessary, no change was needed, no changes were needed, \
     can be closed, here's what i did, here is what i did, changes made, ready for review, ready to merge, \
     task complete, implementation complete, refactoring complete, migration complete, work complete, \
     all done, it does now, feature works, works end to end, the fix is in, the change is in, \
     pull request opened, pr opened, opened a pull request, opened pull request, should be gone, \
     should be fixed, this should fix, this should resolve, files changed, is complete, job done";

/// Where one of these stands before the words, what follows is not so yet, or not this work.
pub(super) const CONDITIONS: &str = "if, when, whenever, once, until, unless, assuming, would, will, i'll, we'll, \
     you'll, they'll, it'll, could, might, may, can't, cannot, not, isn't, aren't, wasn't, weren't, hasn't, \
     haven't, didn't, doesn't, don't, never, none, nor, before, after you, says, said, reads, according, \
     claims, lists, means, was, were, upstream, to make, to be, definition, analysis, investigation, \
     reviewing, research, audit, review complete, review is complete, findings, verdict, you wrote, \
     you've, they, he, she, your colleague's, colleague's, on your machine, released in";

/// Something is missing, or was not done.
pub(super) const MISSING: &str = "is missing, are missing, still missing, left out, remain, remains, remaining, \
     the rest, to do, todo list, in progress, half way, halfway, wip, partially, partial, a stub, \
     placeholder, except, most of it is, everything but, are open, is open, yet, so far, tomorrow, \
     next steps, next session, next thing, what's missing, what doesn't, what's next, what's left, \
     left to do, left to be done, first part, first half, second half, good progress, progress so far, \
     status update, where we are, session report, loses data, only logs, for now, not covered, incomplete, \
     unfinished, pending, postponed, outstanding, unresolved, unsolved, separate session, untouched, \
     hard-coded, hardcoded, dummy, mocked out, commented out";

/// It went wrong.
pub(super) const FAILED: &str = "unfortunately, gave up, give up, ran out of, out of ideas, none of them worked, \
     reverted, rolled back, rolled the version back, rolled it back, permission denied, interrupted, \
     didn't hold, stopped here, i stopped, stopped half, stopped at, had to stop, wouldn't rely, \
     not what you want, don't consider, correct myself, i was wrong, that's wrong, my mistake earlier, \
     because of my change, broke, stuck, blocked, quota, timed out, times out, nothing has been, \
     code is unchanged, isn't in this repository, not in this repository, isn't picked up, not possible, \
     is impossible, no access, no permission, don't have permission, don't have access, build failed, \
     failed to, fails with, failed with, the same error, doesn't compile, not happy, no luck, hangs, \
     crashes, don't deploy, don't merge, do not merge, do not deploy, was not switched";

/// It goes on, it waits, or it is only meant.
pub(super) const GOES_ON: &str = "i'll, i will, i would, i'd, we'd, we would, i plan, i intend, let me look, let me check, \
     let me first, let me try, let me start, let me know when, let me know which, let me know whether, \
     let me know how, tell me when, tell me what, tell me which, send me, please confirm, please choose, \
     please decide, go-ahead, before i start, before i change, before i write, before i begin, \
     before i touch, before i go, next i, next up, is next, are next, up next, comes next, come next, \
     views next, i can go on, my plan, plan for, the plan is, proposal, i suggest, i recommend, i propose, \
     my suggestion, my recommendation, i need, i estimate, i lean, i've started, i have started, i started, \
     ready to implement, ready to start, plan mode, rough outline, steps to, decisions i need, decision on, \
     your decision, your call, hear from you, in the background, as soon as, waiting for, waiting on, \
     wait for, awaiting, come back and, say quote, type quote, reply with, answer with";

/// Nothing was made: it was only looked at.
pub(super) const LOOKED: &str = "no edits, no changes made, no changes were made, i didn't change, i did not change, \
     i haven't changed, i have not changed, i haven't touched, none of them is changed, nothing was changed, \
     nothing is changed, nothing changed, finished reviewing, review of, reviewed, analysis, investigation, \
     findings, verdict, request changes, approved from my side, i went through, overall this looks, \
     i searched, for the author, look for, asked for the list, read-only, without changing anything, \
     only looked, looks good";

/// An offer to a person is no open question.
pub(super) const OFFERS: &str = "would you like, do you want me to, want me to, anything else, shall i also, \
     should i also, let me know if, happy to";

/// What is not of this work, or was so before it.
pub(super) const ASIDE: &str = "unrelated, not related, nothing to do with, on main too, before the change, before my change, \
     failing before, failed before, without the change, without the fix, not part of, fails on main, \
     failed on main, pre-existing, preexisting, out of scope, outside the scope, you said, did not act on, \
     earlier i said, was killed, used to, as before, previously, the first version, let me know if, \
     if you'd like, if you want, i'd be happy, i'm happy to, you asked me not to";
