//! Rules against commands that destroy partitions and file systems.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::floor(
        "make-file-system",
        "mkfs*|newfs*|mke2fs|mkswap|mkntfs|mkdosfs|mkreiserfs|format",
        "<device>",
        "it replaces the existing file system",
    )
    .instead("work on a file instead of a disk")
    .examples(
        &["mkfs.ext4 /dev/sda1", "mkfs -t xfs /dev/nvme0n1p2", "mkswap /dev/sdb"],
        &["mkfs.ext4 disk.img"],
    ),
    Rule::risky(
        "make-file-system-in-file",
        "mkfs*|newfs*|mke2fs|mkswap",
        "",
        "it replaces the existing file system",
    )
    .examples(&["mkfs.ext4 disk.img"], &["lsblk"]),
    Rule::floor(
        "wipe-signatures",
        "wipefs",
        "-a|--all|--al|-o|--offset|-f|--force",
        "it makes a disk unreadable",
    )
    .examples(
        &["wipefs -a /dev/sda", "wipefs --al /dev/sdb"],
        &["wipefs /dev/sda", "wipefs -n /dev/sda"],
    ),
    Rule::floor("discard-blocks", "blkdiscard|blkzone", "", "it empties a disk")
        .examples(&["blkdiscard /dev/nvme0n1"], &["blkid"]),
    Rule::floor(
        "partition-table",
        "sgdisk|gdisk|cgdisk",
        "-Z|--zap-all|-z|--zap|-o|--clear|-d|--delete|-n|--new|-g|-l|--load-backup",
        "it replaces the partitions of a disk",
    )
    .examples(&["sgdisk --zap-all /dev/sda", "sgdisk -o /dev/sdb"], &["sgdisk -p /dev/sda"]),
    Rule::floor(
        "sfdisk",
        "sfdisk",
        "!-l|--list|-d|--dump|-J|--json|-V|--verify|-s|-n|--no-act",
        "it replaces the partitions of a disk",
    )
    .examples(
        &["sfdisk /dev/sda < x", "sfdisk --delete /dev/sda"],
        &["sfdisk -l", "sfdisk -d /dev/sda"],
    ),
    Rule::floor(
        "parted",
        "parted",
        "mklabel|mktable|rm|mkpart|resizepart|~mklabel|~mkpart|~rm",
        "it replaces the partitions of a disk",
    )
    .instead("`parted DISK print` only shows the partitions")
    .examples(
        &[
            "parted /dev/sda mklabel gpt",
            "parted -s /dev/sda rm 1",
            "parted -s /dev/sda 'mklabel gpt'",
        ],
        &["parted /dev/sda print", "parted -l"],
    ),
    Rule::floor("fdisk-fed", "fdisk|gdisk", "<device> ~w", "it replaces the partitions of a disk")
        .instead("`fdisk -l` only shows the partitions")
        .examples(&["printf 'o\\nw\\n' | fdisk /dev/sda"], &["fdisk -l /dev/sda"]),
    Rule::risky(
        "fdisk",
        "fdisk|cfdisk|gdisk|cgdisk",
        "!-l|--list",
        "it may replace the partitions of a disk",
    )
    .examples(&["fdisk /dev/sda"], &["fdisk -l"]),
    Rule::floor(
        "remove-volume",
        "lvremove|vgremove|pvremove|lvconvert|vgreduce|lvreduce",
        "!--test|-t",
        "it removes volumes with their data",
    )
    .examples(&["lvremove -f vg0/home", "vgremove -f vg0", "pvremove /dev/sdb"], &["lvs"]),
    Rule::floor(
        "lvm-remove",
        "lvm lvremove|vgremove|pvremove",
        "",
        "it removes volumes with their data",
    )
    .examples(&["lvm lvremove vg0/home"], &["lvm lvs"]),
    Rule::floor(
        "zfs-destroy",
        "zfs|zpool destroy|rollback|labelclear|offline|detach|remove",
        "!-n",
        "it destroys a file system or restores an old state of it",
    )
    .instead("make a snapshot, which keeps the present state")
    .examples(
        &["zfs destroy -r tank/home", "zpool destroy tank", "zfs rollback -r tank@a"],
        &["zfs list", "zpool status", "zfs destroy -n tank/x"],
    ),
];
