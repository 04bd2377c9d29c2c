// Verifies: SSOT 5.1, T18: what callers hand in is checked at the door, with an error that names the argument.
import { createMemoryStore, isCmError } from "@cm/object-model";
import { layouts } from "@cm/render";
import { describe, expect, it } from "vitest";
import { openSession, type Session } from "../src/index.ts";
import { result, runs, says, user } from "./support/messages.ts";
import { snapshot } from "./support/snapshot.ts";

const canary = "canary-3b9e";

// biome-ignore lint/suspicious/noExplicitAny: What a caller without types can hand in.
type Anything = any;

const openings: readonly (readonly [argument: string, options: Anything])[] = [
  ["options", undefined],
  ["store", { layout: layouts.log }],
  ["store", { layout: layouts.log, store: canary }],
  ["store", { layout: layouts.log, store: { getMany() {} } }],
  ["store", { layout: layouts.log, store: new Map() }],
  ["layout", { store: createMemoryStore() }],
  ["layout", { store: createMemoryStore(), ...layouts.log }],
  ["layout", { store: createMemoryStore(), layout: canary }],
  ["layout", { store: createMemoryStore(), layout: { policy: layouts.log.policy } }],
  ["layout", { store: createMemoryStore(), layout: { ...layouts.log, policy: layouts.log.renderer } }],
  ["sources", { store: createMemoryStore(), layout: layouts.log, sources: { observe() {} } }],
  ["sources", { store: createMemoryStore(), layout: layouts.log, sources: [{ type: canary }] }],
  ["redact", { store: createMemoryStore(), layout: layouts.log, redact: canary }],
  ["owner", { store: createMemoryStore(), layout: layouts.log, owner: [canary] }],
  ["now", { store: createMemoryStore(), layout: layouts.log, now: 7 }],
  ["systemPrompt", { store: createMemoryStore(), layout: layouts.log, systemPrompt: [canary] }],
  ["session", { store: createMemoryStore(), layout: layouts.log, session: [canary] }],
  ["prices", { store: createMemoryStore(), layout: layouts.log, prices: null }],
  ["prices", { store: createMemoryStore(), layout: layouts.log, prices: { read: 0.1, write: canary } }],
  ["headChars", { store: createMemoryStore(), layout: layouts.log, headChars: canary }],
  ["leaseMs", { store: createMemoryStore(), layout: layouts.log, leaseMs: Number.NaN }],
  ["keyframeEverySteps", { store: createMemoryStore(), layout: layouts.log, keyframeEverySteps: 1.5 }],
  ["window", { store: createMemoryStore(), layout: layouts.log, window: 200_000 }],
  ["window", { store: createMemoryStore(), layout: layouts.log, window: null }],
  ["window", { store: createMemoryStore(), layout: layouts.log, window: { bytesMax: -1 } }],
  ["window", { store: createMemoryStore(), layout: layouts.log, window: { tokensMax: "200000" } }],
];

