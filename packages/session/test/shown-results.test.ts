// Verifies: SSOT 3.3, 4.4, 5.1: the text that an agent asks for, and the result that brings it back.
import type { SetCommand } from "@cm/context-log";
import { createMemoryStore, isDocumentOf, type ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { describe, expect, it } from "vitest";
import { limits, type OpenSessionOptions, openSession, type Session } from "../src/index.ts";
import { at, MapSource } from "./support/map-source.ts";
import { answering, call, result, runs, says, touch } from "./support/messages.ts";
import { snapshot } from "./support/snapshot.ts";

const text = "a line of the file\n".repeat(50);

it("a changed file is compared with what was read, not with what a call of ours brought back", async () => {
  const source = new MapSource();
  const before = Array.from({ length: 60 }, (_, line) => `line number ${line} of the file`).join("\n");
  const files = [touch("/src/a.ts", "read")];
  const session = await openSession({
    ...{ store: createMemoryStore(), sources: [source], session: "s", layout: layouts.log, rendererFor },
  });
  const read = (id: string, content: string) => {
    source.files.set("/src/a.ts", content);
    const calls = [call(id, "read", { path: "/src/a.ts" })];
    return played(session, { answer: answering(...calls), results: [result(id, content, { files })] });
  };
  await read("before", before);
  await played(session, runs(result("show", `Output of read a.ts (t1), all 60 lines:\n${before}`, { shows: ["t1"] })));
  await read("after", before.replace("number 30", "number thirty"));

  const { messages } = await session.assemble();

  expect(messages.find(({ callId }) => callId === "after")?.text).toContain(
    "below is what changed since 2 calls above",
  );
});

describe("recall", () => {
  it.each(["f1", "/src/a.ts", "a.ts"])("gives a file as it is now, by %s, and moves nothing", async (name) => {
    const { session, source } = await afterRead();
    source.files.set("/src/a.ts", "changed since");
    await played(session, says("somebody changed it"));
    const before = snapshot(session);

    const outcome = await session.recall(name);

    expect(outcome).toMatchObject({ done: true, object: { alias: "f1", path: "/src/a.ts", text: "changed since" } });
    expect(outcome).not.toHaveProperty("args");
    expect(snapshot(session)).toEqual(before);
  });

  it.each(["t1", "read"])("gives a call as it was, with its arguments, by %s", async (name) => {
    const { session, source } = await afterRead();
    source.files.set("/src/a.ts", "changed since");
    await played(session, says("somebody changed it"));

    const outcome = await session.recall(name);

    expect(outcome).toMatchObject({
      ...{ done: true, args: { path: "/src/a.ts" } },
      object: { id: "read", alias: "t1", text, level: "active", pinned: false },
    });
  });

  it("counts the pictures that a call's result had", async () => {
    const { session } = await afterRead();
    const attachments = [{ mime: "image/png", data: new Uint8Array([7]) }];
    await played(session, runs(result("look", "", { attachments })));

    expect(await session.recall("look")).toMatchObject({ done: true, object: { attachments: 1 } });
  });

  it("gives all of what was folded, and of a file that is gone the part that was seen", async () => {
    const { session, source } = await afterRead();
    await folded(session);
    source.files.delete("/src/a.ts");
    await played(session, says("it is gone"));

    expect(await session.recall("read")).toMatchObject({ done: true, object: { text, level: "inactive" } });
    expect(await session.recall("f1")).toMatchObject({ done: true, object: { text, textless: "deleted" } });
  });

  it("looks at a file again, since calls may have changed it after the request", async () => {
    const { session, source } = await afterRead();
    await session.assemble();

    source.files.set("/src/a.ts", "changed by a call before");
    expect(await session.recall("f1")).toMatchObject({ object: { text: "changed by a call before" } });
    // As often as it is asked, and in another way each time.
    expect(await session.recall("f1")).toMatchObject({ object: { text: "changed by a call before" } });
    source.files.set("/src/a.ts", new Uint8Array([0]));
    expect(await session.recall("f1")).toMatchObject({ object: { text, textless: "binary" } });
    source.files.delete("/src/a.ts");
    expect(await session.recall("f1")).toMatchObject({ object: { text, textless: "deleted" } });
    // Such as a link in its place, which leads to another file.
    source.unreachable.add("/src/a.ts");
    expect(await session.recall("f1")).toMatchObject({ object: { text, textless: "unreachable" } });
  });

  it("refuses in a sentence what is not there or has no text", async () => {
    const { session } = await afterRead();
    await played(session, runs(result("lost", null)));
    await session.erase(["read"], "a leaked key");

    const outcomes = [await session.recall("lost"), await session.recall("t1"), await session.recall("t9")];

    expect(outcomes).toEqual([
      {
        done: false,
        reason: "t2 cannot be shown: no output of it is known.",
        call: { args: expect.anything(), object: expect.objectContaining({ alias: "t2", text: null }) },
      },
      { done: false, reason: "t1 cannot be shown: its text was erased." },
      { done: false, reason: "This session has not met such an object; list its objects." },
    ]);
    await expect(session.recall(JSON.parse("7"))).rejects.toMatchObject({ code: "session/invalid-input" });
  });
});

describe("a result that shows an object", () => {
  it.each(["f1", "id"])(
    "makes it active while it stands in full, by %s, also in a client that opens it",
    async (name) => {
      const { session, store, options, file } = await afterRead();
      await folded(session);
      const before = isActive(session, file);

      await played(session, shows(name === "id" ? file : name));

      const { log } = session.view();
      expect([before, isActive(session, file)]).toEqual([false, true]);
      expect(log.findLast(({ kind }) => kind === "result")).toMatchObject({ callId: "show", shows: [file] });
      expect(await shownIn(store, "show")).toEqual([file]);
      expect(snapshot(await openSession(options))).toEqual(snapshot(session));
      await wish(session, "deactivate", "show");
      for (const n of [1, 2]) await played(session, runs(result(`more ${n}`, "ok")));
      await session.assemble({ cache: "cold" });
      await session.record(says("folded"));
      expect(isActive(session, file)).toBe(false);
      expect(snapshot(await openSession(options))).toEqual(snapshot(session));
    },
  );

  it.each(["activate", "deactivate"] as const)("settles what was wished of it before: %s", async (action) => {
    const { session, file } = await afterRead();
    if (action === "activate") await folded(session);
    await wish(session, action, "f1");
    const { requested, dismissed } = session.view().sets;
    expect([...requested, ...dismissed]).toEqual([file]);
    if (action === "activate") await session.receive([shown("f1")]);
    else await played(session, shows("f1"));

    const after = session.view().sets;
    expect([...after.requested, ...after.dismissed]).toEqual([]);
    expect(isActive(session, file)).toBe(true);
  });

  it("names each object once, and none that the session has not met", async () => {
    const { session, store, file } = await afterRead();

    await played(session, shows("t1", "f1", "read", "t9", "session:s", "__proto__"));

    expect(await shownIn(store, "show")).toEqual(["read", file]);
    expect(session.wrapper().session_index).toEqual(["read", file, "show"]);
  });

  it.each([
    ["a name that is none", [7]],
    ["no list", "f1"],
    ["more than may be", Array.from({ length: limits.shownObjectsMax + 1 }, () => "f1")],
  ])("is refused with %s, and changes nothing", async (_what, names) => {
    const { session } = await afterRead();
    await session.assemble();
    const before = snapshot(session);

    const late = session.receive([{ ...shown(), shows: names as string[] }]);
    await expect(late).rejects.toMatchObject({ code: "session/invalid-input" });
    const recorded = session.record(runs({ ...shown(), shows: names as string[] }));
    await expect(recorded).rejects.toMatchObject({ code: "session/invalid-input" });

    expect(snapshot(session)).toEqual(before);
  });
});

const shown = (...names: readonly string[]) => result("show", text, { shows: names });
const shows = (...names: readonly string[]) => runs(shown(...names));

async function wish(session: Session, action: SetCommand["action"], id: string): Promise<void> {
  expect(await session.command({ action, id })).toMatchObject({ done: true });
}

const isActive = (session: Session, id: string): boolean => session.view().sets.active.has(id);

async function shownIn(store: ObjectStore, id: string): Promise<unknown> {
  const document = (await store.getMany([id])).get(id)?.document;
  return document !== undefined && isDocumentOf(document, "toolcall") ? document.shows : undefined;
}

async function played(session: Session, record: Parameters<Session["record"]>[0]): Promise<void> {
  await session.assemble();
  await session.record(record);
}

/** Folds the only read, as the agent wished. */
async function folded(session: Session): Promise<void> {
  await wish(session, "deactivate", "read");
  for (const n of [1, 2]) await played(session, runs(result(`in between ${n}`, "ok")));
  await session.assemble({ cache: "cold" });
  await session.record(says("folded"));
  expect(session.view().sets.active.has("read")).toBe(false);
}

/** A session that read one file. */
async function afterRead() {
  const store = createMemoryStore();
  const source = new MapSource();
  source.files.set("/src/a.ts", text);
  const options: OpenSessionOptions = {
    ...{ store, layout: layouts.log, rendererFor, sources: [source], session: "s" },
    ...{ now: () => 1, tellResumed: false },
  };
  const session = await openSession(options);
  const files = [touch("/src/a.ts", "read", { startLine: 1 })];
  const answer = answering(call("read", "read", { path: at("/src/a.ts").path }));
  await played(session, { answer, results: [result("read", text, { files })] });
  const [{ id: file } = { id: "" }] = (await session.list({ kind: "file" })).objects;
  return { session, store, source, options, file };
}
