import assert from "node:assert/strict";
import { beside, canary, killed, restarted, wentBack } from "../conversations.ts";
import { requestOf, stepOf } from "../expected.ts";
import type { HarnessLaw, Played } from "../harness-law.ts";
import { assertSameRequest } from "../same-request.ts";
import { assertPairs } from "./calls.ts";

export const sessions: readonly HarnessLaw[] = [
  {
    id: "HAR-040",
    clause: "SSOT 3.6",
    title: "A conversation that a new process continues is one session, with everything that was said before.",
    asks: ["restart"],
    conversation: restarted,
    holds(played) {
      assertOneSession(played);
      assertSaid(played);
    },
  },
  {
    id: "HAR-041",
    clause: "F1",
    title: "So it is after one that was killed in the middle of a call: nothing is missing, nothing is there twice.",
    asks: ["kill"],
    conversation: killed,
    holds(played) {
      assertOneSession(played);
      assertSaid(played);
    },
  },
  {
    id: "HAR-042",
    clause: "SSOT 3.12",
    title: "Going back leaves what came since: no later request has any of it.",
    asks: ["going-back"],
    conversation: wentBack,
    holds(played) {
      assertSaid(played);
      for (const one of played.answers) {
        const { messages } = requestOf(played.run, one);
        const made = one.history.flatMap(({ calls = [] }) => calls.map(({ callId }) => callId));
        assert.deepEqual(
          messages.flatMap(({ calls = [] }) => calls.map(({ callId }) => callId)),
          made,
          `request ${one.n}`,
        );
      }
    },
  },
  {
    id: "HAR-043",
    clause: "SSOT 3.12",
    title: "It stays one session: every step is there, and those of the newest point of the conversation lead on.",
    asks: ["going-back"],
    conversation: wentBack,
    holds(played) {
      assertOneSession(played);
      // Turns a, b and d; c was left.
      assert.deepEqual(played.run.stored?.path, [0, 1, 2, 3, 6, 7]);
    },
  },
  {
    id: "HAR-044",
    clause: "SSOT 3.3",
    title: "Nothing of another session of the store is in any request or step.",
    asks: ["elsewhere"],
    conversation: beside,
    holds({ run, answers }) {
      assert.equal(run.stored?.steps.length, answers.length);
      assert.ok(!JSON.stringify(run).includes(canary), "the other session shows");
    },
  },
];

/** Every answer is a step, and its request the one that was sent. */
function assertOneSession({ run, answers }: Played): void {
  assert.deepEqual(
    run.stored?.steps.map(({ answer, said }) => [said, answer.text]),
    answers.map(({ answer, said }) => [said, answer.text]),
  );
  for (const one of answers) assertSameRequest(requestOf(run, one), stepOf(run, one).prompt, `request ${one.n}`);
}

/** All that was said stands in every request, and no more. */
export function assertSaid({ run, answers }: Played): void {
  for (const one of answers) {
    const { messages } = requestOf(run, one);
    assertPairs(messages, `request ${one.n}`);
    const answered = one.history.filter(({ role }) => role === "assistant").map(({ text }) => text);
    const sent = messages.filter(({ role }) => role === "assistant").map(({ text }) => text);
    assert.deepEqual(sent, answered, `request ${one.n}`);
    const said = messages.filter(({ role }) => role === "user").map(({ text }) => text);
    for (const { role, text } of one.history) {
      if (role === "user") assert.ok(said.join("\n").includes(text ?? ""), `request ${one.n} has lost "${text}"`);
    }
  }
}