const calls: readonly (readonly [argument: string, what: string, (session: Anything) => Promise<unknown>])[] = [
  ["messages", "one message in place of a list", (session) => session.receive(user(canary))],
  ["messages", "none", (session) => session.receive()],
  ["role", "a message of a strange role", (session) => session.receive([user("ok"), { role: canary, text: canary }])],
  ["role", "an answer among messages", (session) => session.receive([says(canary).answer])],
  ["role", "a message that is none", (session) => session.receive([canary])],
  ["text", "a prompt without text", (session) => session.receive([{ role: "user" }])],
  ["text", "a prompt whose text is none", (session) => session.receive([{ role: "user", text: [canary] }])],
  ["text", "a result without text", (session) => session.receive([{ role: "tool", callId: canary, failed: false }])],
  ["callId", "a result without its call", (session) => session.receive([{ role: "tool", text: canary }])],
  ["attachments", "one in place of a list", (session) => session.receive([{ ...user(canary), attachments: canary }])],
  [
    "attachments",
    "one without bytes",
    (session) => session.receive([{ ...user(""), attachments: [{ mime: canary }] }]),
  ],
  ["files", "a path of a result", (session) => session.receive([{ ...result("c", ""), files: [canary] }])],
  ["files", "one without a binding", (session) => session.receive([{ ...result("c", ""), files: [{ as: "read" }] }])],
  ["files", "one file of a result", (session) => session.receive([{ ...result("c", canary), files: canary }])],
  [
    "idChain",
    "a chain without its step",
    (session) =>
      session.receive([
        { ...result("c", canary), idChain: { workspace_id: "w", session_id: "s", task_id: "t", step_id: null } },
      ]),
  ],
  ["systemPrompt", "a system prompt that is no text", (session) => session.assemble({ systemPrompt: 7 })],
  ["window", "a window that is a number", (session) => session.assemble({ window: 200_000 })],
  ["foldToBytes", "a weight that is none", (session) => session.assemble({ foldToBytes: -1 })],
  ["options", "no options", (session) => session.assemble(canary)],
  ["answer", "no record", (session) => session.record()],
  ["answer", "a record without an answer", (session) => session.record({ results: [] })],
  ["answer", "an answer that is a text", (session) => session.record({ answer: canary })],
  ["answer.role", "an answer of the user", (session) => session.record({ answer: user(canary) })],
  ["answer.text", "an answer without text", (session) => session.record({ answer: { role: "assistant" } })],
  ["answer.model", "a model that is none", (session) => session.record({ answer: { ...says("").answer, model: {} } })],
  ["answer.calls", "a call in place of a list", (session) => session.record(calling({ callId: "c" }))],
  ["answer.calls", "a call without a tool", (session) => session.record(calling([{ callId: canary, args: {} }]))],
  ["answer.calls", "a call without args", (session) => session.record(calling([{ callId: "c", tool: canary }]))],
  ["results", "one result in place of a list", (session) => session.record({ ...says(""), results: result("c", "x") })],
  ["results", "a result of the user", (session) => session.record({ ...says(""), results: [user(canary)] })],
  ["callId", "a result without callId", (session) => session.record({ ...says(""), results: [{ role: "tool" }] })],
  ["usage", "a usage that is none", (session) => session.record({ ...says(""), usage: { input: canary } })],
  ["action", "no command", (session) => session.command()],
  ["action", "an unknown action", (session) => session.command({ action: canary, id: "t1" })],
  ["action", "an action of another call", (session) => session.command({ action: "adopt", id: "t1" })],
  ["id", "a command without id", (session) => session.command({ action: "pin" })],
  ["id", "a command whose id is a list", (session) => session.command({ action: "pin", id: ["t1"] })],
  ["id", "a file to adopt that is none", (session) => session.adopt([canary])],
  ["query", "a query that is none", (session) => session.list(null)],
  ["ids", "one id in place of a list", (session) => session.erase("t1", canary)],
  ["ids", "ids that are no texts", (session) => session.erase([1], canary)],
  ["reason", "an erasure without a reason", (session) => session.erase(["t1"])],
];

describe("opening a session", () => {
  it("is refused with an option that there is not, since its author takes it for one", async () => {
    const options: Anything = { store: createMemoryStore(), layout: layouts.log, redactor: () => canary };

    const error: unknown = await openSession(options).catch((thrown: unknown) => thrown);

    expect(isCmError(error, "session/invalid-input") && error.message).toMatch(
      /^There is no option "redactor"\. There are store, layout, .*, redact, .*\.$/,
    );
  });

  it("takes an option without a value for none", async () => {
    const options: Anything = { store: createMemoryStore(), layout: layouts.log, redactor: undefined };

    await expect(openSession(options)).resolves.toBeDefined();
  });

  it.each(openings)("is refused where %s is wrong: %j", async (argument, options) => {
    const error: unknown = await openSession(options).catch((thrown: unknown) => thrown);

    expectRefusal(error, argument);
  });
});

describe("a call", () => {
  it.each(calls)("is refused where %s is wrong, and changes nothing: %s", async (argument, _what, call) => {
    const session = await started();
    const before = snapshot(session);

    const error: unknown = await call(session).catch((thrown: unknown) => thrown);

    expectRefusal(error, argument);
    expect(snapshot(session)).toEqual(before);
    // The request that was open is open still.
    await session.record(says("done"));
  });
});

function expectRefusal(error: unknown, argument: string): void {
  if (!isCmError(error)) throw new Error("Nothing of ours was thrown.", { cause: error });
  expect(error.code).toBe("session/invalid-input");
  expect(error.message).toMatch(new RegExp(`^The argument ${argument.replace(".", "\\.")} must be .*\\.$`));
  expect(`${error.stack} ${JSON.stringify(error.data)}`).not.toContain(canary);
}

const calling = (some: unknown) => ({ answer: { role: "assistant", text: "", calls: some } });

/** A session with a step, and a request that is open. */
async function started(): Promise<Session> {
  const session = await openSession({ store: createMemoryStore(), layout: layouts.log, session: "s" });
  await session.assemble();
  await session.record(runs(result("c1", "output")));
  await session.assemble();
  return session;
}
