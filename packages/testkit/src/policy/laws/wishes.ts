import assert from "node:assert/strict";
import type { PolicyLaw } from "../policy-case.ts";
import type { PolicySubject } from "../policy-subject.ts";
import { RecordedSession } from "../recorded-session.ts";

const mark = "the mark of an output";
const text = Array.from({ length: 80 }, (_, line) => `${mark} on line ${line} of many`).join("\n");

/** A session in which a call gave a long text some turns ago; `c0` is that call and its object. */
function afterLongOutput({ policy, renderer }: PolicySubject): RecordedSession {
  const session = new RecordedSession({ policy, renderer, headChars: 4_000 });
  session.add({ kind: "user", text: "Begin." });
  for (let step = 0; step < 12; step += 1) {
    const callId = `c${step}`;
    session.request();
    session.add({ kind: "assistant", text: "", calls: [{ callId, tool: "bash", args: { command: "make" } }] });
    session.add({ kind: "result", callId, text: step === 0 ? text : "Done." });
    if (step % 4 === 3) session.add({ kind: "user", text: "Go on." });
  }
  return session;
}

const shows = (session: RecordedSession): boolean =>
  session.request().prompt.messages.some((message) => message.text.includes(`${mark} on line 40`));

/** In how many requests, and with which of the folds since the wish, the text of a call is gone; a warm cache throughout. */
function goneIn(
  { policy, renderer }: PolicySubject,
  { isPinned, isDismissed }: { readonly isPinned: boolean; readonly isDismissed: boolean },
): { readonly at: number; readonly folds: number } {
  const session = new RecordedSession({ policy, renderer, headChars: 4_000 });
  session.add({ kind: "user", text: "Begin." });
  let folds = 0;
  for (let step = 0; step < 120; step += 1) {
    const { prompt, decision } = session.request();
    if (step > wishStep && decision.fold !== undefined) folds += 1;
    const isThere = prompt.messages.some((message) => message.text.includes(`${mark} on line 40`));
    if (step > wishStep && !isThere) return { at: step, folds };
    const callId = `c${step}`;
    const lines = Array.from({ length: 60 }, (_, line) => `step ${step} wrote line ${line} of its own`).join("\n");
    session.add({ kind: "assistant", text: "", calls: [{ callId, tool: "read", args: { path: `src/a${step}.ts` } }] });
    session.add({ kind: "result", callId, text: step === 0 ? text : lines });
    if (step === 0 && isPinned) session.pinned.add("c0");
    if (step === wishStep && isDismissed) session.dismissed.add("c0");
  }
  return { at: Number.POSITIVE_INFINITY, folds };
}

const wishStep = 6;

export const wishes: readonly PolicyLaw[] = [
  {
    id: "POL-040",
    clause: "SSOT 3.4",
    title: "What the agent dismissed is gone once everything is written anew, also where it was pinned.",
    asks: "dismissal",
    async holds(subject) {
      for (const isPinned of [false, true]) {
        const session = afterLongOutput(subject);
        if (isPinned) session.pinned.add("c0");
        session.dismissed.add("c0");
        session.cache = "cold";

        assert.equal(shows(session), false);
      }
    },
  },
  {
    id: "POL-042",
    clause: "SSOT 3.4",
    title:
      "What the agent dismissed is gone with the next fold, and never later than without that wish, pinned or not.",
    asks: "folds",
    async holds(subject) {
      for (const isPinned of [false, true]) {
        const wished = goneIn(subject, { isPinned, isDismissed: true });
        const unwished = goneIn(subject, { isPinned: false, isDismissed: false });

        assert.ok(wished.at <= unwished.at, `It was gone at request ${wished.at}, without the wish at ${unwished.at}`);
        assert.ok(wished.folds <= 1, `It stood through ${wished.folds - 1} folds`);
      }
    },
  },
  {
    id: "POL-041",
    clause: "SSOT 3.3",
    title: "What the agent asks for stands in the next prompt.",
    asks: "requests",
    async holds(subject) {
      const session = afterLongOutput(subject);
      session.cache = "cold";
      session.request();
      session.requested.add("c0");
      if (subject.renderer.residency === "sets") session.active.add("c0");

      assert.equal(shows(session), true);
    },
  },
];
