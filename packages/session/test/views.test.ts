// Verifies: SSOT 2.5 (chat), 3.1 (session wrapper): the shapes of the specification, as views over the steps.
import { createMemoryStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession } from "../src/index.ts";
import { answering, call, result, runs, says, user } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog } from "./support/renderers.ts";

describe("a session of two turns", () => {
  it("has the chat of SSOT 2.5", async () => {
    const { session } = await twoTurns();

    expect(session.chat()).toEqual({
      id: "chat:s",
      content: "",
      session_ref: "session:s",
      turns: [
        {
          user: [
            { text: "Fix it.", attachments: [] },
            { text: "Quickly.", attachments: [] },
          ],
          assistant: [
            {
              text: "I look.",
              thinking: [{ text: "hm", signature: "sig" }],
              calls: [
                { call_id: "read_1", tool: "bash", toolcall_ref: "read_1" },
                { call_id: "slow", tool: "bash", toolcall_ref: "slow" },
              ],
            },
            { text: "Done.", thinking: [], calls: [] },
          ],
          toolcall_refs: ["read_1", "slow"],
        },
        {
          user: [{ text: "Thanks.", attachments: [] }],
          assistant: [{ text: "", thinking: [], calls: [{ call_id: "again", tool: "bash", toolcall_ref: "again" }] }],
          toolcall_refs: ["again"],
        },
      ],
      turn_count: 2,
      toolcall_refs: ["read_1", "slow", "again"],
    });
  });

  it("has the wrapper of SSOT 3.1, by ids alone and in the order of the index", async () => {
    const { session } = await twoTurns();
    await session.command({ action: "pin", id: "again" });
    await session.command({ action: "pin", id: "read_1" });
    await session.command({ action: "hide", id: "slow" });

    expect(session.wrapper()).toEqual({
      session_id: "session:s",
      chat_ref: "chat:s",
      system_prompt_ref: "system_prompt:s",
      session_index: ["read_1", "slow", "again"],
      metadata_pool: ["read_1", "again"],
      active_set: ["read_1", "again"],
      pinned_set: ["read_1", "again"],
    });
  });

  it("has the same views when it is resumed", async () => {
    const { session, store } = await twoTurns();

    const resumed = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });

    expect(resumed.chat()).toEqual(session.chat());
    expect(resumed.wrapper()).toEqual(session.wrapper());
  });
});

it("A chat that begins with an answer has one turn.", async () => {
  const session = await openSession({ store: createMemoryStore(), layout: { policy: quietPolicy, renderer: openLog } });
  await session.assemble();

  await session.record(says("Hello."));

  expect(session.chat()).toMatchObject({ turn_count: 1, turns: [{ user: [], assistant: [{ text: "Hello." }] }] });
});

async function twoTurns() {
  const store = createMemoryStore();
  const session = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, session: "s" });
  await session.receive([user("Fix it."), user("Quickly.")]);
  await session.assemble();
  await session.record({
    answer: {
      ...answering(call("read_1"), call("slow")),
      text: "I look.",
      thinking: [{ text: "hm", signature: "sig" }],
    },
    results: [result("read_1", "text")],
  });
  await session.receive([result("slow", "at last")]);
  await session.assemble();
  await session.record(says("Done."));
  await session.receive([user("Thanks.")]);
  await session.assemble();
  await session.record(runs(result("again", "")));
  return { session, store };
}
