// Verifies: F16: work per request follows what changed, not the length of the session.
import { type ContextPolicy, type ContextView, type LogEntry, LogIndex, type Renderer } from "@cm/context-log";
import type { JsonObject } from "@cm/object-model";
import { contextLogPolicy, logLayout } from "@cm/render";
import { RecordedSession, type SessionEvent } from "@cm/testkit";
import { expect, it } from "vitest";
import { lines } from "../support/script.ts";

/** Counts each look at an entry of the log, and at the form of a part, that policy and renderer take. */
class CountedLog {
  looks = 0;
  #index: LogIndex | undefined;
  #step = 0;
  /** What the request before decided: its forms hold from the next request on. */
  #decided: readonly string[] = [];

  /** The same view, with the same counting log and its index each time. */
  view(view: ContextView): ContextView {
    this.#index ??= new LogIndex(this.#counting(view.log), this.#countingForms(view.forms));
    if (view.step > this.#step) for (const part of this.#decided) this.#index.changePart(part);
    if (view.step > this.#step) this.#decided = [];
    this.#step = view.step;
    return { ...view, log: this.#index.log, forms: this.#index.forms, index: this.#index };
  }

  policy(policy: ContextPolicy): ContextPolicy {
    const decide: ContextPolicy["decide"] = (view, prices) => {
      const decision = policy.decide(this.view(view), prices);
      this.#decided = Object.keys(decision.forms ?? {});
      return decision;
    };
    return { ...policy, decide };
  }

  #counting(log: readonly LogEntry[]): readonly LogEntry[] {
    return new Proxy(log, {
      get: (entries, key) => {
        if (typeof key === "string" && /^\d+$/.test(key)) this.looks += 1;
        return Reflect.get(entries, key);
      },
    });
  }

  #countingForms(forms: ContextView["forms"]): ContextView["forms"] {
    return new Proxy(forms, {
      get: (target, key) => {
        if (key === "get") this.looks += 1;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  renderer(renderer: Renderer): Renderer {
    return { ...renderer, render: (view, decision) => renderer.render(this.view(view), decision) };
  }
}

it("A late request looks at no more of the log than an early one, folds and missed texts among them.", () => {
  const counted = new CountedLog();
  // Without a retention budget as many parts stay open in a long session as in a short one.
  const policy = counted.policy(contextLogPolicy({ retentionBudget: 0 }));
  const session = new RecordedSession({ policy, renderer: counted.renderer(logLayout) });
  const requests: { readonly looks: number; readonly folds: boolean; readonly recalls: boolean }[] = [];
  for (let call = 0; call < 1_250; call += 1) {
    if (call % 25 === 0) session.add({ kind: "user", text: "Go on." });
    const before = counted.looks;
    const { decision } = session.request();
    const { fold, recall } = decision;
    requests.push({ looks: counted.looks - before, folds: fold !== undefined, recalls: recall !== undefined });
    for (const event of callOf(call)) session.add(event);
  }

  const early = requests.slice(125, 250);
  const late = requests.slice(-125);

  expect(late.filter(({ folds }) => folds).length).toBeGreaterThan(3);
  expect(late.filter(({ recalls }) => recalls).length).toBeGreaterThan(3);
  expect(looksOf(late)).toBeLessThan(1.5 * looksOf(early));
  // Few requests recall, so that they would not show in the sum.
  expect(medianLooks(late.filter(({ recalls }) => recalls))).toBeLessThan(
    1.5 * medianLooks(early.filter(({ recalls }) => recalls)),
  );
});

/** Reads of ten files, edits of what was read long ago, and commands. */
function callOf(call: number): readonly SessionEvent[] {
  const path = (read: number): string => `src/${read % 100}.ts`;
  const removed = (read: number): string => `the statement of module${read} that goes away`;
  if (call % 10 === 0) return events(call, "read", { path: path(call) }, `${lines(20)}\n${removed(call)}`);
  const read = call - 75;
  if (call % 10 !== 5) return events(call, "bash", { command: `make ${call}` }, lines(15, `output${call}`));
  return events(call, "edit", { path: path(read), oldText: removed(read), newText: "x" }, "Done.");
}

function events(call: number, tool: string, args: JsonObject, text: string): readonly SessionEvent[] {
  const callId = `c${call}`;
  return [
    { kind: "assistant", text: "", calls: [{ callId, tool, args }] },
    { kind: "result", callId, text },
  ];
}

const looksOf = (requests: readonly { readonly looks: number }[]): number =>
  requests.reduce((sum, { looks }) => sum + looks, 0);

const medianLooks = (requests: readonly { readonly looks: number }[]): number =>
  requests.map(({ looks }) => looks).sort((a, b) => a - b)[requests.length >> 1] ?? 0;
