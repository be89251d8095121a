//! The table of wrappers.

use super::{Wrapper, wrapper};

/// Names of options that most programs have.
const HELP: &str = "help version";

pub(super) const WRAPPERS: &[Wrapper] = &[
    wrapper(
        "env",
        "i0u:C:S:vP:a:",
        "ignore-environment null unset= chdir= split-string= debug argv0= block-signal default-signal \
         ignore-signal list-signal-handling help version",
    ),
    wrapper(
        "sudo",
        "u:g:p:C:c:r:t:T:U:R:D:h:a:ABbEeHiKkLlNnPSsVv",
        "user= group= prompt= close-from= role= type= command-timeout= other-user= chroot= chdir= \
         host= auth-type= login-class= askpass bell background preserve-env edit set-home help login \
         remove-timestamp reset-timestamp list non-interactive no-update preserve-groups stdin shell \
         validate version",
    ),
    wrapper("doas", "u:C:a:Lns", ""),
    wrapper("command", "pvV", ""),
    wrapper("builtin", "", ""),
    wrapper("exec", "a:cl", ""),
    wrapper("coproc", "", ""),
    wrapper("-", "", ""),
    wrapper("repeat", "", "").operands(1),
    wrapper("nocorrect", "", ""),
    wrapper("noglob", "", ""),
    wrapper("nohup", "", HELP),
    wrapper("setsid", "cfwhV", "ctty fork wait help version"),
    wrapper("unbuffer", "p", ""),
    wrapper("busybox", "", ""),
    wrapper("toybox", "", ""),
    wrapper(
        "time",
        "f:o:apvqV",
        "format= output= append portability verbose quiet help version",
    ),
    wrapper("gtime", "f:o:apvqV", "format= output= append portability verbose quiet"),
    wrapper(
        "timeout",
        "k:s:vfp",
        "kill-after= signal= foreground preserve-status verbose help version",
    )
    .operands(1),
    wrapper("gtimeout", "k:s:vfp", "kill-after= signal= foreground preserve-status verbose")
        .operands(1),
    wrapper("nice", "n:0123456789", "adjustment= help version"),
    wrapper(
        "ionice",
        "c:n:p:P:u:thV",
        "class= classdata= pid= pgid= uid= ignore help version",
    ),
    wrapper(
        "chrt",
        "T:P:D:p:abdfimorRv",
        "sched-runtime= sched-period= sched-deadline= pid= all-tasks batch deadline fifo idle max other \
         rr reset-on-fork verbose",
    )
    .operands(1),
    wrapper("taskset", "acp", "all-tasks cpu-list pid").operands(1),
    wrapper("stdbuf", "i:o:e:", "input= output= error= help version"),
    wrapper("chroot", "", "userspec= groups= skip-chdir help version").operands(1),
    wrapper("setarch", "BFILRSTXZv3", "verbose addr-no-randomize 3gb 4gb uname-2.6").operands(1),
    wrapper("linux32", "BFILRSTXZv3", ""),
    wrapper("linux64", "BFILRSTXZv3", ""),
    wrapper("arch", "e:dh", ""),
    wrapper(
        "setpriv",
        "dh",
        "ruid= euid= rgid= egid= reuid= regid= groups= inh-caps= ambient-caps= bounding-set= \
         securebits= selinux-label= apparmor-profile= pdeathsig= clear-groups keep-groups init-groups \
         nnp no-new-privs reset-env dump list-caps",
    ),
    wrapper(
        "unshare",
        "S:G:R:w:l:cfhimnprTuUCV",
        "setuid= setgid= root= wd= propagation= map-user= map-group= map-users= map-groups= load-interp= \
         setgroups= monotonic= boottime= mount uts ipc net pid user cgroup time fork kill-child \
         mount-proc map-root-user map-current-user map-auto keep-caps",
    ),
    wrapper(
        "nsenter",
        "t:S:G:W:am::u::i::n::p::U::C::T::r::w::eFZ",
        "target= setuid= setgid= wdns= all mount uts ipc net pid cgroup user time root wd env no-fork \
         preserve-credentials follow-context keep-caps user-parent",
    ),
    wrapper(
        "numactl",
        "N:m:p:i:C:P:w:la",
        "cpunodebind= membind= preferred= preferred-many= interleave= weighted-interleave= physcpubind= \
         localalloc all balancing",
    ),
    wrapper("prlimit", "p:o:c::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::", "pid= output= noheadings"),
    wrapper(
        "strace",
        "a:b:e:E:I:o:O:p:P:s:S:u:U:X:AcCdDffhiknNqrtTvVwxyYzZ",
        "columns= detach-on= expr= env= interruptible= output= summary-syscall-overhead= attach= \
         trace-path= string-limit= summary-sort-by= user= summary-columns= const-print-style= trace= \
         signal= status= abbrev= verbose= raw= read= write= fault= inject= follow-forks summary \
         summary-only output-append-mode output-separately no-abbrev strings-in-hex timestamps \
         relative-timestamps absolute-timestamps syscall-times decode-fds decode-pids stack-trace quiet \
         seccomp-bpf successful-only failed-only debug",
    ),
    wrapper("ltrace", "a:A:b:D:e:F:l:n:o:p:s:u:w:x:cCfhiLrStTV", ""),
    wrapper("valgrind", "qvhd", "quiet verbose trace-children"),
    wrapper(
        "rlwrap",
        "a:b:B:C:d:D:f:F:g:h:H:i:l:m:M:O:p:P:q:s:S:t:T:v:w:z:AcEeInNorRUWX",
        "",
    ),
    wrapper("caffeinate", "t:w:dimsu", ""),
    wrapper("catchsegv", "", ""),
    wrapper("faketime", "f:p:m", "exclude-monotonic").operands(1),
    wrapper("fakeroot", "l:i:s:f:b:uvh", "lib= faked= unknown-is-real"),
    wrapper("proxychains", "f:q", ""),
    wrapper("proxychains4", "f:q", ""),
    wrapper("torsocks", "u:p:P:a:diq", "user= pass= address= port= isolate debug quiet shell"),
    wrapper(
        "systemd-run",
        "H:M:p:u:E:dGqPSrt",
        "host= machine= property= unit= slice= description= service-type= uid= gid= nice= \
         working-directory= setenv= on-active= on-boot= on-startup= on-unit-active= on-unit-inactive= \
         on-calendar= path-property= socket-property= timer-property= user system scope slice-inherit \
         remain-after-exit send-sighup same-dir pty pipe shell quiet collect wait no-block \
         no-ask-password expand-environment",
    ),
    wrapper("systemd-inhibit", "", "what= who= why= mode= list no-pager"),
    wrapper("dbus-run-session", "", "config-file= dbus-daemon="),
    wrapper(
        "xvfb-run",
        "e:f:n:p:s:w:alc",
        "error-file= auth-file= server-num= xauth-protocol= server-args= wait= auto-servernum \
         listen-tcp auto-display",
    ),
    wrapper("firejail", "", "quiet noprofile private"),
    wrapper("direnv", "", "").after("exec").operands(1),
    wrapper("uv", "p:qvn", "python= with= extra= group= package= env-file= directory= project= frozen \
        locked all-extras no-sync isolated active quiet verbose offline no-dev dev")
    .after("run"),
    wrapper("poetry", "C:P:qvn", "directory= project= quiet").after("run"),
    wrapper("pipenv", "", "").after("run"),
    wrapper("pdm", "p:", "project=").after("run"),
    wrapper("rye", "", "").after("run"),
    wrapper("hatch", "", "").after("run"),
    wrapper("conda", "n:p:v", "name= prefix= cwd= no-capture-output live-stream").after("run"),
    wrapper("bundle", "", "keep-file-descriptors").after("exec"),
    wrapper("rbenv", "", "").after("exec"),
    wrapper("pyenv", "", "").after("exec"),
    wrapper("asdf", "", "").after("exec"),
    wrapper("mise", "c:C:j:qvy", "command= cd= jobs= quiet").after("exec"),
    wrapper("mise", "c:C:j:qvy", "command= cd= jobs= quiet").after("x"),
    wrapper("pnpm", "C:rc", "dir= filter= recursive shell-mode parallel").after("exec"),
    wrapper("yarn", "", "").after("exec"),
    wrapper("npm", "p:c:w:y", "package= call= workspace= prefix= yes no workspaces silent").after("exec"),
    wrapper("npm", "p:c:w:y", "package= call= workspace= prefix= yes no workspaces silent").after("x"),
    wrapper("op", "", "env-file= no-masking").after("run"),
    wrapper("doppler", "p:c:t:", "project= config= token= command=").after("run"),
];
