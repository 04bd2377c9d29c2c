import assert from "node:assert/strict";
import { detached, storeOffline } from "../conversations.ts";
import { type PlainMessage, requestOf, stepOf } from "../expected.ts";
import type { HarnessLaw } from "../harness-law.ts";
import type { SentMessage } from "../harness-run.ts";
import { joined } from "../same-request.ts";
import { assertSaid } from "./sessions.ts";

export const faults: readonly HarnessLaw[] = [
  {
    id: "HAR-050",
    clause: "F18",
    title:
      "While the store is offline every answer gets its request, with all that was said and each call with its result.",
    asks: ["store-offline"],
    conversation: storeOffline,
    holds(played) {
      assert.equal(played.run.requests.length, played.answers.length);
      assertSaid(played);
    },
  },
  {
    id: "HAR-051",
    clause: "F17",
    title: "Once it is back everything is written, in order and once.",
    asks: ["store-offline"],
    conversation: storeOffline,
    holds({ run, answers }) {
      assert.deepEqual(
        run.stored?.steps.map(({ said, answer, calls }) => [
          said,
          answer.text,
          calls.map(({ object }) => object?.text),
        ]),
        answers.map(({ said, answer, n }) => [
          said,
          answer.text,
          (answer.calls ?? []).map(({ callId }) => textBehind(answers[n + 1]?.history, callId)),
        ]),
      );
      assert.deepEqual(run.stored?.pending, []);
    },
  },
  {
    id: "HAR-052",
    clause: "SSOT 5.1",
    title: "While it is switched off the model gets what the agent alone would send.",
    asks: ["detach"],
    conversation: detached,
    holds({ run, answers }) {
      const alone = answers.filter(({ turn }) => turn.detached === true);
      assert.ok(alone.length > 0);
      for (const one of alone) {
        const sent = joined(requestOf(run, one).messages).map(plain);
        assert.deepEqual(sent, joined(one.history.map(known)).map(plain), `request ${one.n}`);
      }
    },
  },
  {
    id: "HAR-053",
    clause: "SSOT 5.1",
    title: "Switched on again it has the whole conversation, and what came meanwhile is recorded.",
    asks: ["detach"],
    conversation: detached,
    holds(played) {
      assertSaid(played);
      const { run, answers } = played;
      for (const one of answers) assert.equal(stepOf(run, one).answer.text, one.answer.text);
      assert.equal(run.stored?.steps.length, answers.length);
    },
  },
];

const textBehind = (history: readonly PlainMessage[] | undefined, callId: string) =>
  history?.findLast((message) => message.callId === callId)?.text;

const known = (message: PlainMessage): SentMessage => ({ ...message, text: message.text ?? "" });

const plain = ({ role, text, callId, calls = [] }: SentMessage) => ({ role, text, callId, calls });
