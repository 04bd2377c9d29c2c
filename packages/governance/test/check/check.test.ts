// Verifies: reference "Policy bundle": start refused, order of the check, blocked before allowed, links, base names, domains.
import { describe, expect, it } from "vitest";
import {
  type Action,
  admitBundle,
  check,
  compileBundle,
  denialReasons,
  parseBundle,
  type TaskPolicy,
} from "../../src/index.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const base = {
  policyBundleVersion: "2026-01-01.1",
  schemaVersion: "1.0",
  tenantId: "t",
  userId: "u",
  sessionId: "s",
  expiresAt: "2026-01-01T01:00:00Z",
  capabilities: [],
};
const links: Record<string, string> = { "/work/link/x": "/etc/x", "/opt/in": "/work/in", "/work/alias": "/real" };
const resolvePath = (path: string) => {
  if (path.includes("throws")) throw new Error("ENOENT");
  return path.includes("broken") ? undefined : (links[path] ?? path);
};
const policy = (grant: object, more: object = {}) =>
  compileBundle(parseBundle({ ...base, ...more, capabilities: [grant] }), { resolvePath });
const said = (grant: object, action: Omit<Action, "capability">, task?: TaskPolicy) => {
  const { name } = grant as { name: string };
  const verdict = check(policy(grant), { capability: name, ...action }, now, task);
  return verdict.outcome === "denied" ? verdict.reason : verdict.outcome;
};

describe("a bundle", () => {
  it.each([
    ["holds", {}, "admitted"],
    ["has expired at its moment", { expiresAt: "2026-01-01T00:00:00Z" }, "expired"],
    ["is another session's", { sessionId: "s2" }, "other_session"],
    ["has an unknown schema", { schemaVersion: "2.0" }, "unknown_schema"],
    ["has an unknown field", { extra: 1 }, "invalid"],
    ["has a pattern for a path", { capabilities: [{ name: "File.Read", allowedPaths: ["/a/*"] }] }, "invalid"],
    ["has a relative path", { capabilities: [{ name: "File.Read", blockedPaths: ["a"] }] }, "invalid"],
    [
      "has a command with arguments",
      { capabilities: [{ name: "Shell.Exec", blockedCommands: ["git push"] }] },
      "invalid",
    ],
    ["has a pattern for a domain", { capabilities: [{ name: "Network.Http", blockedDomains: ["*.a.b"] }] }, "invalid"],
    ["grants twice", { capabilities: [{ name: "File.Read" }, { name: "File.Read" }] }, "invalid"],
    ["names a rule that is not there", { capabilities: [{ name: "File.Read", approvalRuleId: "r" }] }, "invalid"],
  ])("that %s", (_case, changes, expected) => {
    const admission = admitBundle({ ...base, ...changes }, { sessionId: "s", now });

    expect(admission.outcome === "admitted" ? "admitted" : admission.reason).toBe(expected);
  });

  it("that is nothing is refused", () => {
    for (const value of [null, undefined, 1, "x", []]) {
      expect(admitBundle(value, { sessionId: "s", now })).toMatchObject({ outcome: "refused" });
    }
  });
});

