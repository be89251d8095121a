//! Rules about programs that exist only on Windows.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "remove-item",
        "remove-item|ri|remove-itemproperty",
        "-Recurse|-recurse|-r|-R|-Force|-force",
        "it removes files or directories for good",
    )
    .instead("name the files to remove")
    .examples(&["Remove-Item -Recurse -Force C:\\\\", "ri -r src"], &["Get-ChildItem"]),
    Rule::deny(
        "cmd-remove",
        "rd|rmdir|del|erase|deltree",
        "/s|/S|/q|/Q|/f|/F",
        "it removes files or directories for good",
    )
    .instead("name the files to remove")
    .examples(&["rd /s /q C:work", "del /s /q x"], &["rmdir empty"]),
    Rule::floor(
        "windows-disk",
        "format-volume|clear-disk|initialize-disk|remove-partition|diskpart|format.com|\
         set-disk|reset-physicaldisk",
        "",
        "it erases a disk",
    )
    .examples(&["Clear-Disk -Number 1 -RemoveData", "Format-Volume -DriveLetter D"], &["Get-Disk"]),
    Rule::floor("windows-format", "format", "c:|d:|e:|C:|D:|/fs:*|/q", "it erases a disk")
        .examples(&["format c: /q"], &["dprint fmt"]),
    Rule::deny(
        "windows-loss",
        "vssadmin|wbadmin|wevtutil|bcdedit|cipher|fsutil|reg|sc|schtasks|icacls|takeown|net|\
         netsh",
        "delete|resize|cl|clear-log|/set|/delete|/w:*|/reset|/r|-delete|allprofiles|off|\
         /deletevalue|stop|setzerodata",
        "it removes backups, settings, users or protection",
    )
    .instead("ask the person to do it")
    .examples(
        &[
            "vssadmin delete shadows /all",
            "reg delete HKLM /f",
            "net user x /delete",
            "netsh advfirewall set allprofiles state off",
        ],
        &["net user", "reg query HKLM"],
    ),
    Rule::deny(
        "windows-stop",
        "stop-computer|restart-computer|clear-eventlog|disable-netfirewallrule|\
         set-mppreference|remove-localuser|clear-recyclebin|clear-content",
        "",
        "it stops the machine or disables its protection",
    )
    .examples(
        &["Stop-Computer -Force", "Set-MpPreference -DisableRealtimeMonitoring $true"],
        &["Get-Process"],
    ),
    Rule::risky(
        "windows-change",
        "set-executionpolicy|taskkill|stop-process|stop-service|set-service|set-acl|\
         start-process|new-service",
        "",
        "it changes how the machine works",
    )
    .examples(&["taskkill /f /im node.exe"], &["Get-Service"]),
];
