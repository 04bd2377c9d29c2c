import assert from "node:assert/strict";
import type { PolicyLaw, PolicySubject } from "../policy-case.ts";
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
