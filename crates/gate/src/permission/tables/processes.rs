//! Rules about shutting down the machine, ending processes, and changing scheduled jobs.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "stop-machine",
        "shutdown|poweroff|halt|reboot",
        "!-c|-k|--show",
        "it stops the machine",
    )
    .instead("ask the person to do it")
    .examples(
        &["shutdown -h now", "reboot", "sudo poweroff", "/sbin/halt"],
        &["shutdown -c", "echo reboot"],
    ),
    Rule::deny("change-run-level", "init|telinit", "0|1|6|s|S|single", "it stops the machine")
        .instead("ask the person to do it")
        .examples(&["init 0", "sudo telinit 6"], &["init q"]),
    Rule::deny(
        "systemctl-stop-machine",
        "systemctl|loginctl poweroff|reboot|halt|kexec|suspend|hibernate|isolate|rescue|\
         emergency|soft-reboot|exit|terminate-user|kill-user|terminate-session",
        "",
        "it stops the machine or ends a user's work",
    )
    .instead("ask the person to do it")
    .examples(
        &["systemctl poweroff", "systemctl isolate rescue.target", "loginctl kill-user dev"],
        &["systemctl status"],
    ),
    Rule::risky(
        "stop-service",
        "systemctl|service|rc-service|launchctl ... stop|disable|mask|kill|unload|bootout|remove",
        "",
        "it stops something that others may use",
    )
    .examples(&["systemctl stop nginx", "service nginx stop"], &["systemctl status nginx"]),
    Rule::deny("kill-all", "kill", ">-1", "it ends all processes of the user")
        .instead("end the one process by its id")
        .examples(&["kill -9 -1", "kill -KILL -- -1"], &["kill -1 4711", "kill 4711"]),
    Rule::deny(
        "kill-first",
        "kill",
        ">1 !-0",
        "it ends the process that all other processes \
                                                depend on",
    )
    .instead("end the one process by its id")
    .examples(&["kill -9 1"], &["kill 11"]),
    Rule::deny(
        "kill-by-user",
        "pkill|killall|skill|slay|pkill5",
        "-u|-U|--euid|--uid|--user",
        "it ends all processes of a user",
    )
    .instead("end the one process by its id")
    .examples(&["pkill -9 -u dev", "killall -u dev"], &["pkill -f 'vite dev'", "killall node"]),
    Rule::deny("kill-everything", "pkill|killall|killall5", ".*|^*", "it ends all processes")
        .instead("end the one process by its id")
        .examples(&["pkill -9 -f .", "pkill '.*'"], &["pkill node"]),
    Rule::deny("killall5", "killall5", "", "it ends all processes")
        .instead("end the one process by its id")
        .examples(&["killall5 -9"], &["killall node"]),
    Rule::risky(
        "kill-system",
        "pkill|killall",
        "systemd|init|sshd|Xorg|dockerd|containerd|launchd|gnome-shell|WindowServer|bash|sh|zsh",
        "it ends a process that other programs depend on",
    )
    .examples(&["pkill sshd"], &["pkill node"]),
    Rule::deny("remove-crontab", "crontab", "-r|-ri|/dev/null", "it removes all scheduled jobs")
        .instead("`crontab -l` shows the jobs")
        .examples(&["crontab -r", "crontab /dev/null", "crontab -u dev -r"], &["crontab -l"]),
    Rule::risky("replace-crontab", "crontab", "!-l", "it replaces all scheduled jobs")
        .examples(&["crontab jobs.txt", "crontab -e"], &["crontab -l"]),
    Rule::risky("plan-job", "at|atrm|batch|systemd-run", "", "it schedules a job, or cancels one")
        .examples(&["atrm 3"], &["atq"]),
];
