// Verifies: SSOT 4.4 (10), (11): the line in an answer that a window cut leads to all of it.
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
