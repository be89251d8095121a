//! Tests of programs that run other programs: all of these command lines run `rm -rf x`.

use verger_shell::{Command, Inside, Place, read};

/// The relation between `rm -rf x` and the command that runs it. `None` if `rm -rf x` is not found.
fn found(line: &str) -> Option<Inside> {
    let script = read(line);
    let is_it = |command: &&Command| command.literal_argv() == Some(vec!["rm", "-rf", "x"]);
    let found =
        script.commands.iter().filter(|command| command.place != Place::Line).find(is_it)?;
    match found.place {
        Place::Line => None,
        Place::Within(index) => Some(script.commands[index].inside),
    }
}

const KNOWN: &[&str] = &[
    "sudo -u me -n -- rm -rf x",
    "sudo -E A=b rm -rf x",
    "doas -u me rm -rf x",
    "env -i A=b rm -rf x",
    "env -u A -C /tmp rm -rf x",
    "nice -n 5 rm -rf x",
    "nice -10 rm -rf x",
    "ionice -c 2 -n 7 rm -rf x",
    "timeout -k 5 --foreground 10 rm -rf x",
    "nohup rm -rf x",
    "setsid -w rm -rf x",
    "stdbuf -oL -e0 rm -rf x",
    "time -p rm -rf x",
    "/usr/bin/time -f %e -o f rm -rf x",
    "command -p rm -rf x",
    "builtin command rm -rf x",
    "exec -a a rm -rf x",
    "flock -w 5 f rm -rf x",
    "flock f -c 'rm -rf x'",
    "script -qc 'rm -rf x' f",
    "watch -n 5 rm -rf x",
    "su - me -c 'rm -rf x'",
    "su -c 'rm -rf x' me",
    "runuser -u me -- rm -rf x",
    "chroot --userspec=a:b / rm -rf x",
    "nsenter -t 1 -m -u rm -rf x",
    "unshare -r -n rm -rf x",
    "strace -f -e trace=open -o f rm -rf x",
    "busybox rm -rf x",
    "ssh -i k -o A=b host rm -rf x",
    "ssh host 'rm -rf x'",
    "ssh host -p 22 'rm -rf x'",
    "docker run --rm -it -v a:b image rm -rf x",
    "docker exec -u root web rm -rf x",
    "docker run --rm --entrypoint rm image -rf x",
    "docker --context a container exec web rm -rf x",
    "podman run image sh -c 'rm -rf x'",
    "docker compose -f a.yml run --rm web rm -rf x",
    "docker-compose exec -T web rm -rf x",
    "kubectl -n a exec -it pod -- rm -rf x",
    "tmux new-session -d -s a 'rm -rf x'",
    "tmux new -d rm -rf x",
    "tmux send-keys -t 0 'rm -rf x' Enter",
    "tmux run-shell 'rm -rf x'",
    "screen -S a -dm rm -rf x",
    "systemd-run --user --scope -p A=b rm -rf x",
    "xargs -0 -n 1 sh -c 'rm -rf x'",
    "find . -exec rm -rf x \\;",
    "parallel -j 2 rm -rf ::: x",
    "git rebase -i --exec 'rm -rf x' HEAD~2",
    "git rebase -x 'rm -rf x' HEAD~2",
    "git bisect run rm -rf x",
    "git submodule foreach --recursive 'rm -rf x'",
    "git filter-branch --tree-filter 'rm -rf x' HEAD",
    "git -c alias.y='!rm -rf x' y",
    "git -c core.pager='rm -rf x' log",
    "git -C a -c core.sshCommand='rm -rf x' fetch",
    "git -c diff.a.textconv='rm -rf x' diff",
    "git config alias.y '!rm -rf x'",
    "git difftool --extcmd='rm -rf x'",
    "git fetch --upload-pack 'rm -rf x' a",
    "GIT_SSH_COMMAND='rm -rf x' git fetch",
    "PAGER='rm -rf x' git log",
    "tar xf a --to-command='rm -rf x'",
    "tar cf a b --checkpoint=1 --checkpoint-action=exec='rm -rf x'",
    "tar -I 'rm -rf x' -xf a",
    "rsync -e 'rm -rf x' a b:",
    "rsync -avze 'rm -rf x' a b:",
    "ssh -o ProxyCommand='rm -rf x' host",
    "ssh -oProxyCommand='rm -rf x' host",
    "man -P 'rm -rf x' ls",
    "vim -c '!rm -rf x' a",
    "vim '+!rm -rf x' a",
    "sed '1e rm -rf x' a",
    "npx -c 'rm -rf x'",
    "npm exec -- rm -rf x",
    "pnpm exec rm -rf x",
    "make SHELL='rm -rf x'",
    "go test -exec 'rm -rf x' ./...",
    "sort --compress-program='rm -rf x' a",
    "split --filter='rm -rf x' a",
];

const GUESSED: &[&str] = &[
    "sudo --what rm -rf x",
    "sudo --what value rm -rf x",
    "sudo -Q rm -rf x",
    "timeout --fore 5 rm -rf x",
    "env --what rm -rf x",
    "docker run --what image rm -rf x",
    "ssh -Z host rm -rf x",
    "xargs --what -I% rm -rf x",
    "uv --what run rm -rf x",
    "bash --what -c 'rm -rf x'",
];

#[test]
fn wrapped_commands_are_found() {
    let others: Vec<_> = KNOWN.iter().filter(|line| found(line) != Some(Inside::Found)).collect();
    assert_eq!(others, Vec::<&&str>::new());
}

#[test]
fn an_unknown_option_makes_it_a_guess() {
    let others: Vec<_> =
        GUESSED.iter().filter(|line| found(line) != Some(Inside::Guessed)).collect();
    assert_eq!(others, Vec::<&&str>::new());
}

#[test]
fn a_package_is_no_program() {
    for line in ["npx tsc", "bunx tsc", "uvx ruff", "pnpm dlx tsc", "npx --yes tsc"] {
        assert_eq!(read(line).commands.len(), 1, "{line}");
    }
}
