// Verifies: SSOT 3.6: what the calls of a branch changed did not change while its session was away.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultPrices } from "@cm/context-log";
import { createMemoryStore, type ObjectDocument, type ObjectStore } from "@cm/object-model";
import { layouts } from "@cm/render";
import { expect, it, onTestFinished } from "vitest";
import { NestedFiles } from "../../src/files/nested-files.ts";
import { stepTouches } from "../../src/files/step-touches.ts";
import { openFollowedSession } from "../../src/managed/followed-session.ts";
import { filesOf, folderWith } from "../files/session-files.ts";
import { answerMessage, call, itemsIn, resultMessage, text, userMessage } from "../support/items.ts";

it("a session that was killed tells what changed behind the calls that may have done it", async () => {
  const top = folderWith({ "app/own.txt": "one\n" });
  const files = filesOf(top);
  const { source, redact } = files;
  const options = {
    ...{ store: createMemoryStore(), sources: [source], redact, layout: layouts.log, prices: defaultPrices },
    ...{ headChars: 0, discover: [], touchesOf: stepTouches(files, new NestedFiles()) },
  };
  const items = itemsIn([
    userMessage("Look."),
    answerMessage([call("c1", { path: "own.txt" })]),
    resultMessage("c1", "one\n"),
    answerMessage([call("c2", { command: "make" }, "bash")]),
  ]);
  const first = await openFollowedSession(options, { items: [], link: undefined, own: undefined });
  await first.follower.follow(items, { isOver: false });
  await first.session.close();
  writeFileSync(join(top, "app", "own.txt"), "two\n");

  const own = { v: 1, session: first.session.session, piSession: "p" } as const;
  const { session, follower } = await openFollowedSession(options, { items, link: own, own, isOver: true });
  onTestFinished(() => session.close());
  await follower.follow(items, { isOver: true });
  const { messages } = await session.assemble();

  expect(messages.find(({ callId }) => callId === "c1")?.text).toBe("one\n");
  expect(messages.find(({ callId }) => callId === "c2")?.text).toContain(
    `it may have run]\n[cm: found when this session was resumed:]\n[cm: ${join(top, "app/own.txt")} (f1) changed`,
  );
});

it("a session that goes on tells what changed behind its back, and not what calls did that it had not heard of", async () => {
  const top = folderWith({ "app/own.txt": "one\n", "app/other.txt": "one\n" });
  const files = filesOf(top);
  const { source, redact } = files;
  const options = {
    ...{ store: createMemoryStore(), sources: [source], redact, layout: layouts.log, prices: defaultPrices },
    ...{ headChars: 0, discover: [], touchesOf: stepTouches(files, new NestedFiles()) },
  };
  const items = itemsIn([
    userMessage("Look."),
    answerMessage([call("c1", { path: "own.txt" }), call("c2", { path: "other.txt" })]),
    ...[resultMessage("c1", "one\n"), resultMessage("c2", "one\n")],
    answerMessage([call("c3", { path: "own.txt", content: "two\n" }, "write")]),
    resultMessage("c3", "Written.", { toolName: "write" }),
    answerMessage([text("Done.")]),
    userMessage("Go on."),
  ]);
  const first = await openFollowedSession(options, { items: [], link: undefined, own: undefined });
  await first.follower.follow(items.slice(0, 4), { isOver: false });
  await first.session.close();
  for (const name of ["own.txt", "other.txt"]) writeFileSync(join(top, "app", name), "two\n");

  const own = { v: 1, session: first.session.session, piSession: "p" } as const;
  const { session, follower } = await openFollowedSession(options, { items, link: own, own });
  onTestFinished(() => session.close());
  await follower.follow(items, { isOver: false });
  const prompt = await session.assemble();

  const told = prompt.messages
    .flatMap((message) => ("text" in message ? [message.text] : []))
    .join("\n")
    .split("\n");
  expect(session.opened.report?.changed.map(({ path }) => path)).toEqual([join(top, "app/other.txt")]);
  expect(told.filter((line) => line.startsWith("[cm: "))).toEqual([
    "[cm: found when this session was resumed:]",
    `[cm: ${join(top, "app/other.txt")} (f2) changed: 1 line added, 1 removed]`,
  ]);
});

it.each(["step", "toolcall"])(
  "a session of which the database has lost a %s is left, and its branch filled into a new one",
  async (type) => {
    const commits: (readonly ObjectDocument[])[] = [];
    const memory = createMemoryStore();
    const store: ObjectStore = {
      ...{ contract: memory.contract, getMany: memory.getMany.bind(memory), find: memory.find.bind(memory) },
      ...{ history: memory.history.bind(memory), erase: memory.erase.bind(memory) },
      commit(writes, how) {
        commits.push(writes.map(({ document }) => document));
        return memory.commit(writes, how);
      },
    };
    const files = filesOf(folderWith({ "own.txt": "one\n" }));
    const options = {
      ...{ store, sources: [], redact: files.redact, layout: layouts.log, prices: defaultPrices },
      ...{ headChars: 0, discover: [], touchesOf: stepTouches(files, new NestedFiles()) },
    };
    const items = itemsIn([
      userMessage("Look."),
      answerMessage([call("c1", { path: "own.txt" })]),
      resultMessage("c1", "one\n"),
      answerMessage([text("Done.")]),
      userMessage("Go on."),
    ]);
    const first = await openFollowedSession(options, { items: [], link: undefined, own: undefined });
    await first.follower.follow(items.slice(0, 4), { isOver: false });
    await first.session.close();
    const left = first.session.session;
    const lost = type === "step" ? `step:${left}:0` : "c1";
    const lossy = createMemoryStore();
    for (const documents of commits)
      await lossy.commit(
        documents.filter((each) => each["xt/id"] !== lost).map((document) => ({ document, expect: "any" })),
      );

    const own = { v: 1, session: left, piSession: "p" } as const;
    const line = await openFollowedSession({ ...options, store: lossy }, { items, link: own, own, isOver: true });
    onTestFinished(() => line.session.close());
    await line.follower.follow(items, { isOver: true });
    const { messages } = await line.session.assemble();

    expect([line.left, line.isNew, line.session.session === left]).toEqual([left, true, false]);
    expect(messages.find(({ callId }) => callId === "c1")?.text).toBe("one\n");
  },
);
