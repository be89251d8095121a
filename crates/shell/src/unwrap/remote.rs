//! Finds the commands of programs that run them elsewhere: on another host, or in a container.

use super::options::{Options, Passed};
use super::shells::from_stdin;
use super::{Call, Inner, Runs, argv};
use crate::reader::joined;
use crate::script::Word;

/// ssh passes the words after the host to that host's shell as one text. Without such words, the
/// host's shell reads the input of ssh.
pub(super) fn ssh(call: &Call<'_>) -> Runs {
    let words = call.words;
    let options = Options {
        letters: "B:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:46AaCfGgKkMNnqsTtVvXxYy",
        names: "",
    };
    let Passed { first, is_known, .. } = options.pass(words);
    let after = words.get(first + 1..).unwrap_or_default();
    // Options may come after the host too.
    let more = options.pass(after);
    let command = after.get(more.first..).unwrap_or_default();
    let inner =
        if command.is_empty() { from_stdin(call) } else { vec![Inner::Text(joined(command))] };
    Runs { inner, is_known: is_known && more.is_known }
}

const ENGINE: Options = Options {
    letters: "c:H:l:Dvr",
    names: "context= host= log-level= config= tlscacert= tlscert= tlskey= url= connection= identity= \
            root= runroot= storage-driver= namespace= debug tls tlsverify version remote",
};
const COMPOSE: Options = Options {
    letters: "f:p:",
    names: "file= project-name= profile= project-directory= env-file= ansi= progress= parallel= \
            compatibility dry-run all-resources verbose",
};
const RUN: Options = Options {
    letters: "a:c:de:h:il:m:p:Ptu:v:w:qT",
    names: "add-host= annotation= attach= blkio-weight= cap-add= cap-drop= cgroup-parent= cgroupns= \
            cidfile= cpu-period= cpu-quota= cpu-shares= cpus= cpuset-cpus= cpuset-mems= detach \
            detach-keys= device= disable-content-trust dns= dns-option= dns-search= domainname= \
            entrypoint= env= env-file= expose= gpus= group-add= health-cmd= health-interval= \
            health-retries= health-timeout= hostname= init interactive ip= ip6= ipc= isolation= label= \
            label-file= link= log-driver= log-opt= mac-address= memory= memory-swap= mount= name= \
            network= net= network-alias= no-healthcheck oom-kill-disable pid= pids-limit= platform= \
            privileged publish= publish-all pull= quiet read-only restart= rm runtime= secret= \
            security-opt= shm-size= stop-signal= stop-timeout= storage-opt= sysctl= tmpfs= tty ulimit= \
            user= userns= uts= volume= volumes-from= workdir= index= no-TTY no-deps service-ports build \
            use-aliases remove-orphans quiet-pull env-from-file= replace",
};

/// The command of `docker run`, `docker exec`, `docker compose exec` and similar.
pub(super) fn container(program: &str, words: &[Word]) -> Runs {
    let engine = if program.ends_with("compose") { COMPOSE } else { ENGINE };
    let mut is_known = true;
    let mut rest = words;
    for options in [engine, COMPOSE] {
        let passed = options.pass(rest);
        is_known &= passed.is_known;
        let Some((subcommand, after)) = rest.get(passed.first..).and_then(<[Word]>::split_first)
        else {
            return Runs::NONE;
        };
        rest = after;
        match subcommand.literal() {
            Some("run" | "exec" | "create") => return in_container(rest, is_known),
            Some("container" | "compose") => {}
            _ => return Runs::NONE,
        }
    }
    Runs::NONE
}

fn in_container(words: &[Word], is_known: bool) -> Runs {
    let passed = RUN.pass(words);
    let is_known = is_known && passed.is_known;
    let entrypoint = passed.given.iter().find_map(|option| option.value_of("", &["entrypoint"]));
    let command = words.get(passed.first + 1..).unwrap_or_default();
    let command: Vec<Word> =
        entrypoint.map(Word::Literal).into_iter().chain(command.iter().cloned()).collect();
    Runs { inner: argv(&command), is_known }
}

/// The command of `kubectl exec`, `run` and `debug`, which usually follows `--`.
pub(super) fn kubectl(words: &[Word]) -> Runs {
    let runs = |word: &Word| matches!(word.literal(), Some("exec" | "run" | "debug"));
    let end = words.iter().position(|word| word.literal() == Some("--"));
    let Some(at) = words.iter().take(end.unwrap_or(words.len())).position(runs) else {
        return Runs::NONE;
    };
    if let Some(end) = end {
        return argv(&words[end + 1..]).into();
    }
    let options = Options {
        letters: "n:c:f:s:itq",
        names: "namespace= container= filename= context= cluster= user= kubeconfig= server= stdin tty \
                quiet",
    };
    let after = &words[at + 1..];
    let Passed { first, .. } = options.pass(after);
    match words[at].literal() {
        Some("exec") => {
            let inner = argv(after.get(first + 1..).unwrap_or_default());
            // Without `--`, options and the command may be mixed.
            Runs { is_known: inner.is_empty(), inner }
        }
        _ => Runs::NONE,
    }
}
