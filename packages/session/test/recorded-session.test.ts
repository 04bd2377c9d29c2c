// Verifies: a recorded session of the testkit shows a policy what a session shows it.
import type { RenderedPrompt, Renderer } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import { layouts } from "@cm/render";
import { ScriptedSession, SessionScript } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { openSession } from "../src/index.ts";

const output = (call: number): string =>
  Array.from({ length: 60 }, (_, line) => `call ${call} wrote line ${line} of its own`).join("\n");

/** Commands of several turns, two of them in one answer, one that answers late, and two prompts without an answer between. */
function tell<Script extends SessionScript>(script: Script): Script {
  script.say("Begin.");
  for (let call = 0; call < 80; call += 1) {
    if (call % 9 === 0) script.say(`Go on with part ${call}.`).say("And be quick.");
    if (call % 13 === 0) script.together((answer) => answer.run("make a", output(call)).run("make b", output(call)));
    if (call === 40) script.run("sleep", undefined, { callId: "slow" }).late("slow", "It slept.");
    script.run(`make ${call}`, output(call), { failed: call % 7 === 0 });
  }
  return script.answer("Done.");
}

describe("a recorded session of the testkit", () => {
  it("asks a policy with the prompts of a session, folds among them", async () => {
    const { policy, renderer } = layouts.log;
    const session = await openSession({ store: createMemoryStore(), layout: layouts.log });
    const folds: object[] = [];
    const seen: RenderedPrompt[] = [];
    const watched: Renderer = {
      ...renderer,
      render(view, decision) {
        const prompt = renderer.render(view, decision);
        if (decision.fold !== undefined) folds.push(decision.fold);
        seen.push(prompt);
        return prompt;
      },
    };

    const prompts = await tell(new SessionScript()).playInto(session);
    tell(new ScriptedSession({ policy, renderer: watched }));
    await session.close();

    expect(seen.map(({ messages, kept }) => ({ messages, kept }))).toEqual(
      prompts.map(({ messages, kept }) => ({ messages, kept })),
    );
    expect(folds.length).toBeGreaterThan(1);
  });
});
