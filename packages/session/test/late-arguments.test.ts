// Verifies: SSOT 3.8, 4.4 (10): arguments of a call whose result came in a later step fold like all others, and a session that
// was closed before or after that goes on with the same prompts.
import { messageBytes } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { expect, it } from "vitest";
import { openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { verifyStore } from "../src/verify.ts";
import { answering, call, result, runs, user } from "./support/messages.ts";
import { snapshot } from "./support/snapshot.ts";

const written = Array.from({ length: 200 }, (_, line) => `export const constant${line} = ${line};`).join("\n");

it("A write that a person approved in a later run folds as one that needed no approval.", async () => {
  const asked = { ...call("w", "write"), args: { path: "/p/constants.ts", content: written } };
  const wrote = result("w", "Wrote 200 lines.");

  const approved = await afterWrite(async (session) => {
    await session.record({ answer: answering(asked) });
    await session.receive([wrote]);
  });
  const free = await afterWrite((session) => session.record({ answer: answering(asked), results: [wrote] }));

  expect(approved.args.content).not.toContain("constant100 ");
  expect(approved.args).toEqual(free.args);
  expect(approved.hashes).toEqual(free.hashes);
});

it("Writes that are heavier than a window are cut for it once a person has approved them.", async () => {
  const bytesMax = 20_000;
  const session = await openSession({
    ...{
      store: createMemoryStore(),
      layout: layouts.log,
      rendererFor,
      session: "s",
      sources: [],
      window: { bytesMax },
    },
  });
  const ids = ["a", "b", "c", "d"];
  await session.receive([user("Write the constants.")]);
  await session.assemble();
  const args = { path: "/p/constants.ts", content: written };
  await session.record({ answer: answering(...ids.map((id) => ({ ...call(id, "write"), args }))) });

  await session.receive(ids.map((id) => result(id, "Wrote 200 lines.")));
  const { messages } = await session.assemble();

  expect(messages.reduce((bytes, message) => bytes + messageBytes(message), 0)).toBeLessThanOrEqual(bytesMax);
  expect(messages.filter(({ role }) => role === "tool")).toHaveLength(ids.length);
});

/** What is sent of the write's arguments after many more calls; the session is closed on the way. */
async function afterWrite(write: (session: Session) => Promise<unknown>) {
  const store = createMemoryStore();
  const options = { store, layout: layouts.log, rendererFor, session: "s", sources: [] };
  let session = await openSession(options);
  await session.receive([user("Write the constants.")]);
  await session.assemble();
  await write(session);
  for (let step = 0; step < 80; step += 1) {
    if (step % 7 === 0) {
      await session.close();
      const open = snapshot(session);
      session = await openSession(options);
      expect(snapshot(session)).toEqual(open);
    }
    await session.assemble();
    await session.record(runs(result(`c${step}`, `output ${step}\n`.repeat(60))));
  }
  const { messages } = await session.assemble();
  await session.abandon();
  const hashes: string[] = [];
  for await (const { hash, recordedHash } of rebuildPrompts(store, "s", rendererFor)) {
    expect(hash).toBe(recordedHash);
    hashes.push(hash ?? "");
  }
  for await (const finding of verifyStore(store)) expect.fail(JSON.stringify(finding));
  return { args: messages.find(({ calls }) => calls?.[0]?.callId === "w")?.calls?.[0]?.args ?? {}, hashes };
}
