//! Programs that can reach only the upstream and end with the test.

use std::os::unix::net::UnixListener;
use std::sync::Barrier;
use std::thread;

use verger_testkit::{ClaudeCode, Isolation, Reply, Rule, Script, TestEnvironment, Upstream};

#[cfg(target_os = "linux")]
#[test]
fn in_isolation_there_is_no_route_but_loopback() {
    let environment = TestEnvironment::new();
    let upstream = Upstream::start(Script::new());
    if ClaudeCode::isolation() == Isolation::Nothing {
        let unshare = ["-c", "unshare --user --map-root-user --net true"];
        let unshare = environment.run("sh", unshare, "");
        assert!(!unshare.is_success(), "namespaces work here and are not used");
    } else {
        // This file doesn't have the routes to loopback, which are in another table.
        let routes = environment.run_isolated(&upstream, "cat", ["/proc/net/route"]).success();
        assert_eq!(routes.stdout.lines().count(), 1, "only the heading: {routes}");
        let routes = ["-c", "cat /proc/net/ipv6_route 2> /dev/null || true"];
        let routes = environment.run_isolated(&upstream, "sh", routes).success();
        let devices: Vec<_> =
            routes.stdout.lines().map(|line| line.split(' ').next_back()).collect();
        assert!(devices.iter().all(|device| *device == Some("lo")), "{routes}");
    }
    upstream.finish();
}

#[test]
fn the_upstream_has_the_same_address_in_isolation() {
    let environment = TestEnvironment::new();
    let script = Script::new().rule(Rule::side_call().step(Reply::text("over here")));
    let upstream = Upstream::start(script);
    let program = environment.write_program(
        "ask",
        r#"#!/bin/bash
body='{"model":"m"}'
exec 3<>"/dev/tcp/127.0.0.1/$1"
printf 'POST /v1/messages HTTP/1.1\r\nconnection: close\r\ncontent-length: %s\r\n\r\n%s' ${#body} "$body" >&3
cat <&3
"#,
    );
    let answer =
        environment.run_isolated(&upstream, program, [upstream.port().to_string()]).success();
    let (_, body) = answer.stdout.split_once("\r\n\r\n").unwrap();
    let message: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(message["content"][0]["text"], "over here");
    upstream.finish();
}

#[test]
fn enclosed_programs_are_killed_when_the_test_ends() {
    const KILLED: i32 = 128 + 9;
    let environment = TestEnvironment::new();
    let lifeline = environment.root().join("lifeline");
    let listener = UnixListener::bind(&lifeline).unwrap();
    let test = thread::spawn(move || drop(listener.accept().unwrap()));
    let mut command = environment.command(env!("CARGO_BIN_EXE_enclosure"));
    command.arg("--lifeline").arg(lifeline).args(["--", "sleep", "1000"]);
    assert_eq!(environment.run_command(command, "").code, KILLED);
    test.join().unwrap();
}

#[test]
fn the_exit_code_is_the_programs() {
    let environment = TestEnvironment::new();
    let upstream = Upstream::start(Script::new());
    assert_eq!(environment.run_isolated(&upstream, "sh", ["-c", "exit 7"]).code, 7);
    assert_eq!(environment.run_isolated(&upstream, "sh", ["-c", "kill -TERM $$"]).code, 128 + 15);
    upstream.finish();
}

#[test]
fn programs_can_be_enclosed_at_the_same_time() {
    const PROGRAMS: usize = 4;
    let environment = TestEnvironment::new();
    let upstream = Upstream::start(Script::new());
    let start = Barrier::new(PROGRAMS);
    let enclose = || {
        start.wait();
        environment.run_isolated(&upstream, "echo", ["here"])
    };
    thread::scope(|scope| {
        let running = [(); PROGRAMS].map(|()| scope.spawn(enclose));
        for one in running {
            assert_eq!(one.join().unwrap().to_string(), "here\n");
        }
    });
    upstream.finish();
}
