// Verifies: T18: errors have codes of a closed list and hold no content, for whatever goes wrong.
import { createMemoryStore, isCmError } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession, rebuildPrompts, type Session, type SessionErrorCode } from "../src/index.ts";
import { all } from "./support/all.ts";
import { at } from "./support/map-source.ts";
import { result, runs, says, user } from "./support/messages.ts";
import { decides, quietPolicy } from "./support/policies.ts";
import { openLog } from "./support/renderers.ts";

const canary = "CANARY";
const big = canary.repeat(6_000_000);
const store = createMemoryStore();

const codes: readonly (SessionErrorCode | `${"model" | "store"}/${string}`)[] = [
  "session/not-found",
  "session/no-request",
  "session/invalid-input",
  "session/invalid-decision",
  "session/unknown-layout",
  "session/damaged",
  "session/closed",
  "model/invalid-id",
  "model/invalid-source",
  "model/limit",
  "model/not-canonical",
  "model/invalid-document",
];

const wrongs: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  "an answer without a request": (session) => session.record(says(canary)),
  "a long prompt": (session) => session.receive([user(big)]),
  "strange usage": (session) =>
    afterAssemble(session, { ...says(canary), usage: { input: -1, output: 0, cacheRead: 0, cacheWrite: 0 } }),
  "a path that is too long": (session) =>
    afterAssemble(session, runs(result("c", canary, { files: [{ binding: at(`/${big}`), as: "read" }] }))),
  "a path that is no text": (session) =>
    afterAssemble(session, runs(result("c", canary, { files: [{ binding: at(`/${canary}\ud800`), as: "read" }] }))),
  "a strange binding": (session) =>
    session.receive([
      result("c", canary, { files: [{ binding: { type: "other", path: canary, other: "" }, as: "read" }] }),
    ]),
  "a step that is not there": (session) => session.promptAt(4),
  "a session that is not there": () => all(rebuildPrompts(store, canary, () => undefined)),
  "a strange session id": () => open(`${canary}:${canary}`),
  "a decision that names a strange object": async () => (await open(canary, { recall: [canary] })).assemble(),
  "a decision that names a strange part": async () =>
    (await open(canary, { forms: { [canary]: { form: "full" } } })).assemble(),
  "a closed session": async (session) => {
    await session.abandon();
    return session.receive([user(canary)]);
  },
};

describe("an error about", () => {
  it.each(Object.entries(wrongs))("%s has a code and no content", async (_what, wrong) => {
    const session = await open("s");
    await session.receive([user(canary)]);

    const error: unknown = await wrong(session).catch((thrown: unknown) => thrown);

    if (!isCmError(error)) throw new Error("Nothing of ours was thrown.", { cause: error });
    expect(codes).toContain(error.code);
    const said = `${JSON.stringify(error)} ${error.message} ${error.stack}`;
    // A session's id is a name; all else that was handed in is content.
    expect(said.replaceAll(`session ${canary}`, "").replaceAll(`"session":"${canary}"`, "")).not.toContain(canary);
    expect(error.message.length).toBeLessThan(300);
    expect(error.message).toMatch(/\.$/);
  });
});

async function afterAssemble(session: Session, record: Parameters<Session["record"]>[0]) {
  await session.assemble();
  return session.record(record);
}

function open(session: string, decision = {}) {
  const policy = Object.keys(decision).length === 0 ? quietPolicy : decides(decision);
  return openSession({ store, layout: { policy, renderer: openLog }, session });
}