describe("the order of the check", () => {
  const grant = { name: "File.Read", allowedPaths: ["/work"], requiresApproval: true };
  const outside = { capability: "File.Read", path: "/etc/x" };

  it("is expiry, granted, scope, approval", () => {
    const compiled = policy(grant);
    const late = Date.parse(base.expiresAt);

    expect(check(compiled, { capability: "none" }, late)).toMatchObject({ reason: "policy_expired" });
    expect(check(compiled, { ...outside, capability: "none" }, late - 1)).toMatchObject({ reason: "not_granted" });
    expect(check(compiled, outside, late - 1)).toMatchObject({ reason: "path_not_allowed" });
    expect(check(compiled, { ...outside, path: "/work/x" }, late - 1)).toEqual({ outcome: "asks", risk: "low" });
    expect(check(compiled, { ...outside, path: "/work/x" }, Number.NaN)).toMatchObject({ reason: "policy_expired" });
  });

  it("gives the rule by which a person is asked", () => {
    const rule = { approvalRuleId: "r", title: "Commands" };
    const compiled = policy(
      { name: "Shell.Exec", requiresApproval: true, approvalRuleId: "r" },
      { approvalRules: [rule] },
    );

    expect(check(compiled, { capability: "Shell.Exec", command: "x" }, now)).toEqual({
      outcome: "asks",
      risk: "high",
      rule,
    });
  });

  it("lets a task ask for more, and never for less", () => {
    const mode = (approvalMode: TaskPolicy["approvalMode"]) => ({ allowNetwork: true, approvalMode });
    const free = { name: "File.Delete" };

    expect(said(free, { path: "/x" }, mode("never"))).toBe("allowed");
    expect(said(free, { path: "/x" }, mode("on_risky_actions"))).toBe("asks");
    expect(said({ name: "File.Read" }, { path: "/x" }, mode("on_risky_actions"))).toBe("allowed");
    expect(said({ name: "File.Read" }, { path: "/x" }, mode("always"))).toBe("asks");
    expect(said({ ...free, requiresApproval: true }, { path: "/x" }, mode("never"))).toBe("asks");
    const offline = { allowNetwork: false, approvalMode: "never" } as const;
    expect(said({ name: "Network.Http" }, { url: "https://a.b" }, offline)).toBe("network_not_allowed");
  });
});

