// @module-tag process
// Verifies: SSOT 5.5, 5.6: sources that the settings name, from the file to the objects of a session.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createMemoryStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { describe, expect, it, onTestFinished } from "vitest";
import { sourceProblem } from "../../src/files/further-sources.ts";
import type { ToolCall } from "../../src/files/recorded-touch.ts";
import { settingsFile } from "../../src/settings/folders.ts";
import { readSettings } from "../../src/settings/read-settings.ts";
import { filesOf, folderWith, sandboxTools } from "./session-files.ts";

const call = (tool: string, args: object, text = ""): ToolCall => ({ tool, args: { ...args }, text, failed: false });

/** A session of a client whose settings file names these sources. */
async function clientWith(top: string, sources: readonly object[], tools?: typeof sandboxTools) {
  const agentDir = join(top, "agent");
  mkdirSync(join(agentDir, "context-manager"), { recursive: true });
  writeFileSync(settingsFile(agentDir), JSON.stringify({ sources }));
  const settings = readSettings({ env: {}, agentDir, home: top, cwd: top });
  const files = filesOf(top, { settings, ...(tools === undefined ? {} : { tools }) });
  const store = createMemoryStore();
  const all = [files.source, ...(await files.furtherSources())];
  const session = await openSession({ store, layout: layouts.log, rendererFor, sources: all, session: "s" });
  onTestFinished(() => session.close());
  let calls = 0;
  return {
    problems: settings.problems,
    files,
    session,
    async step(one: ToolCall) {
      const callId = `c${calls++}`;
      await session.receive([{ role: "user", text: "Go on." }]);
      await session.assemble();
      await session.record({
        answer: { role: "assistant", text: "", calls: [{ callId, tool: one.tool, args: {} }] },
        results: [{ role: "tool", callId, text: one.text, failed: false, files: await files.bind(files.touched(one)) }],
      });
    },
    async texts() {
      await session.assemble();
      const objects = await session.objects();
      return objects.filter(({ kind }) => kind === "file").map(({ path, text, textless }) => [path, textless ?? text]);
    },
  };
}

describe("a repository in the settings", () => {
  it("has the files of commits that git shows as objects, which change when the branch moves", async () => {
    const top = folderWith({ "app/docs/notes.md": "one\n" });
    const app = join(top, "app");
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b.c", "-C", app, ...args]);
    git("init", "--quiet", "--initial-branch=main");
    git("add", "docs");
    git("commit", "--quiet", "--no-gpg-sign", "--message", "One");
    const { step, texts, problems } = await clientWith(top, [{ git: app }]);

    await step(call("bash", { command: "git show main:docs/notes.md | head" }));
    const first = await texts();
    await step(call("bash", { command: `cd docs; git -C ${app}/docs show 'main:./notes.md'` }));
    await step(call("bash", { command: `git show main:docs/none.md; git -C ${top} show main:docs/notes.md` }));
    writeFileSync(join(app, "docs/notes.md"), "two\n");
    git("commit", "--quiet", "--no-gpg-sign", "--all", "--message", "Two");

    const name = expect.stringMatching(/^git:.*@main:docs\/notes\.md$/);
    expect(problems).toEqual([]);
    expect(first).toEqual([[name, "one\n"]]);
    expect(await texts()).toEqual([[name, "two\n"]]);
  });
});

describe("a server of buckets in the settings", () => {
  it("has the objects that a command names", async () => {
    const server = createServer(({ url }, response) => {
      const isThere = url?.startsWith("/notes/today.md") === true;
      response.writeHead(isThere ? 200 : 404, { etag: '"1"', "content-length": isThere ? 6 : 0 });
      response.end(isThere ? "today\n" : undefined);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.env.AWS_ACCESS_KEY_ID = "any";
    process.env.AWS_SECRET_ACCESS_KEY = "any";
    onTestFinished(() => {
      delete process.env.AWS_ACCESS_KEY_ID;
      delete process.env.AWS_SECRET_ACCESS_KEY;
    });
    const { step, texts, problems } = await clientWith(folderWith({}), [{ s3: { endpoint } }]);

    await step(call("bash", { command: "aws s3 cp s3://notes/today.md -" }));

    expect(problems).toEqual([]);
    expect(await texts()).toEqual([[expect.stringContaining("s3://notes/today.md"), "today\n"]]);
  });
});

describe("a container in the settings", () => {
  it("is looked into for what its tools touched, without a mount and without their word", async () => {
    const top = folderWith({ "box/a.txt": "one\n", "box/.netrc": "machine a login b password c\n" });
    // A stand-in for an engine: its container sees this machine's files.
    const engine = join(top, "engine");
    writeFileSync(engine, '#!/bin/sh\nshift 2\nexec "$@"\n');
    chmodSync(engine, 0o755);
    const container = { id: "box", command: [engine, "exec", "box"], roots: [join(top, "box")], cwd: join(top, "box") };
    const { step, texts, problems, files } = await clientWith(top, [{ container }], sandboxTools);

    await step(call("read", { path: "a.txt" }, "what a tool says of it"));
    const first = await texts();
    writeFileSync(join(top, "box/a.txt"), "two\n");
    await step(call("read", { path: ".netrc" }, "machine a login b password c\n"));

    expect(problems).toEqual([]);
    expect(files.notice).toBeUndefined();
    expect(first).toEqual([[join(top, "box/a.txt"), "one\n"]]);
    expect(await texts()).toEqual([
      [join(top, "box/a.txt"), "two\n"],
      [join(top, "box/.netrc"), "unread"],
    ]);
  });
});

describe("sources in the settings", () => {
  it("that are written wrongly are named, and that cannot be had say what to do", async () => {
    const { problems } = await clientWith(folderWith({}), [{ git: 7 }]);
    const missing = Object.assign(new Error("no"), { code: "ERR_MODULE_NOT_FOUND" });

    expect(problems).toEqual([expect.stringContaining('"sources')]);
    expect(sourceProblem("s3", "@cm/sources-s3", missing)).toBe(
      'Context Manager needs the package @cm/sources-s3 for "s3" in "sources". Install it beside the extension: npm install @cm/sources-s3.',
    );
  });

  it("that are not configured are not loaded", async () => {
    const files = filesOf(folderWith({}));

    expect(await files.furtherSources()).toEqual([]);
    expect(
      files.touched(call("bash", { command: "git show main:a; aws s3 cp s3://b-b/c -" })).map(({ path }) => path),
    ).not.toContainEqual(expect.stringContaining("cm-address"));
  });
});
