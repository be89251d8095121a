//! What sentences say in English.

use super::super::sentence::sentences;
use super::*;
use Signal::*;

fn said(text: &str) -> Vec<Signal> {
    sentences(text).iter().flat_map(signals).collect()
}

#[track_caller]
fn check(rule: &str, cases: &[(&str, &[Signal])]) {
    for (text, expected) in cases {
        assert_eq!(said(text), *expected, "{rule}: {text}");
    }
}

#[test]
fn what_was_made_is_a_deed_and_what_was_looked_at_is_none() {
    let cases: &[(&str, &[Signal])] = &[
        ("Added a retry.", &[Deed]),
        ("Fix: widened the pattern.", &[Deed]),
        ("Sessions expire after an hour.", &[Described]),
        ("State is kept per user.", &[Described]),
        ("Quietly rewrote the lexer.", &[Deed]),
        ("I've also just moved it.", &[Deed]),
        ("The helpers have been shortened.", &[Deed]),
        ("Pull request opened: #12", &[Deed]),
        ("Found it and patched the guard.", &[Deed]),
        ("The socket closes after the token has been revoked.", &[Described]),
        ("The sidebar remembers whether it was open.", &[Described]),
        ("I looked at both and compared them.", &[Looked]),
        ("Searched the whole tree.", &[Looked]),
        ("I measured it.", &[]),
    ];
    check("deed", cases);
}

#[test]
fn a_word_for_being_finished_counts_where_nothing_binds_it() {
    let cases: &[(&str, &[Signal])] = &[
        ("Done.", &[Finished]),
        ("Yep, sorted.", &[Finished]),
        ("The hosts are resized.", &[Finished]),
        ("The release is out: tag pushed.", &[Finished]),
        ("That's all I need.", &[Finished, GoesOn]),
        ("The locks are released when it ends.", &[Described]),
        ("The doc states that the sync is complete.", &[Reported]),
        ("Okay, all set!", &[Finished]),
        ("Migration complete", &[Finished]),
        ("The crash is gone for good.", &[Finished]),
        ("The validation is in: three rules.", &[Finished]),
        ("The size is in the sixth column.", &[]),
        ("If CI is green, it is done.", &[]),
        ("It would be finished by then.", &[Advised]),
        ("Definition of done: green tests.", &[]),
        ("The colleague says it is fixed.", &[]),
    ];
    check("finished", cases);
}

#[test]
fn what_is_so_since_the_work_became_so() {
    let cases: &[(&str, &[Signal])] = &[
        ("The page now redirects.", &[Became]),
        ("It no longer panics.", &[Became]),
        ("No more duplicate mails.", &[Became]),
        ("Typing can't block the editor any more.", &[Became]),
        ("The legend wraps instead of overflowing.", &[Became]),
        ("Cold start takes 320 ms (was 1.9 s).", &[Became]),
        ("It is enough for now.", &[Missing]),
        ("The app no longer starts.", &[Became, Failed]),
    ];
    check("became", cases);
}

#[test]
fn what_was_run_and_went_well_is_a_proof() {
    let cases: &[(&str, &[Signal])] = &[
        ("All tests pass.", &[Proof]),
        ("Unit tests: 203/203", &[Proof]),
        ("1,204 specs, 0 failures", &[Proof]),
        ("Voting works, including the undo.", &[Proof]),
        ("It passes when the cache is cold.", &[Described]),
        ("It only works in release builds.", &[Described]),
        ("The order of work for the swap", &[]),
        ("- all checks passed", &[Described]),
    ];
    check("proof", cases);
}

#[test]
fn something_that_is_left_is_missing() {
    let cases: &[(&str, &[Signal])] = &[
        ("The export is missing.", &[Missing]),
        ("Two of the three boards boot.", &[Missing]),
        ("Three out of three boards boot.", &[]),
        ("Two out of the three boards boot.", &[Missing]),
        ("Keys that are missing get the default.", &[]),
        ("It is FIFO rather than the LRU you asked for.", &[Became, Missing]),
        ("Step 2 is complete.", &[Finished, Missing]),
        ("The API part is finished.", &[Finished, Missing]),
        ("Seven to go.", &[Missing]),
        ("The first two are done.", &[Finished, Missing]),
        ("It shrinks after the first 100px.", &[Described]),
        ("Logout currently leaves the cookie in place.", &[Described, Missing]),
        ("Where they wanted to go.", &[]),
        ("Task 3/7 done.", &[Finished, Missing]),
        ("Most of it works.", &[Proof, Missing]),
        ("There are four more.", &[Missing]),
        ("Nothing reads it so far.", &[Described, Missing]),
        ("The old tables remain until then.", &[Described]),
        ("Everything is converted except the grid.", &[Finished, Missing]),
        ("The printer still drops comments.", &[Missing]),
        ("All tests still pass.", &[Proof]),
        ("No import remains.", &[]),
        ("It was called while the caller still held the lock.", &[]),
        ("The login form shows the remaining attempts now.", &[Became]),
        ("- [ ] docs", &[Missing]),
        ("Open: deleting a file", &[Missing]),
    ];
    check("missing", cases);
}

