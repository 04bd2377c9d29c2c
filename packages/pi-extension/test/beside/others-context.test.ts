// @module-tag pi
// @module-tag long
// Verifies: what another extension's `context` handler makes of messages is what is sent, in either order, also of what is
// folded or brought back later.

import { type CapturedRequest, checkStructure, runPrint, type ScriptedAnswer } from "@cm/scripted-models/real-pi";
import { describe, expect } from "vitest";
import { withPi } from "../support/with-pi.ts";
import { inOrder, ordersNow, runInOrder } from "./support/load-orders.ts";

const redactor = `const hushed = (block) =>
  block.type === "text" ? { ...block, text: block.text.replaceAll("HUSH-4711", "[REDACTED]") } : block;
export default (pi) => {
  pi.on("context", ({ messages }) => ({
    messages: messages.map((message) =>
      message.role === "toolResult" ? { ...message, content: message.content.map(hushed) } : message,
    ),
  }));
};
`;

/** All but the last two results. */
const pruner = `export default (pi) => {
  pi.on("context", ({ messages }) => {
    const results = messages.filter(({ role }) => role === "toolResult").slice(0, -2);
    for (const result of results) result.content = [{ type: "text", text: "[pruned by other]" }];
  });
};
`;

const secret = "HUSH-4711";
const names = Array.from({ length: 7 }, (_, n) => `n${n}.txt`);
/** Large enough that the window cannot hold all of them. */
const files = Object.fromEntries(
  names.map((name, n) => [
    name,
    Array.from(
      { length: 120 },
      (_, line) => `${name} mark-${n} line ${line} ${line % 40 === 0 ? secret : "plain"}`,
    ).join("\n"),
  ]),
);
const reads = (path: string): ScriptedAnswer => ({ calls: [{ name: "read", args: { path } }] });
const context = (args: Record<string, string>): ScriptedAnswer => ({ calls: [{ name: "cm_context", args }] });
const script: readonly ScriptedAnswer[] = [
  { calls: [{ name: "bash", args: { command: `echo ${secret} | tr a-z a-z` } }] },
  ...names.map(reads),
  context({ action: "show", id: "t2" }),
  context({ action: "show", id: "t2", match: "line 40" }),
  context({ action: "show", id: "t3", lines: "1-3" }),
  context({ action: "list", match: "line 80" }),
  reads("n6.txt"),
  { text: "done" },
  reads("n5.txt"),
  { text: "done again" },
];
const small = { contextWindow: 14_000, maxTokens: 1_000 };

for (const [version, orders] of ordersNow) {
  withPi(version, "another extension that works on the context", (stages) => {
    describe.each(orders)("%s", (order) => {
      inOrder(
        order,
        "ours, other by -e",
        "that takes a secret out: no request has it but in the model's own argument",
        async () => {
          const { play, run } = await stages.open(script, {}, { files, ...small });

          const end = await runPrint(await runInOrder(run, order, redactor), "look", "look again");

          expect(end).toMatchObject({ code: 0, stdout: "done again\n", stderr: "" });
          expect(play.requests).toHaveLength(script.length);
          for (const request of play.requests) {
            expect(countIn(request.body), `request ${request.index}`).toBe(countIn(callsOf(request)));
          }
          expect(resultsOf(play.requests.at(-1)).join("\n")).toContain("[REDACTED]");
          expect(play.requests.flatMap(checkStructure)).toEqual([]);
        },
      );

      inOrder(order, "ours installed", "that prunes old results: what it took out is never sent again", async () => {
        const { play, run } = await stages.open(script, {}, { files, ...small });

        const end = await runPrint(await runInOrder(run, order, pruner), "look", "look again");

        expect(end).toMatchObject({ code: 0, stdout: "done again\n", stderr: "" });
        expect(play.requests).toHaveLength(script.length);
        for (const request of play.requests) {
          const results = resultsOf(request);
          const old = results.slice(0, -2).join("\n");
          expect(old, `request ${request.index}`).not.toContain("mark-");
          for (const text of shown(request)) expect(text).not.toContain("mark-");
        }
        expect(play.requests.flatMap(shown)).not.toEqual([]);
        expect(resultsOf(play.requests.at(-1))[0]).toMatch(/pruned by other|left out/);
        expect(play.requests.flatMap(checkStructure)).toEqual([]);
      });
    });
  });
}

/** What calls of `show` were answered with: the outputs that they name were pruned before. */
function shown(request: CapturedRequest): readonly string[] {
  const results = resultsOf(request);
  const isShow = (call: unknown): boolean => JSON.stringify(call).includes('\\"show\\"');
  return results.filter((_, place) => isShow(callsOf(request)[place]));
}

const countIn = (value: unknown): number => JSON.stringify(value).split(secret).length - 1;

function callsOf({ sent }: CapturedRequest): readonly unknown[] {
  return sent.messages.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === "call"));
}

function resultsOf(request: CapturedRequest | undefined): readonly string[] {
  const blocks = request?.sent.messages.flatMap((message) => message.blocks) ?? [];
  return blocks.flatMap((block) => (block.kind === "result" ? [block.text] : []));
}
