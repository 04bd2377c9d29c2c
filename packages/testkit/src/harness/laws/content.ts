import assert from "node:assert/strict";
import { everyday, secret } from "../conversations.ts";
import { outputOf, requestOf, stepOf } from "../expected.ts";
import type { HarnessLaw } from "../harness-law.ts";
import { joined } from "../same-request.ts";

export const content: readonly HarnessLaw[] = [
  {
    id: "HAR-030",
    clause: "SSOT 3.8",
    title: "Every answer is a step, in order, behind what the user said before it, and nothing else is one.",
    conversation: everyday,
    holds({ run, answers }) {
      assert.deepEqual(
        run.stored?.steps.map(({ n, said, answer, late }) => [n, said, answer.text, late]),
        answers.map(({ n, said, answer }) => [n, said, answer.text, []]),
      );
      assert.deepEqual(run.stored?.pending, []);
    },
  },
  {
    id: "HAR-031",
    clause: "SSOT 4.4 (8)",
    title: "Signed thinking is recorded, and goes back to the model as it came.",
    asks: ["thinking"],
    conversation: everyday,
    holds({ run, answers }) {
      for (const one of answers) {
        assert.deepEqual(stepOf(run, one).answer.thinking, one.answer.thinking ?? []);
        const thoughts = one.history.flatMap(({ thinking = [] }) => thinking);
        const sent = requestOf(run, one).messages.flatMap(({ thinking = [] }) => thinking);
        assert.deepEqual(sent, thoughts, `request ${one.n}`);
      }
    },
  },
  {
    id: "HAR-032",
    clause: "SSOT 2.6",
    title: "Pictures of the user and of calls reach the model, and stand in the rebuilt request.",
    asks: ["images"],
    conversation: everyday,
    holds({ run, answers }) {
      const withPictures = answers.filter(({ history }) => history.at(-1)?.images !== undefined);
      assert.equal(withPictures.length, 2);
      for (const one of withPictures) {
        const [sent, rebuilt] = [requestOf(run, one), stepOf(run, one).prompt];
        const expected = one.history.flatMap(({ images = [] }) => images);
        assert.deepEqual(
          sent.messages.flatMap(({ images = [] }) => images),
          expected,
          `request ${one.n}`,
        );
        assert.deepEqual(
          rebuilt.messages.flatMap(({ images = [] }) => images),
          expected,
          `step ${one.n}`,
        );
      }
    },
  },
  {
    id: "HAR-033",
    clause: "SSOT 3.8",
    title: "What the user says while calls run stands behind their results, and before the next answer.",
    asks: ["steering"],
    conversation: everyday,
    holds({ run, answers }) {
      const steered = answers.findIndex(({ answer }) => answer.steer !== undefined);
      const [one, next] = [answers[steered], answers[steered + 1]];
      assert.ok(one !== undefined && next !== undefined);
      const last = joined(requestOf(run, next).messages).slice(-2);
      const ids = one.answer.calls?.map(({ callId }) => callId).slice(-1);
      assert.deepEqual([last[0]?.role, last[0]?.callId, last[1]?.role], ["tool", ids?.[0], "user"]);
      assert.ok(last[1]?.text.includes(one.answer.steer ?? ""));
    },
  },
  {
    id: "HAR-034",
    clause: "SSOT 3.8",
    title: "What the model said of its tokens stands in the step.",
    asks: ["usage"],
    conversation: everyday,
    holds({ run, answers }) {
      const counted = answers.filter((one) => requestOf(run, one).usage !== undefined);
      assert.ok(counted.length > 0, "no request has usage");
      for (const one of counted) assert.deepEqual(stepOf(run, one).usage, requestOf(run, one).usage, `step ${one.n}`);
    },
  },
  {
    id: "HAR-035",
    clause: "SSOT 5.10",
    title: "A secret in an output is stored nowhere; in its place stands a mark.",
    asks: ["redaction"],
    conversation: everyday,
    holds({ run, answers }) {
      assert.ok(!JSON.stringify(run.stored).includes(secret), "the secret is stored");
      const one = answers.find(({ answer }) => answer.calls?.some((call) => outputOf(call).text?.includes(secret)));
      assert.ok(one !== undefined);
      assert.match(stepOf(run, one).calls[0]?.object?.text ?? "", /\[redacted:/);
    },
  },
];
