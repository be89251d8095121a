//! Rules about changing the system's users and packages.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "remove-user",
        "userdel|deluser|groupdel|delgroup",
        "",
        "it removes a user or group",
    )
    .instead("ask the person to do it")
    .examples(&["userdel -r dev", "deluser dev"], &["id dev"]),
    Rule::deny(
        "password-off",
        "passwd|gpasswd",
        "-d|--delete|-l|--lock|-u|--unlock|-S|-e !-S|--status",
        "it removes a password or locks a user out",
    )
    .instead("ask the person to do it")
    .examples(&["passwd -d root", "sudo passwd -l dev"], &["passwd --status"]),
    Rule::deny(
        "set-passwords",
        "chpasswd|newusers|vipw|vigr|visudo",
        "!-c|--check",
        "it changes who may log in",
    )
    .instead("ask the person to do it")
    .examples(&["echo root:x | chpasswd", "visudo"], &["visudo -c"]),
    Rule::deny(
        "lock-user",
        "usermod",
        "-L|--lock|-p|--password|-e|--expiredate|-u=0|-U|--unlock|-aG=sudo|-aG=wheel|-aG=root|\
         -aG=admin|-G=sudo|-G=wheel",
        "it changes who may log in, and as whom",
    )
    .instead("ask the person to do it")
    .examples(&["usermod -L dev", "usermod -aG sudo dev"], &["usermod -c x dev"]),
    Rule::risky(
        "change-user",
        "passwd|usermod|useradd|adduser|groupadd|groupmod|chsh|chfn|chage|gpasswd",
        "",
        "it changes who may log in",
    )
    .examples(&["useradd tester", "passwd root"], &["id"]),
    Rule::deny(
        "purge-packages",
        "apt|apt-get|aptitude purge|remove|autoremove",
        "--purge|<pattern>|libc6*|systemd*|bash|coreutils|sudo|linux-image*|openssh*|python3|\
         apt|dpkg|util-linux|init|grub*|--allow-remove-essential|--force-yes",
        "it removes packages that the system needs, or settings permanently",
    )
    .instead("remove one package without --purge")
    .examples(
        &["apt-get remove --purge 'python3*' -y", "apt remove sudo"],
        &["apt remove cowsay", "apt list"],
    ),
    Rule::deny(
        "purge-package",
        "apt|apt-get|aptitude purge",
        "!-s|--simulate|--dry-run",
        "it removes packages with their settings",
    )
    .instead("remove one package without purging it")
    .examples(&["apt purge nginx", "sudo apt-get -y purge nginx"], &["apt show nginx"]),
    Rule::deny(
        "remove-core-packages",
        "dnf|yum|zypper|rpm|pacman|apk|dpkg|emerge|xbps-remove|microdnf|tdnf",
        "glibc*|systemd*|bash|coreutils|sudo|kernel*|openssh*|python3|dnf|rpm|pacman|musl|\
         busybox|libc6*|linux|grub*|linux-image*|dpkg|apt|--purge|--nodeps|-Rdd|--force-all|\
         --force-depends|--force-remove-essential !install|add|upgrade|update|info|search|list|\
         -q|-S|-Ss|-Qi|query|show|-l|-s|-L|-qa|-V|reinstall|-i",
        "it removes packages that the system needs",
    )
    .examples(
        &["dnf remove -y glibc", "pacman -Rdd openssh", "dpkg --purge nginx"],
        &["dnf install bash", "rpm -q bash", "dnf remove cowsay"],
    ),
    Rule::risky(
        "remove-package",
        "apt|apt-get|aptitude|dnf|yum|zypper|snap|flatpak|brew|port|apk|microdnf remove|\
         autoremove|uninstall|del|erase|rm|zap|cleanup",
        "!-s|--simulate|--dry-run|-n",
        "it removes programs that others may use",
    )
    .examples(&["apt remove cowsay", "brew uninstall jq"], &["brew list"]),
    Rule::risky(
        "remove-package-by-letter",
        "pacman|rpm|dpkg|emerge",
        "-R|-e|-r|--erase|--remove|-C|--unmerge|-P|-c",
        "it removes programs that others may use",
    )
    .examples(&["pacman -Rns cowsay", "rpm -e cowsay"], &["pacman -Q"]),
];
