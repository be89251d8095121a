//! Rules about changing the machine's firewall, network and monitoring.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "stop-security",
        "systemctl|sv|rc-update|chkconfig stop|disable|mask|kill|down|del",
        "auditd*|firewalld*|ufw*|apparmor*|fail2ban*|sshd*|ssh|ssh.service|nftables*|iptables*|\
         rsyslog*|systemd-journald*|clamav*|falcon-sensor*|osqueryd*|wazuh*|crowdstrike*|\
         sentinel*|NetworkManager*|systemd-networkd*",
        "it disables a part of the system's security",
    )
    .instead("ask the person to do it")
    .examples(
        &[
            "systemctl disable --now auditd",
            "systemctl stop firewalld",
            "systemctl mask --now apparmor.service",
        ],
        &[
            "systemctl restart sshd",
            "systemctl status auditd",
            "systemctl stop nginx",
            "systemctl stop postgresql",
        ],
    ),
    Rule::deny(
        "stop-security-service",
        "service|rc-service|invoke-rc.d auditd*|firewalld*|ufw*|apparmor*|fail2ban*|sshd*|ssh|\
         ssh.service|nftables*|iptables*|rsyslog*|systemd-journald*|clamav*|falcon-sensor*|\
         osqueryd*|wazuh*|crowdstrike*|sentinel*|NetworkManager*|systemd-networkd*",
        "stop|disable",
        "it disables a part of the system's security",
    )
    .instead("ask the person to do it")
    .examples(&["service ufw stop"], &["service nginx stop", "service ssh restart"]),
    Rule::deny(
        "open-firewall",
        "iptables|ip6tables|iptables-legacy|iptables-nft|ebtables|arptables",
        "-F|--flush|-X|--delete-chain|-P|--policy|-D|--delete",
        "it disables the firewall",
    )
    .instead("`iptables -L` shows the rules")
    .examples(
        &["iptables -F", "iptables -t nat -F", "iptables -P INPUT ACCEPT"],
        &["iptables -L -n"],
    ),
    Rule::deny("nft-flush", "nft flush|delete|destroy", "", "it disables the firewall")
        .instead("`nft list ruleset` shows the rules")
        .examples(&["nft flush ruleset", "nft delete table inet filter"], &["nft list ruleset"]),
    Rule::deny("ufw-disable", "ufw disable|reset|delete", "", "it disables the firewall")
        .instead("`ufw status` shows the rules")
        .examples(&["ufw disable", "ufw --force reset"], &["ufw status"]),
    Rule::deny(
        "firewall-off",
        "firewall-cmd|pfctl",
        "-d|-F|--panic-on|--complete-reload|--set-default-zone=trusted",
        "it disables the firewall",
    )
    .examples(
        &["pfctl -d", "firewall-cmd --set-default-zone=trusted"],
        &["firewall-cmd --state", "pfctl -s rules"],
    ),
    Rule::deny(
        "selinux-off",
        "setenforce|semodule|setsebool",
        "0|permissive|Permissive|-r|-d",
        "it disables a part of the system's security",
    )
    .instead("`getenforce` shows the state")
    .examples(&["setenforce 0"], &["getenforce"]),
    Rule::deny(
        "apparmor-off",
        "aa-teardown|aa-disable|aa-complain|aa-remove-unknown",
        "",
        "it disables a part of the system's security",
    )
    .instead("`aa-status` shows the state")
    .examples(&["aa-teardown"], &["aa-status"]),
    Rule::deny("audit-off", "auditctl", "-e=0|-D", "it disables a part of the system's security")
        .examples(&["auditctl -e 0", "auditctl -D"], &["auditctl -l"]),
    Rule::deny(
        "network-off",
        "ip route|r|addr|address|a|rule|neigh flush",
        "",
        "it disconnects the machine from the network",
    )
    .examples(
        &["ip route flush table main", "ip addr flush dev eth0"],
        &["ip route", "ip addr show"],
    ),
    Rule::risky(
        "network-change",
        "ip|ifconfig|ifdown|nmcli|networksetup|route|tc|iwconfig ... down|del|delete|off|add|\
         replace|set",
        "",
        "it changes the machine's network settings",
    )
    .examples(&["ip link set eth0 down", "nmcli networking off"], &["ip addr"]),
    Rule::risky(
        "kernel-module",
        "rmmod|insmod|modprobe|kexec|depmod",
        "!--show-depends",
        "it changes the running kernel",
    )
    .examples(&["rmmod x", "modprobe -r x"], &["lsmod"]),
    Rule::risky("kernel-setting", "sysctl", "-w|--write|-p|*=*", "it changes the running kernel")
        .examples(&["sysctl -w vm.swappiness=10"], &["sysctl -a"]),
    Rule::risky(
        "remove-logs",
        "journalctl",
        "--vacuum-time|--vacuum-size|--vacuum-files|--rotate|--flush",
        "it removes logs",
    )
    .examples(&["journalctl --vacuum-time=1s"], &["journalctl -u nginx"]),
    Rule::risky(
        "remote-desktop",
        "xdotool|ydotool|wtype|cliclick",
        "",
        "it types and clicks in place of the person",
    )
    .examples(&["xdotool key Return"], &["xprop"]),
];