#[test]
fn what_is_said_not_to_be_so_is_denied() {
    let cases: &[(&str, &[Signal])] = &[
        ("This isn't fixed.", &[Denied]),
        ("This is not fixed.", &[Denied]),
        ("Those are not in: no queue.", &[Denied]),
        ("The scripts aren't, sadly.", &[Denied]),
        ("Mail delivery: not configured.", &[Denied]),
        ("The tests haven't been migrated.", &[Denied]),
        ("The parser is tested, the evaluator isn't.", &[Denied]),
        ("I haven't tested it.", &[]),
        ("There's no compiler in this environment, so I haven't built it.", &[]),
    ];
    check("denied", cases);
}

#[test]
fn what_could_not_be_done_counts_and_what_could_not_be_looked_at_does_not() {
    let cases: &[(&str, &[Signal])] = &[
        ("I couldn't push the branch.", &[CouldNot]),
        ("Unable to install the driver.", &[CouldNot]),
        ("I couldn't run the app.", &[]),
        ("I wasn't able to reproduce the crash.", &[]),
        ("I couldn't call the real API from here.", &[]),
        ("Clients can't disagree.", &[]),
    ];
    check("could not", cases);
}

#[test]
fn what_fails_now_failed_and_what_failed_before_did_not() {
    let cases: &[(&str, &[Signal])] = &[
        ("The build fails.", &[Failed]),
        ("Three tests now fail.", &[Failed]),
        ("Failed logins are counted.", &[Described]),
        ("The build works, but applying it failed with a timeout.", &[Failed]),
        ("The flaky one didn't fail.", &[]),
        ("Names with newlines will trip it.", &[Doubtful]),
        ("Two tests fail, as they do without it.", &[]),
        ("The driver compiles, but it doesn't detect anything.", &[Proof, Failed]),
        ("It exits at once, though.", &[Described, Failed, Doubtful]),
        ("I wouldn't merge that.", &[Failed]),
        ("I haven't worked out why.", &[Failed]),
        ("One total is off.", &[Doubtful]),
        ("It prints a hint whenever a key is broken.", &[]),
        ("The form has 41 errors.", &[Failed]),
        ("The upload test fails on main too.", &[]),
        ("The test failed before the change.", &[]),
        ("The step now fails early on bad input.", &[Became]),
        ("A failed delivery is retried.", &[Described]),
    ];
    check("failed", cases);
}

#[test]
fn what_comes_next_goes_on_and_an_offer_does_not() {
    let cases: &[(&str, &[Signal])] = &[
        ("I'll convert the rest.", &[GoesOn]),
        ("I'm going to wire it up.", &[GoesOn]),
        ("Moving on to the views.", &[GoesOn]),
        ("Now for the printer.", &[GoesOn]),
        ("Now the printer.", &[GoesOn]),
        ("Now the printer keeps comments.", &[Described]),
        ("Let me add the timeout.", &[GoesOn]),
        ("Let me know if the tone is off.", &[]),
        ("Here's my plan.", &[GoesOn]),
        ("Shall I continue?", &[Asks]),
        ("Which one wins?", &[Asks]),
        ("Should I open a ticket for that?", &[]),
        ("Do you want me to add it to the list as well?", &[]),
    ];
    check("goes on", cases);
}

#[test]
fn advice_reasons_and_the_words_of_others_frame_a_message() {
    let cases: &[(&str, &[Signal])] = &[
        ("I'd suggest a mutex.", &[Advised]),
        ("That's why you see it twice.", &[Explained]),
        ("Yes, both are safe.", &[Explained]),
        ("It shows what would be skipped.", &[Described]),
        ("The banner says \"Saved\".", &[Reported]),
        ("I didn't change any code.", &[Looked]),
    ];
    check("frames", cases);
}
