use crate::permission::judge::{Rules, judge};
use crate::permission::judgement::Triage;
use crate::permission::paths::Ground;

fn own() -> Vec<String> {
    ["/home/dev/.config/verger", "/home/dev/.local/share/verger", "/srv/state/verger"]
        .map(str::to_owned)
        .to_vec()
}

/// The triage of a command line, and whether it has a finding that every mode of the guard denies.
fn judged(line: &str) -> (Triage, bool) {
    let own = own();
    let project = Some("/home/dev/app");
    let ground =
        Ground { cwd: project, home: Some("/home/dev"), root: project, own: &own, links: &[] };
    let judgement = judge(&verger_shell::read(line), &ground, &Rules::default());
    (judgement.triage, judgement.own_files().is_some())
}

#[track_caller]
fn check(is_denied: bool, lines: &[&str]) {
    let wrong: Vec<_> = lines
        .iter()
        .map(|line| (line, judged(line)))
        .filter(|(_, (triage, is_own))| {
            *is_own != is_denied || (is_denied && *triage != Triage::Deny)
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_file_is_theirs_from_whatever_directory_it_is_written() {
    check(
        true,
        &[
            "cd .verger && echo > config.toml",
            "cd .claude; echo {} > settings.json",
            "(cd .verger; echo x > config.toml)",
            "pushd .verger; echo x > config.toml",
            "bash -c \"cd .verger; echo x > config.toml\"",
            "sudo sh -c 'cd .verger && rm config.toml'",
            "d=.verger; cd $d; echo x > config.toml",
            "eval 'cd .verger'; rm config.toml",
            "cd .verger; (cd /tmp; ls); rm config.toml",
            "cd .verg*; rm config.toml",
            "cd $VERGER_HOME/config && echo x > config.toml",
            "cd \"${VERGER_HOME}\"; rm -r data",
            "cd ~/.config/verger && tee config.toml",
            "cd \"$HOME/.config\" && rm -rf verger",
            "cd \"$HOME/.claude\" && echo {} > settings.json",
            "cd ~/.config; rm -rf verger",
            "cd /srv/state/verger; truncate -s 0 x",
            "cd .claude/skills && echo {} > ../settings.json",
            "cd .claude && rm -rf *",
            "cd .verger && cp /tmp/x config.toml",
            "cd .verger && sed -i -e s/a/b/ config.toml",
            "cd .verger && curl -O https://example.com/config.toml",
            "env -C .verger tee config.toml",
            "sudo -D .verger tee config.toml",
            "git -C .verger config -f config.toml a.b c",
            "git -C .claude checkout HEAD -- settings.json",
        ],
    );
    check(
        false,
        &[
            "cd .verger && cat config.toml",
            "cd .verger && cat config.toml > /tmp/x",
            "cd src && echo x > config.toml",
            "cd .claude/skills && echo x > settings.md",
            "bash -c 'cd .verger; ls'; echo x > config.toml",
            "cd ~ && ls .config",
            "cd .. && ls",
            "cd ../$x && rm -rf target",
            "cd .verger/worktrees/a && rm -f x && echo y > config.txt",
            "git -C .verger log",
        ],
    );
}

#[test]
fn files_that_git_runs_are_found_from_their_directory() {
    for line in [
        "cd .git/hooks; echo x > pre-commit",
        "cd .git && echo x > config",
        "bash -c 'cd .git; echo > config'",
    ] {
        assert_eq!(judged(line), (Triage::Risky, false), "{line}");
    }
    assert_eq!(judged("cd /etc && echo x > passwd"), (Triage::Deny, false));
    assert_eq!(judged("cd src && echo x > config"), (Triage::Unknown, false));
}

#[test]
fn a_directory_that_holds_their_files_is_not_removed_or_moved_away() {
    check(
        true,
        &[
            "rm -rf .verger",
            "rm .verger/*",
            "rm -rf .claude",
            "rm -rf ~/.claude",
            "rm -rf ./.claude/",
            "rm -rf src .git .claude",
            "rm -rf .[cv]*",
            "rm -rf {.verger,x}",
            "mv ~/.config ~/x",
            "rm -rf ~/.config",
            "rm -rf $HOME/.local/share",
            "rm -rf /srv/state",
            "rm -rf ../../../srv/state",
            "rm -rf $VERGER_HOME",
            "rm -rf \"$XDG_CONFIG_HOME/verger\"",
            "mv .verger x",
            "git mv .verger y",
            "git rm -r .claude",
            "mv .claude x",
            "rmdir .codex",
            "find .verger -delete",
            "find .claude -type f -exec rm {} +",
            "chmod -R 000 .verger",
        ],
    );
    check(
        false,
        &[
            "rm -rf src",
            "mv src lib",
            "rm -rf *",
            "rm -rf .",
            "rm -rf ~",
            "rm -rf /",
            "rm -rf ~/.config/nvim",
            "rm -rf ~/.cache",
            "rm -rf /srv/other",
            "rm -rf .github",
            "rm -rf .claude/skills",
            "rm .claude/agents/*.md",
            "rm .verger/learnings.md",
            "rm -rf .verger/worktrees",
            "rm -f .*.swp",
            "find .claude -name '*.md'",
            "mkdir -p .claude/skills/x .verger",
        ],
    );
}

#[test]
fn a_file_put_into_a_protected_directory_is_judged_by_its_name() {
    check(
        true,
        &[
            "cp config.toml .verger",
            "mv config.toml .verger/",
            "mv /tmp/x/settings.json .claude",
            "cp -t .verger config.toml",
            "cp --target-directory=.verger /tmp/config.toml",
            "cp /tmp/x/* .claude/",
            "cp -r /tmp/x/. .claude",
            "cp -rT /tmp/x .claude",
            "cp -r log .verger/config.toml",
            "mv x .claude",
            "cp -r ../template/.claude .",
            "rsync -a x/ .claude/",
            "install -m 600 settings.json .claude",
            "tar -cf .verger/config.toml x",
            "tar cf .verger/config.toml x",
            "tar xf x.tar -C .verger",
            "tar -xzf x.tgz --directory=.claude",
            "tar xf x.tar .claude/settings.json",
            "unzip x.zip -d .claude",
            "wget -P .verger https://example.com/config.toml",
            "git clone https://example.com/x .claude",
        ],
    );
    check(
        false,
        &[
            "cp .verger/config.toml /tmp/x",
            "cp .claude/settings.json /tmp",
            "cp -r .claude /tmp/backup",
            "cp -r .claude ../other",
            "cp learnings.md .verger/",
            "mv CLAUDE.md .claude/",
            "cp -r skills .claude/",
            "cp -r x/skills/* .claude/skills/",
            "rsync -a .claude/ /tmp/x/",
            "tar -cf /tmp/x.tar .verger",
            "tar -C .claude -cf x.tar .",
            "tar tf x.tar .claude/settings.json",
            "tar xf x.tar",
            "tar xf x.tar -C .claude/skills",
            "unzip x.zip",
            "wget https://example.com/config.toml",
            "curl https://example.com/.claude/settings.json",
        ],
    );
}

#[test]
fn another_name_or_another_way_to_write_is_a_write() {
    check(
        true,
        &[
            "echo x > .verger/conf*",
            "echo x > .VERGER/Config.toml",
            "echo x >> \"$VERGER_HOME/config/config.toml\"",
            "rm -rf src > .verger/config.toml",
            "ln -s .claude q; echo {} > q/settings.json",
            "ln -s ~/.config/verger q",
            "cp -s .claude/settings.json q",
            "perl -pi -e s/claims/off/ .verger/config.toml",
            "perl -i.bak -pe s/claims/off/ .verger/config.toml",
            "ruby -i -pe '$_.upcase!' .verger/config.toml",
            "sed -n -i p .verger/config.toml",
            "sed -i.bak -e s/a/b/ .claude/settings.json",
            "gawk -i inplace 1 .verger/config.toml",
            "uniq x .verger/config.toml",
            "python3 -c \"open('.verger/config.toml', 'w').write('x')\"",
            "python3 - <<'EOF'\np = Path('.claude/settings.json')\np.write_text('{}')\nEOF",
            "python3 -c \"import sys; open(sys.argv[1], 'w')\" .claude/settings.json",
            "python3 -c \"open('.claude/settings.json', 'wb+')\"",
            "python3 -c \"import io; io.open('.claude/settings.json', 'w+b')\"",
            "python3 -c \"import os; os.open('.claude/settings.json', os.O_WRONLY|os.O_TRUNC)\"",
            "python3 -c \"import os, sys; os.link(sys.argv[1], sys.argv[2])\" x .claude/settings.json",
            "python3 -c \"import sys, urllib.request as u; u.urlretrieve(*sys.argv[1:])\" http://x .claude/settings.json",
            "python3 -c \"import sys, tarfile; tarfile.open('x.tar').extract(*sys.argv[1:])\" a .claude/settings.json",
            "python3 -c \"import sys; open(sys.argv[2], sys.argv[1])\" w .claude/settings.json",
            "node -e \"require('fs').cpSync(process.argv[1], process.argv[2])\" x .claude/settings.json",
            "node -e \"require('fs').copyFile('x', '.claude/settings.json', f)\"",
            "cd .verger && python3 -c \"open('config.toml', 'w')\"",
            "python3 -c \"exec('x')\" .claude/settings.json",
            "node -e \"require('fs').writeFileSync('.claude/settings.json', '{}')\"",
            "node edit.js .claude/settings.json",
            "perl -e 'open F, \">.verger/config.toml\"'",
        ],
    );
    check(
        false,
        &[
            "cat .verger/config.toml",
            "ls .claude",
            "ls -la ~/.config",
            "git add .verger",
            "git add .claude/settings.json",
            "git commit -m x .verger/config.toml",
            "git status",
            "grep -r x .verger",
            "jq .hooks .claude/settings.json",
            "sort .verger/config.toml",
            "uniq .verger/config.toml",
            "sed -n 1,5p .claude/settings.json",
            "sed s/a/b/ .verger/config.toml",
            "awk '{print}' .verger/config.toml",
            "echo x > .claude/skills/a/SKILL.md",
            "echo x > .claude/CLAUDE.md",
            "echo x >> .verger/learnings.md",
            "echo rm .verger/config.toml",
            "diff .claude/settings.json x",
            "ln -s ../docs .claude/skills/docs",
            "python3 -c \"import json, sys; print(json.load(open(sys.argv[1])))\" .claude/settings.json",
            "python3 -c \"print(open('.verger/config.toml').read())\"",
            "python3 - <<'EOF'\n# never write .claude/settings.json\nprint('write .verger/config.toml')\nEOF",
            "node -e \"console.log(require('./.claude/settings.json'))\"",
        ],
    );
}

#[test]
fn code_on_the_line_that_names_their_files_and_may_write_is_a_write() {
    check(
        true,
        &[
            "python3 - <<'EOF'\n# it's a comment\np = '.claude/settings.json'\nopen(p, 'w').write('{}')\nEOF",
            "python3 <<'EOF'\nimport json, pathlib\np = pathlib.Path.home() / '.claude' / 'settings.json'\np.write_text(json.dumps({'disableAllHooks': True}))\nEOF",
            "python3 -c \"import os; p = os.path.join('.claude', 'settings.local.json'); open(p, 'w')\"",
            "python3 -c \"import os; open(os.environ['HOME'] + '/.claude/settings.json', 'a')\"",
            "python3 -c \"import os; open(os.path.expanduser('~/.claude/settings.json'), 'r+')\"",
            "python3 -c \"import fileinput; [print(l) for l in fileinput.input('.claude/settings.json', inplace=True)]\"",
            "python3 -c \"open('out.txt', 'w').write('.claude/settings.json is protected')\"",
            "cat <<'EOF' | python3\nopen('.verger/config.toml', 'w')\nEOF",
            "node -e \"require('fs').writeFileSync(require('path').join('.claude', 'settings.json'), '{}')\"",
            "node -e 'require(\"fs\").appendFileSync(`${process.env.HOME}/.claude/settings.json`, \"{}\")'",
            "node <<'EOF'\n// don't\nrequire('fs').promises.writeFile('.claude/settings.json', '{}')\nEOF",
            "ruby -e 'File.write(\".claude/settings.json\", \"{}\")'",
            "perl -e 'open(my $f, \">\", \".claude/settings.json\"); print $f \"{}\"'",
        ],
    );
    check(
        false,
        &[
            "python3 - <<'EOF'\n# it's a comment\nimport json\nprint(json.load(open('.claude/settings.json')))\nEOF",
            "python3 -c \"from pathlib import Path; print((Path.home() / '.claude' / 'settings.json').read_text())\"",
            "node -e \"console.log(require('fs').readFileSync('.claude/settings.json', 'utf8'))\"",
            "ruby -e 'puts File.read(\".claude/settings.json\")'",
            "python3 -c \"open('src/settings.json', 'w').write('{}')\"",
            "python3 -c \"open('.claude/skills/x/SKILL.md', 'w').write('see settings.json')\"",
        ],
    );
}
