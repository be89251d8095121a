//! Rules against commands that overwrite or move files.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "truncate-everything",
        "truncate",
        "<device>|<home>|<git>|<everything>|<root>",
        "it empties files that can't be created again",
    )
    .examples(&["truncate -s 0 src/*", "truncate -s 0 .git/index"], &["truncate -s 0 src/main.rs"]),
    Rule::deny("move-to-nowhere", "mv|gmv", ">/dev/null", "it throws files away")
        .examples(&["mv src /dev/null"], &["mv a b"]),
    Rule::risky(
        "move-much",
        "mv|gmv",
        "<project>|<everything>|<home>|<root>|<git>|<secret>|<own>",
        "it moves more than one file of the project",
    )
    .examples(&["mv ~/src /tmp"], &["mv src/a.rs src/b.rs"]),
    Rule::deny(
        "overwrite-system-file",
        "cp|gcp|mv|gmv|ln|gln|install|rsync|scp|tee|sponge",
        ">/etc/passwd|>/etc/shadow|>/etc/group|>/etc/sudoers|>/etc/sudoers.d/*|>/etc/fstab|\
         >/etc/hosts|>/etc/resolv.conf|>/etc/nsswitch.conf|>/etc/profile|>/etc/environment|\
         >/etc/gshadow|>/etc/machine-id|>/etc/cron.d/*|>/etc/crontab|>/etc/ld.so.preload|>/etc/pam.d/*|>/etc/ssh/sshd_config|\
         >*.ssh/authorized_keys",
        "it replaces a file with this machine's users, permissions or settings",
    )
    .instead("ask the person to do it")
    .examples(
        &["cp x /etc/sudoers", "echo x | sudo tee -a /etc/sudoers", "ln -sf x /etc/passwd"],
        &["cp /etc/hosts hosts.txt", "sudo tee /etc/nginx/nginx.conf"],
    ),
    Rule::floor(
        "overwrite-device",
        "cp|gcp|mv|tee|dd|gdd|dcfldd|dc3dd|ddrescue|install|truncate|shred|sponge",
        "of=<device>|><device>",
        "it overwrites a disk",
    )
    .instead("write to a file")
    .examples(
        &["dd if=/dev/zero of=/dev/sda", "cp /dev/urandom /dev/sdb", "cat x | tee /dev/sda"],
        &["dd if=/dev/sda of=disk.img", "cp /dev/sda image"],
    ),
    Rule::deny(
        "overwrite-with-dd",
        "dd|gdd|dcfldd",
        "of=<system-file>|of=<home>|of=<git>|of=<secret>|of=<root>",
        "it overwrites a file that can't be created again",
    )
    .examples(
        &["dd if=/dev/zero of=/etc/passwd", "dd if=/dev/urandom of=/var/lib/x.img"],
        &["dd if=/dev/zero of=test.img count=1"],
    ),
    Rule::deny(
        "edit-system-file",
        "sed|gsed|perl|ed|ex",
        "-i|--in-place|-pi <system-file>",
        "it changes a file that the system needs",
    )
    .instead("ask the person to do it")
    .examples(
        &["sudo sed -i 's/x/y/' /etc/sudoers"],
        &["sed -i s/a/b/ src/lib.rs", "sed -n 1p /etc/hosts"],
    ),
    Rule::risky(
        "tar-unpacks-anywhere",
        "tar|gtar|bsdtar",
        "-P|--absolute-names|--remove-files|--overwrite|-C=<root>|-C=<home>|--directory=<root>",
        "it may overwrite files outside of the project",
    )
    .examples(&["tar -xPf a.tar", "tar xf a.tar -C /"], &["tar xzf vendor.tar.gz"]),
    Rule::deny(
        "remote-purge",
        "rclone purge|delete|deletefile|cleanup|rmdirs",
        "!--dry-run|-n",
        "it removes stored files",
    )
    .instead("try it with --dry-run first")
    .examples(&["rclone purge remote:bucket"], &["rclone ls remote:"]),
    Rule::risky(
        "remote-sync",
        "rclone sync|move|moveto",
        "!--dry-run|-n",
        "it removes files that the source doesn't have",
    )
    .examples(&["rclone sync a remote:b"], &["rclone copy a remote:b"]),
    Rule::risky("forget-history", "history", "-c|-d|-w", "it removes the history of commands")
        .examples(&["history -c"], &["history 20"]),
    Rule::deny("empty-with-sed", "sed|gsed", "-i|--in-place d|1,$d", "it empties files")
        .examples(&["sed -i d src/main.rs", "sed -i '1,$d' x"], &["sed -i /x/d src/main.rs"]),
];
