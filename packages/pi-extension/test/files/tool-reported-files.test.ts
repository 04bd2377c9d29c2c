// Verifies: SSOT 5.6, 5.9: files of a sandbox that no mount shows, from what its tools told.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStore, type DocumentOf, everyVersion, isDocumentOf, type ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { expect, it, onTestFinished } from "vitest";
import { hasPrograms } from "../../../../tools/has-programs.ts";
import { requirement } from "../../../../tools/requirement.ts";
import { HeardMounts, mountsChannel } from "../../src/files/mounts-message.ts";
import type { ToolCall } from "../../src/files/recorded-touch.ts";
import { eventBus } from "./event-bus.ts";
import { filesOf, folderWith, sandboxTools } from "./session-files.ts";

const call = (tool: string, args: object, text: string, details?: object): ToolCall => ({
  ...{ tool, args: { path: "/root/a.txt", ...args }, text, failed: false },
  ...(details === undefined ? {} : { details }),
});
const read = (text: string, args: object = {}) => call("read", args, text);

/** A client of a session whose tools work in the container, with `/ws` as the one mount. */
async function clientOf(top: string, store: ObjectStore, container = "box-1", engine?: string) {
  const bus = eventBus();
  const mounts = new HeardMounts(bus);
  bus.emit(mountsChannel, { v: 1, mounts: [{ agent: "/ws", canonical: top }], container });
  const containers = engine === undefined ? [] : [{ id: "named", command: [engine, "exec", "named"] }];
  const settings = { sources: { git: [], s3: [], containers } };
  const files = filesOf(top, { tools: sandboxTools, mounts, settings });
  const { source, redact } = files;
  const session = await openSession({
    store,
    layout: layouts.log,
    rendererFor,
    sources: [source],
    redact,
    session: "s",
  });
  let calls = 0;
  onTestFinished(() => session.close());
  return {
    session,
    /** One step with these calls in it. */
    async step(...made: readonly ToolCall[]) {
      await session.receive([{ role: "user", text: "Go on." }]);
      await session.assemble();
      const ids = made.map(() => `${container}-${Date.now()}-${calls++}`);
      await session.record({
        answer: {
          ...{ role: "assistant", text: "" },
          calls: made.map(({ tool }, n) => ({ callId: ids[n] ?? "", tool, args: {} })),
        },
        results: await Promise.all(
          made.map(async (one, n) => ({
            ...({ role: "tool", callId: ids[n] ?? "", text: one.text, failed: one.failed } as const),
            files: await files.bind(files.touched(one)),
          })),
        ),
      });
    },
  };
}

/** Every version of every file in the store, oldest first. */
async function versionsIn(store: ObjectStore) {
  const found: DocumentOf<"file">[] = [];
  const { versions } = await store.find({ type: "file" });
  for (const { id } of versions)
    for await (const { document } of everyVersion((page) => store.history(id, { ...page, documents: true })))
      if (document !== undefined && isDocumentOf(document, "file")) found.push(document);
  // A history has the newest first.
  return found.reverse().map(({ content, null_reason, content_from }) => [content ?? null_reason, content_from]);
}

it("has each text that was read whole or written as a version, and says who told it", async () => {
  const store = createMemoryStore();
  const { step } = await clientOf(folderWith({}), store);

  await step(read("one\n"));
  await step(read("one\n"));
  await step(call("write", { content: "two\n" }, "Wrote it."), read("two\n"));
  await step(read("three\n"));

  expect(await versionsIn(store)).toEqual([
    ["one\n", "tool"],
    ["two\n", "tool"],
    ["three\n", "tool"],
  ]);
});

it("takes no part for the whole, and what no longer fits for changed", async () => {
  const store = createMemoryStore();
  const { step } = await clientOf(folderWith({}), store);

  await step(read("two\n", { offset: 2 }));
  await step(read("one\ntwo\nthree\n"));
  await step(read("two\nthree\n", { offset: 2 }));
  await step(read("other\n", { offset: 2 }));
  await step(read("one\nother\n"));

  expect(await versionsIn(store)).toEqual([
    ["unread", undefined],
    ["one\ntwo\nthree\n", "tool"],
    ["unread", "tool"],
    ["one\nother\n", "tool"],
  ]);
});

it("has no text for what was edited until a whole read", async () => {
  const store = createMemoryStore();
  const { step, session } = await clientOf(folderWith({}), store);

  await step(call("edit", { oldText: "x", newText: "y" }, "Done."));
  await step(read("a\n"), call("edit", { oldText: "a", newText: "b" }, "Done."));
  await step(read("b\n"));
  await step(call("edit", { oldText: "b", newText: "c" }, "Done."));

  expect(await versionsIn(store)).toEqual([
    ["unread", undefined],
    ["b\n", "tool"],
    ["unread", "tool"],
  ]);
  expect((await session.objects()).filter(({ kind }) => kind === "file")).toMatchObject([{ textless: "unread" }]);
});

it("has what the mount shows from the file itself", async () => {
  const store = createMemoryStore();
  const { step } = await clientOf(folderWith({ "a.txt": "from the disk\n" }), store);

  await step(call("read", { path: "/ws/a.txt" }, "from the tool\n"));

  expect(await versionsIn(store)).toEqual([["from the disk\n", undefined]]);
});

it("keeps files of secrets closed, as on this machine", async () => {
  const store = createMemoryStore();
  const { step } = await clientOf(folderWith({}), store);

  await step(call("read", { path: "/root/.netrc" }, "machine a login b password c\n"));

  expect(await versionsIn(store)).toEqual([["unread", undefined]]);
});

it("goes on after a restart with what it was told, and tells files of another container apart", async () => {
  const store = createMemoryStore();
  const top = folderWith({});
  const first = await clientOf(top, store);
  await first.step(read("one\n"));
  await first.session.close();

  const second = await clientOf(top, store);
  const report = second.session.opened.report;
  await second.step(read("one\n"));
  await second.step(read("two\n"));
  await second.session.close();
  const other = await clientOf(top, store, "box-2");
  await other.step(read("two\n"));

  expect(report).toMatchObject({ changed: [], unreachable: [] });
  expect(await versionsIn(store)).toEqual([
    ["one\n", "tool"],
    ["two\n", "tool"],
    ["two\n", "tool"],
  ]);
  expect((await store.find({ type: "file" })).versions).toHaveLength(2);
});

// A shell stands in for the engine, and has what a container needs to be looked into.
const withShell = requirement("sh, sha256sum, readlink, head and wc on the PATH", () =>
  hasPrograms("sh", "sha256sum", "readlink", "head", "wc"),
);

withShell("what only the agent told of a container's file", () => {
  it("gives way to a source that can look into the container, which has the same object", async () => {
    const store = createMemoryStore();
    const [top, box] = [folderWith({}), folderWith({ "a.txt": "one\n", engine: '#!/bin/sh\nshift 2\nexec "$@"\n' })];
    const engine = join(box, "engine");
    chmodSync(engine, 0o755);
    const path = join(box, "a.txt");
    const first = await clientOf(top, store);
    await first.step(call("read", { path }, "one\n"));
    await first.session.close();

    const second = await clientOf(top, store, "box-1", engine);
    await second.step(call("read", { path, limit: 1 }, "one\n"));
    writeFileSync(path, "two\n");
    await second.session.assemble();

    expect(await versionsIn(store)).toEqual([
      ["one\n", "tool"],
      ["one\n", undefined],
      ["two\n", undefined],
    ]);
  });
});
