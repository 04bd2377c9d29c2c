import assert from "node:assert/strict";
import { everyday, long } from "../conversations.ts";
import { requestOf, stepOf } from "../expected.ts";
import type { HarnessLaw } from "../harness-law.ts";
import type { SentMessage } from "../harness-run.ts";
import { assertSameRequest, isRedactedFrom } from "../same-request.ts";

export const requests: readonly HarnessLaw[] = [
  {
    id: "HAR-001",
    clause: "SSOT 3.9",
    title: "Every request is the one that its step rebuilds, but for what was redacted.",
    conversation: everyday,
    holds({ run, answers }) {
      for (const one of answers) assertSameRequest(requestOf(run, one), stepOf(run, one).prompt, `request ${one.n}`);
    },
  },
  {
    id: "HAR-002",
    clause: "SSOT 3.9",
    title: "So it is in a long conversation, whatever its policy leaves out.",
    conversation: long,
    holds({ run, answers }) {
      for (const one of answers) assertSameRequest(requestOf(run, one), stepOf(run, one).prompt, `request ${one.n}`);
    },
  },
  {
    id: "HAR-003",
    clause: "SSOT 3.8",
    title: "Every request is made once: the model is asked as often as it answers, or fails.",
    conversation: everyday,
    holds({ run, answers }) {
      assert.equal(run.requests.length, answers.flatMap(({ asks }) => asks).length);
    },
  },
  {
    id: "HAR-004",
    clause: "SSOT 3.9",
    title: "A request that is sent again because it failed has the same bytes.",
    asks: ["asks-again"],
    conversation: everyday,
    holds({ run, answers }) {
      for (const { asks } of answers) {
        for (const place of asks) {
          const [first, again] = [run.requests[asks[0] ?? place], run.requests[place]];
          assert.deepEqual([again?.system, again?.messages], [first?.system, first?.messages]);
        }
      }
    },
  },
  {
    id: "HAR-005",
    clause: "SSOT 4.4 (1)",
    title: "Between folds no byte that was sent changes: a request begins with all of the one before.",
    asks: ["log"],
    conversation: long,
    holds({ run, answers }) {
      for (const [at, one] of answers.entries()) {
        const before = answers[at - 1];
        if (before === undefined || stepOf(run, one).folded) continue;
        const sent = requestOf(run, before).messages;
        assert.deepEqual(requestOf(run, one).messages.slice(0, sent.length), sent, `request ${one.n}`);
      }
    },
  },
  {
    id: "HAR-006",
    clause: "SSOT 3.9",
    title: "Every past request is rebuilt to the hash that was recorded.",
    conversation: long,
    holds({ run, answers }) {
      for (const one of answers) {
        const { prompt, promptHash } = stepOf(run, one);
        assert.deepEqual([prompt.hash, prompt.complete], [promptHash, true], `request ${one.n}`);
      }
    },
  },
  {
    id: "HAR-007",
    clause: "SSOT 4.1",
    title: "Everything that the user said stands in every later request, in order.",
    conversation: long,
    holds({ run, answers }) {
      for (const one of answers) {
        const said = one.history.flatMap(({ role, text }) => (role === "user" && text !== undefined ? [text] : []));
        const shown = requestOf(run, one).messages.flatMap(({ role, text }) => (role === "user" ? [text] : []));
        let place = 0;
        for (const text of said) {
          place = shown.findIndex((one, at) => at >= place && one.includes(text));
          assert.ok(place >= 0, `request ${one.n} has lost "${text}"`);
        }
      }
    },
  },
  {
    id: "HAR-008",
    clause: "SSOT 4.1",
    title: "The output of the newest calls stands in the next request whole.",
    conversation: everyday,
    holds({ run, answers }) {
      for (const one of answers) {
        const { messages } = requestOf(run, one);
        const newest = one.history.slice(one.history.findLastIndex(({ role }) => role === "assistant") + 1);
        for (const { role, callId, text } of newest) {
          if (role !== "tool" || text === undefined) continue;
          assert.ok(shows(messages, text), `request ${one.n} does not show ${callId} whole`);
        }
      }
    },
  },
];

/** A layout may show outputs where it wants and add lines of its own; a harness may take out a secret. */
function shows(messages: readonly SentMessage[], text: string): boolean {
  if (messages.some((message) => message.text.includes(text))) return true;
  const count = text.split("\n").length;
  return messages.some((message) => {
    const lines = message.text.split("\n");
    return lines.some((_, at) => isRedactedFrom(lines.slice(at, at + count).join("\n"), text));
  });
}