describe("the scope of a grant", () => {
  const read = { name: "File.Read", allowedPaths: ["/work"], blockedPaths: ["/work/secret", "/work/alias"] };
  it.each([
    ["/work", "allowed"],
    ["/work/a/b", "allowed"],
    ["/workshop/a", "path_not_allowed"],
    ["/work/../etc/x", "path_not_allowed"],
    ["/work/./a/../secret/x", "path_blocked"],
    ["/work/secret", "path_blocked"],
    ["/work/secrets", "allowed"],
    ["/work/link/x", "path_not_allowed"],
    ["/opt/in", "allowed"],
    ["/real/file", "path_blocked"],
    ["work/a", "path_not_understood"],
    ["/work/a\0b", "path_not_understood"],
    ["/work/broken", "path_not_understood"],
    ["/work/throws", "path_not_understood"],
    ["", "path_not_understood"],
    // A filesystem may take these names for the same one, also of a file that is not there yet.
    ["/work/SECRET/x", "path_blocked"],
    ["/WORK/secret/x", "path_blocked"],
    ["/work/ſecret/x", "path_blocked"],
    ["/work/ｓｅｃｒｅｔ", "path_blocked"],
    ["/work/sec\u200bret/x", "path_blocked"],
    ["/work/secret./x", "path_blocked"],
    ["/work/secret /x", "path_blocked"],
    ["/work/%73ecret", "allowed"],
    ["/work/...", "allowed"],
    ["/Work/a", "path_not_allowed"],
    ["//work//secret//x", "path_blocked"],
    ["/../work/secret", "path_blocked"],
    ["/work/secret/../a", "allowed"],
    ["\\\\server\\share", "path_not_understood"],
    ["file:///work/a", "path_not_understood"],
    ["~/x", "path_not_understood"],
  ])("by paths: %j is %s", (path, expected) => {
    expect(said(read, { path })).toBe(expected);
  });

  it.each([
    ["/home/ren\u00e9", "/home/rene\u0301/x", "path_blocked"],
    ["/home/rene\u0301", "/home/REN\u00c9", "path_blocked"],
    ["/home/stra\u00dfe", "/home/STRASSE/x", "path_blocked"],
    ["C:\\work\\secret", "c:/Work/SECRET/x", "path_blocked"],
    ["C:\\work\\secret", "C:\\work\\secret::$DATA", "path_not_understood"],
    ["C:\\work\\secret", "C:\\work\\secrets", "allowed"],
    ["C:\\work\\secret", "\\\\?\\C:\\work\\secret", "path_not_understood"],
  ])("by paths with letters of two forms, and with drives: %j blocked, %j is %s", (blocked, path, expected) => {
    expect(said({ name: "File.Read", blockedPaths: [blocked] }, { path })).toBe(expected);
  });

  const shell = { name: "Shell.Exec", allowedCommands: ["git", "npm", "echo", "sh", "eval"], blockedCommands: ["rm"] };
  it.each([
    ["git status", "allowed"],
    ["/usr/bin/git log | git diff && npm test", "allowed"],
    ["CI=1 npm test", "allowed"],
    ["sh -c 'git status; npm test'", "allowed"],
    ["git status; curl x", "command_not_allowed"],
    ["git $(rm -rf /)", "command_blocked"],
    ["RM x; git status", "command_blocked"],
    ["rm.exe", "command_blocked"],
    ["r''m x", "command_blocked"],
    ["echo `rm x`", "command_blocked"],
    ['sh -c "rm x"', "command_blocked"],
    ["PATH=/evil git status", "command_not_understood"],
    ["GIT_PAGER=rm git log", "command_not_understood"],
    ["$GIT status", "command_not_understood"],
    ["echo rm | sh", "command_not_understood"],
    ["npm test &> /dev/null", "allowed"],
    ["rm x &> /dev/null", "command_blocked"],
    ["echo a &> /dev/null b", "command_not_understood"],
    ["eval 'echo a' &> /dev/null '; rm x'", "command_not_understood"],
    ["sh -c -- rm", "command_not_understood"],
    ["sh -c -e 'rm x'", "command_not_understood"],
    ["eval -- rm", "command_not_understood"],
    ["git() { rm x; }; git", "command_not_understood"],
    ["git status <<E\n$(rm x)\nE", "command_not_understood"],
    ["git status\0rm x", "command_not_understood"],
    ["git status\rrm x", "command_not_understood"],
    ["git status\u2028rm x", "allowed"],
    ["git <(rm x)", "command_not_understood"],
    ["alias git=rm\ngit x", "command_not_understood"],
    ["git status\nrm x", "command_blocked"],
  ])("by commands: %j is %s", (command, expected) => {
    expect(said(shell, { command })).toBe(expected);
  });

  const noRm = { name: "Shell.Exec", blockedCommands: ["rm"] };
  it.each([
    ...["env rm", "env -i A=1 rm", "xargs rm", "xargs -0 -n 1 rm", "nohup rm &", "time -p rm", "nice -n 5 rm"],
    ...["sudo -u root rm", "timeout 5 rm", "setsid rm", "stdbuf -o L rm", "busybox rm", "command -- rm", "exec rm"],
    ...["/usr/bin/env /bin/rm", "bash -c rm", "env sudo nice rm", "Rm", "rm.EXE", "find . -exec rm {} +"],
  ])("by the program behind another one: %j is blocked", (command) => {
    expect(said(noRm, { command })).toBe("command_blocked");
  });

  it.each([
    ...["ENV rm", "env.exe rm", "Sudo rm", "SH -c rm", "Eval rm", "xargs Env rm", "FIND . -exec rm {} +"],
    ...["env -S 'rm x'", "env --split-string='rm x'", "nice -5 rm", "sudo -s rm", "xargs -a f rm", "bash --norc -c rm"],
    ...["runuser -u a rm", "taskset 1 rm", "chrt 1 rm", "setarch x86_64 rm", "prlimit rm", "unbuffer rm", "at now"],
    ...["fakeroot rm", "valgrind rm", "start-stop-daemon --exec rm", "ssh-agent rm", "pkexec rm", "gosu a rm"],
    ...["/lib64/ld-linux-x86-64.so.2 /bin/rm", "/lib/ld-musl-x86_64.so.1 /bin/rm", "ld.so rm"],
  ])("denies what starts others in a way that is not read: %j", (command) => {
    expect(said(noRm, { command })).toBe("command_not_understood");
  });

  const web = {
    name: "Network.Http",
    allowedDomains: ["example.com", "10.0.0.1"],
    blockedDomains: ["bad.example.com"],
  };
  it.each([
    ["https://example.com/x?y#z", "allowed"],
    ["https://API.Example.com.:8080/", "allowed"],
    ["http://10.0.0.1/", "allowed"],
    ["http://0x0a.1/", "allowed"],
    ["https://bad.example.com/", "domain_blocked"],
    ["https://very.bad.example.com/", "domain_blocked"],
    ["https://notexample.com/", "domain_not_allowed"],
    ["https://example.com.evil.org/", "domain_not_allowed"],
    ["https://example.com@evil.org/", "url_not_understood"],
    ["https://evil.org\\@example.com/", "url_not_understood"],
    ["https://exa\tmple.com/", "url_not_understood"],
    ["https://ex%61mple.com/", "url_not_understood"],
    ["https://еxample.com/", "url_not_understood"],
    ["file:///etc/passwd", "url_not_understood"],
    ["//example.com/", "url_not_understood"],
    ["https://example.com:443/", "allowed"],
    ["https://example.com:99999/", "url_not_understood"],
    ["https://user:pass@example.com/", "url_not_understood"],
    ["https://example.com../", "url_not_understood"],
    ["https://bad.example.com./", "domain_blocked"],
    ["https://BAD.EXAMPLE.COM/", "domain_blocked"],
    ["https://b\u00fccher.example/", "url_not_understood"],
    ["https://xn--bcher-kva.example.com/", "allowed"],
    ["http://[::1]/", "domain_not_allowed"],
    ["http://[::ffff:10.0.0.1]/", "allowed"],
    ["http://[fe80::1%25eth0]/", "url_not_understood"],
    ["http://167772161/", "allowed"],
    ["http://evil.10.0.0.1/", "url_not_understood"],
  ])("by domains: %j is %s", (url, expected) => {
    expect(said(web, { url })).toBe(expected);
  });

  it.each([
    "http://169.254.169.254/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[0:0:0:0:0:ffff:a9fe:a9fe]:80/",
    "http://[::a9fe:a9fe]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
  ])("an address is blocked in each way to write it: %j", (url) => {
    expect(said({ name: "Network.Http", blockedDomains: ["169.254.169.254"] }, { url })).toBe("domain_blocked");
  });

  it("has no limit without a list, and allows nothing by an empty one", () => {
    expect(said({ name: "File.Read" }, { path: "/anything" })).toBe("allowed");
    expect(said({ name: "Shell.Exec" }, { command: "eval $(x" })).toBe("allowed");
    expect(said({ name: "File.Read", allowedPaths: [] }, { path: "/x" })).toBe("path_not_allowed");
    expect(said({ name: "Network.Http", allowedDomains: [] }, { url: "https://a.b" })).toBe("domain_not_allowed");
  });

  it("denies what an action does not say, and is about the folder of a command, too", () => {
    expect(said({ name: "File.Read", allowedPaths: ["/a"] }, {})).toBe("scope_unknown");
    expect(said({ name: "Shell.Exec", allowedCommands: ["a"] }, {})).toBe("scope_unknown");
    expect(said({ name: "Network.Http", blockedDomains: ["a.b"] }, {})).toBe("scope_unknown");
    expect(said({ name: "Shell.Exec", allowedPaths: ["/a"] }, { command: "x", cwd: "/b" })).toBe("path_not_allowed");
    expect(said({ name: "X", allowedPaths: ["/a"] }, { path: "/a/x", cwd: "/b" })).toBe("path_not_allowed");
  });

  it("has sizes, tools and models", () => {
    const sized = { name: "File.Write", maxFileSizeBytes: 10 };
    expect([said(sized, { fileSizeBytes: 10 }), said(sized, { fileSizeBytes: 11 })]).toEqual([
      "allowed",
      "file_too_large",
    ]);
    expect(said({ name: "BackendTool.Invoke", allowedTools: ["a"] }, { tool: "b" })).toBe("tool_not_allowed");
    const llmPolicy = { allowedModels: ["m"], maxInputTokens: 5, maxOutputTokens: 6 };
    const compiled = compileBundle(parseBundle({ ...base, llmPolicy }), { resolvePath });
    const call = (more: object) => check(compiled, { capability: "LLM.Call", model: "m", ...more }, now);
    expect(call({ inputTokens: 5, maxOutputTokens: 6 })).toEqual({ outcome: "allowed" });
    expect(call({ model: "n" })).toMatchObject({ reason: "model_not_allowed" });
    expect(call({ inputTokens: 6 })).toMatchObject({ reason: "input_too_long" });
    expect(call({ maxOutputTokens: 7 })).toMatchObject({ reason: "output_too_long" });
  });

  it("says why, without what was asked for", () => {
    const verdict = check(policy(shell), { capability: "Shell.Exec", command: "rm hush" }, now);

    expect(JSON.stringify(verdict)).not.toContain("hush");
    expect(denialReasons.length).toBeGreaterThan(15);
  });
});
