// @module-tag process
// Verifies: how a run ends, what later prompts and images become, and that an agent fetches what is not in view.
import { describe, expect, it } from "vitest";
import type { ScriptedAnswer } from "../../src/live/scripted/script.ts";
import { runAnswers, taskOf } from "./support/scripted-run.ts";

const line = "a line of some length that fills the window of a small model\n";
const big = taskOf({ "big.txt": line.repeat(100) });
const look: Partial<ScriptedAnswer> = { calls: [{ tool: "read", args: { path: "big.txt" } }] };

describe("a run", () => {
  it("ends after so many requests", async () => {
    const run = await runAnswers(big, [look, look, look], { protocol: "openai", policy: "plain", stepsMax: 2 });

    expect(run).toMatchObject({ end: "steps", requests: 2, solved: false });
  });

  it("ends before a request that the model's window does not hold", async () => {
    const answers = [look, look, look, { text: "ANSWER: yes" }];

    const run = await runAnswers(big, answers, { protocol: "openai", policy: "plain", windowTokens: 6_000 });

    expect(run).toMatchObject({ end: "window", solved: false });
    expect(run.requests).toBeLessThan(4);
  });

  it("says a later prompt when the one before is done, and shows images as blocks", async () => {
    const bodies: string[] = [];
    const image = { mime: "image/png", data: Buffer.from("iVBORw0KGgo=", "base64") };
    const task = taskOf({ "a.txt": "x\n" }, { prompts: ["A task that a test made", "And then?"], images: [image] });

    const run = await runAnswers(task, [{ text: "Done." }, { text: "ANSWER: yes" }], {
      ...{ protocol: "anthropic", policy: "log" },
      onBody: (_path, body) => bodies.push(body),
    });

    expect(run).toMatchObject({ end: "answered", requests: 2, solved: true });
    expect(bodies[0]).not.toContain("And then?");
    expect(JSON.parse(bodies[1] ?? "").messages).toMatchObject([
      {
        role: "user",
        content: [{ type: "text" }, { type: "image", source: { media_type: "image/png", data: "iVBORw0KGgo=" } }],
      },
      { role: "assistant", content: [{ type: "text", text: "Done." }] },
      { role: "user", content: [{ type: "text", text: "And then?" }] },
    ]);
  });

  it("fetches a file that it only heard of, and has it in the next request", async () => {
    const bodies: string[] = [];
    const task = taskOf({ "a.txt": "the text of the file\n" });
    const answers: Partial<ScriptedAnswer>[] = [
      { calls: [{ tool: "bash", args: { command: "ls a.txt" } }] },
      { calls: [{ tool: "cm_context", args: { id: "a.txt" } }] },
      { text: "ANSWER: yes" },
    ];

    await runAnswers(task, answers, {
      ...{ protocol: "openai", policy: "log" },
      onBody: (_path, body) => bodies.push(body),
    });

    expect(bodies.map((body) => body.includes("the text of the file"))).toEqual([false, false, true]);
  });
});
