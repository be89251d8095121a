//! Rules about changing volumes, disk arrays, and the files that a machine boots from.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::floor(
        "cryptsetup",
        "cryptsetup erase|luksErase|luksFormat|luksKillSlot|luksRemoveKey|reencrypt",
        "",
        "it makes an encrypted disk unreadable",
    )
    .examples(
        &["cryptsetup erase /dev/sda2", "cryptsetup -q luksFormat /dev/sdb"],
        &["cryptsetup status x"],
    ),
    Rule::floor(
        "hdparm",
        "hdparm",
        "--security-erase|--security-erase-enhanced|--trim-sector-ranges|--make-bad-sector|\
         --write-sector|--security-set-pass|--dco-restore",
        "it erases a disk",
    )
    .examples(&["hdparm --security-erase NULL /dev/sda"], &["hdparm -I /dev/sda"]),
    Rule::floor(
        "nvme",
        "nvme format|sanitize|delete-ns|write-zeroes|write-uncor|dsm",
        "",
        "it erases a disk",
    )
    .examples(&["nvme format /dev/nvme0n1", "nvme sanitize /dev/nvme0"], &["nvme list"]),
    Rule::floor("sg-erase", "badblocks", "-w|-n", "it overwrites a disk").examples(
        &["badblocks -w /dev/sdb", "badblocks -wsv /dev/sdb"],
        &["badblocks -sv /dev/sdb"],
    ),
    Rule::floor(
        "sg-erase-scsi",
        "sg_format|sg_sanitize|sg_unmap|scsi_format",
        "--format|-O|-B|-C|--overwrite|--block|--crypto|--lba|-F !-s",
        "it erases a disk",
    )
    .examples(&["sg_format --format /dev/sg1"], &["sg_format --help"]),
    Rule::floor(
        "btrfs",
        "btrfs subvolume|device|filesystem delete|remove",
        "",
        "it removes a part of a file system with its contents",
    )
    .examples(&["btrfs subvolume delete /home"], &["btrfs subvolume list /"]),
    Rule::floor(
        "mdadm",
        "mdadm",
        "--zero-superblock|--stop|-S|--remove|-r|--fail|-f|--create|-C",
        "it stops or removes a disk array",
    )
    .examples(
        &["mdadm --zero-superblock /dev/sdb1", "mdadm --stop /dev/md0"],
        &["mdadm --detail /dev/md0"],
    ),
    Rule::floor(
        "dmsetup",
        "dmsetup remove|remove_all|wipe_table|clear",
        "",
        "it removes a disk from the system",
    )
    .examples(&["dmsetup remove_all"], &["dmsetup ls"]),
    Rule::risky(
        "file-system-change",
        "tune2fs|resize2fs|e2fsck|fsck*|xfs_repair|debugfs|btrfs|losetup|swapoff|ntfsresize|\
         xfs_growfs",
        "-y|-p|-f|-w|-L|-D|-d|-a|-O|-s|check|rescue|--repair",
        "it changes a file system",
    )
    .examples(&["fsck -y /dev/sda1", "swapoff -a"], &["tune2fs --help"]),
    Rule::deny(
        "unmount-all",
        "umount",
        "-a|--all|-l|--lazy|/",
        "it unmounts file systems that may be in use",
    )
    .examples(&["umount -a", "umount -l /"], &["umount /mnt/data"]),
    Rule::deny(
        "firmware",
        "flashrom|efibootmgr|nvram|fwupdtool",
        "-w|--write|-E|--erase|-B|--delete-bootnum|-c",
        "it changes how the machine boots",
    )
    .examples(&["efibootmgr -b 0 -B", "flashrom -w x.bin"], &["efibootmgr -v"]),
    Rule::risky(
        "boot-loader",
        "grub-install|update-grub|grub-mkconfig|grub2-mkconfig|bootctl|mkinitcpio|dracut|\
         update-initramfs",
        "!list|status|--version",
        "it changes how the machine boots",
    )
    .examples(&["grub-install /dev/sda"], &["bootctl status"]),
    Rule::deny(
        "storage-cluster",
        "ceph|rados|gluster|rbd ... purge|rm|delete|rmpool|destroy|remove",
        "",
        "it removes stored data",
    )
    .examples(
        &["ceph osd pool delete a a --yes-i-really-really-mean-it", "rbd rm pool/x"],
        &["ceph status"],
    ),
];
