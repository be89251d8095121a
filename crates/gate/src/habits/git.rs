//! Parses a git command: its subcommand, its arguments and its working directory.

use verger_shell::Word;

use super::arguments::{Arguments, Options, Reach};
use super::line::{Call, Line};

const GLOBAL: Options = Options::whole(
    "C= c= git-dir= work-tree= namespace= config-env= exec-path[=] super-prefix= attr-source= \
     p|paginate P|no-pager bare no-replace-objects literal-pathspecs glob-pathspecs \
     noglob-pathspecs icase-pathspecs no-optional-locks no-lazy-fetch no-advice v|version h|help",
);

pub(super) const COMMIT: Options = Options::of_git(
    "a|all p|patch C|reuse-message= c|reedit-message= fixup= squash= reset-author short branch \
     porcelain long z|null F|file= author= date= m|message= t|template= s|signoff n|no-verify \
     verify allow-empty allow-empty-message cleanup= e|edit no-edit amend no-post-rewrite \
     i|include o|only pathspec-from-file= pathspec-file-nul u|untracked-files[=] v|verbose q|quiet \
     dry-run status no-status S|gpg-sign[=] no-gpg-sign trailer= interactive ahead-behind",
);

pub(super) const ADD: Options = Options::of_git(
    "A|no-ignore-removal|all no-all|ignore-removal u|update n|dry-run v|verbose f|force \
     i|interactive p|patch e|edit N|intent-to-add sparse refresh ignore-errors ignore-missing \
     renormalize chmod= pathspec-from-file= pathspec-file-nul",
);

pub(super) const LS_FILES: Options = Options::of_git(
    "c|cached d|deleted m|modified o|others i|ignored s|stage u|unmerged k|killed z t v f deduplicate \
     directory no-empty-directory eol full-name recurse-submodules x|exclude= X|exclude-from= \
     exclude-per-directory= exclude-standard error-unmatch with-tree= abbrev[=] debug sparse format=",
);

pub(super) const STATUS: Options = Options::of_git(
    "s|short b|branch show-stash porcelain[=] long v|verbose u|untracked-files[=] \
     ignore-submodules[=] ignored[=] z column[=] no-column ahead-behind no-ahead-behind renames \
     no-renames find-renames[=]",
);

pub(super) const DIFF: Options =
    Options::of_git("name-only name-status cached staged diff-filter= z relative[=] no-renames");

/// A git command.
#[derive(Clone, Copy)]
pub(super) struct Git<'s> {
    pub(super) call: Call<'s>,
    pub(super) subcommand: &'s str,
    /// The index of the first word after the subcommand.
    pub(super) first: usize,
}

impl<'s> Git<'s> {
    /// All git commands on a command line with one of these subcommands.
    pub(super) fn calls<'a>(
        line: &Line<'a>,
        subcommands: &'static [&'static str],
    ) -> impl Iterator<Item = Git<'a>> + use<'a> {
        let calls: Vec<_> = line.calls(&["git"]).filter_map(Git::of).collect();
        calls.into_iter().filter(|git| subcommands.contains(&git.subcommand))
    }

    pub(super) fn of(call: Call<'s>) -> Option<Self> {
        let words = &call.argv[1..];
        let at = GLOBAL.read(words, Reach::Leading).first_operand()?;
        let subcommand = words[at].literal()?;
        Some(Self { call, subcommand, first: at + 2 })
    }

    /// The words after the subcommand.
    pub(super) fn words(&self) -> &'s [Word] {
        &self.call.argv[self.first..]
    }

    pub(super) fn arguments(&self, options: &Options) -> Arguments<'s> {
        options.read(self.words(), Reach::All)
    }

    /// The working directory of the git command. `None` if it is known only when the command line
    /// runs.
    pub(super) fn directory(&self, line: &Line<'_>) -> Option<String> {
        let command = &line.script().commands[self.call.index];
        let is_elsewhere = |name: &str| matches!(name, "GIT_DIR" | "GIT_WORK_TREE");
        let options = GLOBAL.read(&self.call.argv[1..], Reach::Leading);
        if options.has_any(&["git-dir", "work-tree"])
            || command.assignments.iter().any(|assignment| is_elsewhere(&assignment.name))
        {
            return None;
        }
        let mut directory = line.directory(self.call.index);
        for given in options.all("C") {
            let word = &self.call.argv[1 + given.value?.word];
            word.literal()?;
            directory = line.path(&directory, options.text(given.value?));
        }
        Some(directory)
    }
}
