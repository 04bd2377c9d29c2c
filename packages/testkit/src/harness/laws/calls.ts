import assert from "node:assert/strict";
import type { ScriptedCall } from "../conversation.ts";
import { everyday, killed, long } from "../conversations.ts";
import { hashOf, outputOf, requestOf, stepOf } from "../expected.ts";
import type { HarnessLaw, Played } from "../harness-law.ts";
import type { SentMessage } from "../harness-run.ts";
import { isRedactedFrom } from "../same-request.ts";

export const calls: readonly HarnessLaw[] = [
  {
    id: "HAR-020",
    clause: "SSOT 2.5",
    title: "Every call has an object, with its tool, arguments, status and output, in the order of the calls.",
    conversation: everyday,
    holds({ run, answers }) {
      for (const one of answers) {
        const asked = one.answer.calls ?? [];
        const { calls: stored } = stepOf(run, one);
        assert.deepEqual(
          stored.map(({ callId, tool, object }) => [callId, tool, object?.tool, object?.args]),
          asked.map(({ callId, tool, args }) => [callId, tool, tool, args]),
        );
        for (const [at, call] of asked.entries()) {
          const { text, failed, images } = outputOf(call);
          const object = stored[at]?.object;
          const isOutput = text === undefined || isRedactedFrom(object?.text ?? "", text);
          assert.ok(object !== undefined && isOutput, `${call.callId} has another output`);
          assert.deepEqual([object.failed, object.images], [failed, images.map(hashOf)], call.callId);
        }
      }
    },
  },
  {
    id: "HAR-021",
    clause: "SSOT 2.4",
    title: "No two calls share an object, also where the provider begins its ids anew.",
    conversation: everyday,
    holds({ run, answers }) {
      const ids = answers.flatMap((one) => stepOf(run, one).calls.flatMap(({ object }) => object?.id ?? []));
      assert.equal(new Set(ids).size, answers.flatMap(({ answer }) => answer.calls ?? []).length);
    },
  },
  {
    id: "HAR-022",
    clause: "SSOT 4.4 (8)",
    title: "In every request each call is followed by its result, all in the order in which they were made.",
    conversation: everyday,
    holds: assertInOrder,
  },
  {
    id: "HAR-023",
    clause: "SSOT 5.6",
    title: "A call of a tool that there is not is recorded as failed, with what the model was told of it.",
    conversation: everyday,
    holds: (played) => assertTold(played, ({ tool }) => tool === "cm_no_such_tool"),
  },
  {
    id: "HAR-024",
    clause: "SSOT 5.6",
    title: "So is a call that was not let through.",
    asks: ["blocking"],
    conversation: everyday,
    holds: (played) => assertTold(played, ({ args }) => args.block !== undefined),
  },
  {
    id: "HAR-025",
    clause: "SSOT 5.6",
    title: "A call whose result never came is recorded as failed without an output, and the model sees a pair.",
    asks: ["kill"],
    conversation: killed,
    holds({ run, answers }) {
      const lost = answers.findIndex(({ answer }) => answer.calls?.some(({ args }) => args.hang === true));
      const [step, next] = [answers[lost], answers[lost + 1]];
      assert.ok(step !== undefined && next !== undefined);
      const objects = stepOf(run, step).calls.map(({ object }) => [object?.failed, object?.text]);
      assert.deepEqual(objects, [[true, null]]);
      assertPairs(requestOf(run, next).messages, "the request after it");
    },
  },
  {
    id: "HAR-026",
    clause: "SSOT 4.4 (8)",
    title: "So it is in a long conversation, whatever its policy leaves out.",
    conversation: long,
    holds: assertInOrder,
  },
];

function assertInOrder({ run, answers }: Played): void {
  for (const one of answers) {
    const { messages } = requestOf(run, one);
    const made = one.history.flatMap(({ calls: asked = [] }) => asked.map(({ callId }) => callId));
    assert.deepEqual(callIds(messages), made, `request ${one.n}`);
    assertPairs(messages, `request ${one.n}`);
  }
}

const callIds = (messages: readonly SentMessage[]) =>
  messages.flatMap(({ calls: asked = [] }) => asked.map(({ callId }) => callId));

export function assertPairs(messages: readonly SentMessage[], what: string): void {
  const behind = messages.map(({ calls: asked = [] }, at) => messages.slice(at + 1, at + 1 + asked.length));
  for (const [at, { calls: asked = [] }] of messages.entries()) {
    const results = behind[at] ?? [];
    assert.deepEqual(
      results.map(({ role, callId }) => [role, callId]),
      asked.map(({ callId }) => ["tool", callId]),
      `${what}, message ${at}`,
    );
  }
  const results = messages.filter(({ role }) => role === "tool");
  assert.equal(results.length, callIds(messages).length, `${what} has results of no call`);
}

function assertTold({ run, answers }: Played, isMeant: (call: ScriptedCall) => boolean): void {
  const at = answers.findIndex(({ answer }) => answer.calls?.some(isMeant));
  const [one, next] = [answers[at], answers[at + 1]];
  assert.ok(one !== undefined && next !== undefined);
  const { callId } = one.answer.calls?.find(isMeant) ?? {};
  const object = stepOf(run, one).calls.find((call) => call.callId === callId)?.object;
  assert.ok(
    object?.failed === true && object.text !== null && object.text !== "",
    `${callId} is not recorded as failed`,
  );
  const output = object.text;
  const isTold = requestOf(run, next).messages.some(({ text }) => text.includes(output));
  assert.ok(isTold, `The model was told something else of ${callId}`);
}
