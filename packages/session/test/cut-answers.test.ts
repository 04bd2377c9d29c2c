// Verifies: SSOT 4.4 (10), (11): the line in an answer or a prompt that a window cut leads to all of it.
import { runContextTool } from "@cm/context-tool";
import { createMemoryStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { expect, it } from "vitest";
import { openSession } from "../src/index.ts";
import { result, user } from "./support/messages.ts";

it("an answer that a window cut names its turn, which has it whole", async () => {
  const session = await openSession({ store: createMemoryStore(), session: "s", layout: layouts.log, rendererFor });
  const texts = [0, 1, 2].map((answer) => `Answer ${answer}. ${"A word of it. ".repeat(400)}`);
  await session.receive([user("Go on.")]);
  for (const [at, text] of texts.entries()) {
    await session.assemble();
    const calls = [{ callId: `c${at}`, tool: "bash", args: { command: "make" } }];
    await session.record({ answer: { role: "assistant", text, calls }, results: [result(`c${at}`, "Done.")] });
  }

  const { messages } = await session.assemble({ window: { bytesMax: 9_000 } });

  const answers = messages.filter(({ role }) => role === "assistant");
  const cut = answers.map(({ text }) => / characters left out here; cm_context show turn(\d+)\]/.exec(text)?.[1]);
  expect(cut).toContain("1");
  for (const [place, turn] of cut.entries()) {
    if (turn === undefined) continue;
    const record = await session.turn(Number(turn));
    const [beginning] = answers[place]?.text.split("\n") ?? [];
    const whole = record?.messages.map((message) => ("text" in message ? message.text : null));
    expect(whole).toContain(texts.find((text) => text.startsWith(beginning ?? "")));
  }
});

it("what show brings back of a prompt says which attachments it leaves out", async () => {
  const session = await openSession({ store: createMemoryStore(), session: "s", layout: layouts.log, rendererFor });
  await session.receive([{ ...user("Look."), attachments: [{ mime: "image/png", data: new Uint8Array([1]) }] }]);
  const ask = async () => (await runContextTool(session, { action: "show", id: "turn1" })).text;
  const said = "user, without 1 attachment: Look.";
  await session.assemble();

  expect(await ask()).toContain(said);
  await session.record({ answer: { role: "assistant", text: "Done.", calls: [] } });
  expect(await ask()).toContain(said);
});

it.each(["log", "ssot"] as const)(
  "a prompt that a window of %s cut names its turn, before and behind a step",
  async (name) => {
    const session = await openSession({ store: createMemoryStore(), session: "s", layout: layouts[name], rendererFor });
    const text = `A question. ${"A word of it. ".repeat(900)}`;
    const ask = async () => {
      const { messages } = await session.assemble({ window: { bytesMax: 6_000 } });
      const prompt = messages.find(({ role, text: said }) => role === "user" && said.includes("A question."))?.text;
      expect(prompt).toMatch(/\n\[cm: \d+ characters left out here; cm_context show turn2\]\n/);
      return prompt;
    };
    await session.receive([user("Go on.")]);
    await session.assemble();
    await session.record({ answer: { role: "assistant", text: "Done.", calls: [] } });
    await session.receive([user(text)]);

    const first = await ask();
    expect((await session.turn(2))?.messages).toEqual([{ role: "user", text }]);
    const calls = [{ callId: "c", tool: "bash", args: { command: "make" } }];
    await session.record({ answer: { role: "assistant", text: "I look.", calls }, results: [result("c", "Made.")] });
    expect(await ask()).toBe(first);
    expect((await session.turn(2))?.messages[0]).toEqual({ role: "user", text });
  },
);
