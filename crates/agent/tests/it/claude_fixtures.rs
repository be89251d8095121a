//! Tests that every captured payload of Claude Code decodes as expected.

use crate::fixture::{claude_folders, fixtures_in, stems};

#[test]
fn every_captured_payload_means_what_its_expectation_says() {
    for folder in claude_folders() {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(folder.join("expected"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| {
            for fixture in fixtures_in(&folder) {
                insta::assert_debug_snapshot!(fixture.name.as_str(), fixture.observed());
            }
        });
    }
}

#[test]
fn no_payload_is_without_expectation_and_no_expectation_without_payload() {
    for folder in claude_folders() {
        assert_eq!(stems(&folder, "json"), stems(&folder.join("expected"), "snap"));
    }
}
