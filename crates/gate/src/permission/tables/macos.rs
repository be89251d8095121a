//! Rules about programs that exist only on macOS.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::floor(
        "diskutil-erase",
        "diskutil eraseDisk|eraseVolume|zeroDisk|randomDisk|secureErase|partitionDisk|reformat|\
         eraseCD|resetFusion|eraseOptical|mergePartitions|splitPartition|resizeVolume",
        "",
        "it erases a disk",
    )
    .instead("`diskutil list` shows the disks")
    .examples(
        &["diskutil eraseDisk JHFS+ X /dev/disk2", "diskutil partitionDisk disk2 1 GPT APFS x 0b"],
        &["diskutil list"],
    ),
    Rule::floor(
        "diskutil-apfs",
        "diskutil apfs|ap|cs|coreStorage|ar|appleRAID delete*|eraseVolume|convert|\
         deleteContainer",
        "",
        "it removes a disk's volumes",
    )
    .instead("`diskutil apfs list` shows the volumes")
    .examples(
        &["diskutil apfs deleteContainer disk1", "diskutil apfs deleteVolume disk1s2"],
        &["diskutil apfs list"],
    ),
    Rule::deny(
        "mac-security-off",
        "csrutil|spctl|fdesetup|systemsetup|socketfilterfw",
        "disable|--master-disable|--global-disable|off|clear|--setglobalstate=off|--disable|\
         authenticated-root|removeuser|changerecovery",
        "it disables a part of the system's security",
    )
    .instead("ask the person to do it")
    .examples(
        &["csrutil disable", "spctl --master-disable", "fdesetup disable"],
        &["csrutil status", "spctl --status"],
    ),
    Rule::deny(
        "defaults-delete",
        "defaults delete|delete-all",
        "-g|NSGlobalDomain|-globalDomain|-app|/Library/*",
        "it removes all settings of the user",
    )
    .examples(
        &["defaults delete -g", "defaults delete NSGlobalDomain"],
        &["defaults read -g", "defaults delete com.example.app x"],
    ),
    Rule::risky(
        "defaults-write",
        "defaults write|delete|import|rename",
        "",
        "it changes settings of the user",
    )
    .examples(&["defaults write com.apple.dock autohide -bool true"], &["defaults read"]),
    Rule::deny(
        "backups-off",
        "tmutil delete*|disable*|thinlocalsnapshots|removedestination",
        "",
        "it removes backups",
    )
    .instead("`tmutil listbackups` shows the backups")
    .examples(
        &["tmutil delete /Volumes/x", "tmutil disable", "tmutil deletelocalsnapshots /"],
        &["tmutil listbackups"],
    ),
    Rule::deny(
        "mac-user-delete",
        "dscl|sysadminctl|dseditgroup",
        "-delete|delete|-deleteUser|-d",
        "it removes a user",
    )
    .examples(&["dscl . -delete x", "sysadminctl -deleteUser x"], &["dscl . -list x"]),
    Rule::deny(
        "keychain-delete",
        "security delete-*|set-keychain-password|remove-trusted-cert|unlock-keychain|\
         authorizationdb",
        "",
        "it removes or opens stored passwords",
    )
    .examples(&["security delete-keychain login.keychain"], &["security list-keychains"]),
    Rule::risky(
        "keychain-read",
        "security dump-keychain|find-generic-password|find-internet-password|export",
        "",
        "it reads stored passwords",
    )
    .examples(&["security find-generic-password -w -s x"], &["security list-keychains"]),
    Rule::risky(
        "mac-change",
        "launchctl|pmset|nvram|kextunload|kextload|mdutil|tccutil|softwareupdate|profiles|asr",
        "unload|bootout|remove|disable|reset|-c|-d|-E|-i|restore|load|bootstrap|install",
        "it changes how the machine works",
    )
    .examples(&["launchctl unload x.plist", "tccutil reset All"], &["launchctl list"]),
    Rule::deny("asr-erase", "asr", "--erase|-erase", "it erases a disk")
        .examples(&["asr restore --source a --target b --erase"], &["asr info --source a"]),
];
