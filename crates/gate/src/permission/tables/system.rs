//! Rules that approve programs that describe the machine and its processes.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::allow("who-and-where", "pwd|whoami|groups|logname|tty|users|nproc|arch|uptime|w|who|sw_vers|lscpu|lsmod|vm_stat|hostid", "-L -P -a -s -p -h -i --all --json --ignore= --pretty -m -q -u -b -productVersion -productName", Operands::None)
        .examples(&["pwd", "whoami", "sw_vers", "nproc"], &["pwd x", "who /dev/x", "nproc --unknown"]),
    Rule::allow("id", "id", "-u -g -G -n -un -gn -Gn -r -z --user --group --groups --name", Operands::AtMost(1))
        .examples(&["id", "id -un"], &["id --unknown", "id a b"]),
    Rule::allow("machine", "uname", "-a -s -n -r -v -m -p -i -o -sm -srm -rs --all --kernel-name --kernel-release --machine", Operands::None)
        .examples(&["uname -a"], &["uname x"]),
    Rule::allow("hostname", "hostname", "-f -i -I -s -d -A --fqdn --short --ip-address --all-ip-addresses --domain", Operands::None)
        .examples(&["hostname"], &["hostname build-7", "hostname -F x", "hostname -b x"]),
    Rule::allow("date", "date|gdate", "-u -d= -I[=] -R -r=FILE -j --utc --date= --iso-8601[=] --rfc-3339= --rfc-email --universal --reference=FILE", Operands::Format)
        .examples(&["date", "TZ=UTC date", "date +%F", "date -d yesterday +%s"], &["date -s '2026-01-01'", "date --se='2026-01-01'", "date 010100002026", "date -f .env", "date -f x +%s"]),
    Rule::allow("calendar", "cal|ncal", "-3 -1 -y -m -j -h -b", Operands::AtMost(2)).examples(&["cal"], &["cal 1 2 3"]),
    Rule::allow(
        "processes",
        "ps",
        "-e -f -A -a -x -l -w -ww -L -T -H -j -M -m -r -o= -O= -p= -U= -C= -g= -t= --pid= --ppid= --user= --format= \
         --sort= --forest --no-headers --headers --cols= --width= -ef -aux -axo= -eo= -Ao= -efww",
        Operands::Processes,
    )
    .examples(
        &["ps aux", "ps -ef", "ps -eo pid,cmd --sort=-rss", "ps -p 123 -o comm=", "ps axo pid,args"],
        &["ps auxe", "ps e", "ps -E", "ps axe", "ps -eo pid,environ", "ps aux > x"],
    ),
    Rule::allow("find-processes", "pgrep", "-f -l -a -x -n -o -c -i -v -u= -U= -P= -d= -fl -af -la -lf --full --list-full --list-name --count", Operands::AtMost(1))
        .examples(&["pgrep -fl node"], &["pgrep -F .env", "pgrep --signal KILL x", "pgrep a b"]),
    Rule::allow("process-tree", "pstree|pidof", "-p -a -l -h -n -s -u -x", Operands::AtMost(1)).examples(&["pstree -p"], &["pidof a b", "pstree --unknown"]),
    Rule::allow("top", "top -b|-bn1|-l", "-n= -b -o= -c -i -H -w= -s= -d= -p= -1 -n1", Operands::AtMost(1))
        .examples(&["top -b -n 1", "top -bn1"], &["top", "top -b --unknown"]),
    Rule::allow("open-files", "lsof", "-i[=] -n -P -t -p= -c= -u= -a -l -U -w -nP -ni -Pi -iTCP -sTCP:LISTEN", Operands::AtMost(2))
        .examples(&["lsof -i :3000", "lsof -nP -iTCP -sTCP:LISTEN", "lsof -ti:8080"], &["lsof -r", "lsof -D x", "lsof -k x"]),
    Rule::allow("sockets", "ss|netstat", "-# -a -t -u -l -n -p -r -s -i -e -m -o -x -w -4 -6 -v -z -f= -H --listening --tcp --udp --numeric --processes --all --summary --no-header", Operands::AtMost(3))
        .examples(&["ss -ltnp", "netstat -tlnp"], &["ss -K dst 1.2.3.4", "ss -D x", "ss --kill"]),
    Rule::allow("network-shown", "ip addr|a|address|route|r|link|l|neigh|rule", "", Operands::None)
        .examples(&["ip addr", "ip route"], &["ip addr add 1.2.3.4 dev x", "ip link set x down"]),
    Rule::allow("network-show", "ip addr|a|address|route|r|link|l|neigh|rule show|list|ls", "", Operands::AtMost(2))
        .examples(&["ip addr show", "ip addr show eth0"], &["ip addr flush dev x", "ip netns exec x y"]),
    Rule::allow("tables-shown", "mount|ifconfig|route|arp|bc", "-n -l -q -e", Operands::None)
        .examples(&["mount", "echo '1+1' | bc"], &["mount /dev/sda /mnt", "mount -a", "ifconfig eth0 down", "bc x"]),
    Rule::allow("memory", "free|vmstat|iostat|mpstat", "-b -k -m -g -h -t -w -s -S= -a -x -d -c= --human --wide --total", Operands::AtMost(2))
        .examples(&["free -h", "vmstat 1 5"], &["free --unknown", "vmstat 1 2 3"]),
    Rule::allow("hardware", "lsblk|lspci|lsusb|findmnt|lsipc|locale|getconf", "-a -f -o= -l -v -n -k -t -J -p -b -h -d --json --output= --all", Operands::AtMost(2))
        .examples(&["lsblk -f", "locale -a"], &["lsblk --unknown"]),
    Rule::allow("limits", "ulimit", "-a -n -u -s -v -m -c -H -S", Operands::None).examples(&["ulimit -n"], &["ulimit -n 65535"]),
    Rule::allow("kernel-settings", "sysctl -n|-a|-b", "-n -e -q -N", Operands::AtMost(1)).examples(&["sysctl -n hw.ncpu"], &["sysctl -w vm.swappiness=10", "sysctl -p x"]),
    Rule::allow("services", "systemctl status|is-active|is-enabled|is-failed|list-units|list-timers|list-sockets|list-unit-files|list-dependencies", "--no-pager --user -l --full -a --all -n= --lines= --type= --state= --failed --no-legend -q --quiet --plain -t=", Operands::AtMost(4))
        .examples(&["systemctl status nginx --no-pager"], &["systemctl restart nginx", "systemctl status -H web1 nginx", "systemctl show nginx"]),
    Rule::allow("journal", "journalctl", "--no-pager -u= --unit= -n=NUMBER -e -x -xe -b -k -r -f -q -p= --since= --until= -S= -U= -o= --lines=NUMBER --user --dmesg --reverse --grep= -g= -t= --output=", Operands::None)
        .examples(&["journalctl -u nginx -n 50 --no-pager"], &["journalctl --vacuum-time=1d", "journalctl --rotate", "journalctl --flush", "journalctl -n --cursor-file=x"]),
    Rule::allow("kernel-log", "dmesg", "-T -H -x -k -u -l= -f= --level= --facility= --ctime --human --color[=] --nopager -P", Operands::None)
        .examples(&["dmesg -T"], &["dmesg -C", "dmesg -c", "dmesg --clear", "dmesg -n 1"]),
    Rule::allow("manual", "man|tldr|apropos|whatis", "-k -f -w -a", Operands::Pages)
        .examples(&["man ls", "man 2 open"], &["man -P ./x ls", "man -H ls", "man --pager=x ls", "man -l x", "man ~/.ssh/id_rsa", "man ./x"]),
    Rule::allow("one-variable", "printenv PATH|HOME|USER|SHELL|PWD|LANG|TERM|VIRTUAL_ENV|GOPATH|JAVA_HOME|NODE_ENV|CI", "", Operands::None)
        .examples(&["printenv PATH"], &["printenv", "printenv GITHUB_TOKEN", "printenv PATH TOKEN"]),
    Rule::build("error-explained", "rustc --explain", "", Operands::Pages).defined_in("**/rust-toolchain.toml **/rust-toolchain").examples(&["rustc --explain E0308"], &["rustc x.rs", "rustc --explain E0308 -C linker=x"]),
    Rule::allow("say", "echo|true|false|:", "*", Operands::Words)
        .examples(
            &["echo hello", "echo \"exit: $?\"", "echo \"$HOME\"", "echo \"today: $(date +%F)\"", "echo 'rm -rf /'", "n=$(git rev-list --count HEAD); echo \"commits: $n\"", "true"],
            &["echo $SECRET", "echo \"${!x}\"", "echo ${x@P}", "echo $(rm x)", "echo x > f", "echo \"$((a[$(id)]))\"", "echo \"$((x))\"", "echo ${GITHUB_TOKEN:-none}"],
        ),
    Rule::allow("print", "printf", "--", Operands::Words)
        .examples(&["printf '%s\\n' a b c"], &["printf -v x a", "printf '%s' \"$TOKEN\"", "printf 'x' > \"$OUT\""]),
    Rule::allow("names-of-paths", "basename|dirname", "-a -s= -z --suffix= --multiple", Operands::Words)
        .examples(&["basename /home/dev/app/src/main.rs .rs"], &["basename $TOKEN"]),
    Rule::allow("numbers", "expr|factor|numfmt|tput", "", Operands::AtMost(12))
        .examples(&["expr 1 + 2"], &["expr $x"]),
    Rule::allow("count", "seq|sleep", "-w -s= -f= -#", Operands::Numbers).examples(&["seq 1 5", "sleep 0.5"], &["sleep infinity", "seq $x", "seq --unknown 1"]),
    Rule::allow("look-up-program", "which|type|whereis", "-a -s -t -p -P -f -b -m --all", Operands::AtMost(20))
        .examples(&["which rm", "type -a python"], &["which $x", "type --unknown a"]),
    Rule::allow("look-up-command", "command -v|-V", "", Operands::AtMost(20))
        .examples(&["command -v rg"], &["command -v $x", "command -p x"]),
    Rule::allow("no-output", "tee", "-a -i", Operands::Sinks).examples(&["ls | tee /dev/null"], &["ls | tee out.txt", "ls | tee .env"]),
    Rule::allow("homebrew", "brew list|ls|info|--version|--prefix|outdated|deps|leaves|config|search|doctor", "--versions --formula --cask --casks --json[=] -1 -l -v -q --tree --installed", Operands::Pages)
        .examples(&["brew list --versions"], &["brew install x", "brew info ./x.rb", "brew list; brew uninstall x", "brew info --analytics"]),
    Rule::allow("packages-of-system", "dpkg -l|-L|-s|--list|--listfiles|--status|-S", "", Operands::AtMost(4)).examples(&["dpkg -l"], &["dpkg -i x.deb", "dpkg -l --admindir=x"]),
    Rule::allow("packages-of-rpm", "rpm -q|-qa|-qi|-ql", "", Operands::AtMost(4)).examples(&["rpm -qa"], &["rpm -i x", "rpm -q --eval x"]),
    Rule::allow("packages-of-apt", "apt|apt-cache list|show|search|policy|depends|rdepends", "--installed --upgradable -a", Operands::AtMost(4)).examples(&["apt list --installed"], &["apt install x", "apt list -o x"]),
    Rule::allow("crontab-list", "crontab -l", "", Operands::None).examples(&["crontab -l"], &["crontab -r", "crontab x"]),
];
