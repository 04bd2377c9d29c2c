import assert from "node:assert/strict";
import { messageBytes, type PartForm } from "@cm/context-log";
import { isHeld } from "../held-objects.ts";
import { eachMoment } from "../moments.ts";
import type { PolicyLaw } from "../policy-case.ts";

/** Far less than the texts of such a session, and more than its dialogue with the newest calls. */
const bytesMax = 48_000;

export const windows: readonly PolicyLaw[] = [
  {
    id: "POL-050",
    clause: "SSOT 4.4 (10)",
    title: "A window that holds everything changes no decision.",
    holds: (subject) =>
      eachMoment(subject, {}, ({ view, decision, prices }) => {
        const wide = { ...view, window: { bytesMax: 1_000_000_000 } };
        assert.deepEqual(subject.policy.decide(wide, prices), decision);
      }),
  },
  {
    id: "POL-051",
    clause: "SSOT 4.4 (10)",
    title: "The messages of a request fit the window.",
    asks: "window",
    holds: (subject) =>
      eachMoment(subject, { steps: 60, bytesMax }, ({ prompt }) => {
        const bytes = prompt.messages.reduce((sum, message) => sum + messageBytes(message), 0);
        assert.ok(bytes <= bytesMax, `${bytes} bytes do not fit ${bytesMax}`);
      }),
  },
  {
    id: "POL-052",
    clause: "SSOT 4.4 (10)",
    title: "A window takes from pinned text only what it releases, and says so.",
    asks: "window",
    holds: (subject) =>
      eachMoment(subject, { steps: 60, bytesMax }, ({ view, decision }) => {
        for (const [part, { form }] of Object.entries(decision.forms ?? {})) {
          const entry = view.log[Number(part)];
          const isOutput = entry?.kind === "result" || entry?.kind === "recalled";
          if (!isOutput || !isHeld(view, entry.object)) continue;
          const wasShort = isShortened(view.forms.get(part)?.form);
          const isShort = isShortened(form) && !wasShort;
          assert.ok(
            !isShort || decision.release?.includes(entry.object),
            `${part} is pinned and takes the form ${form}`,
          );
        }
        for (const id of decision.deactivate ?? []) {
          assert.ok(!isHeld(view, id) || decision.release?.includes(id), `${id} is pinned and leaves`);
        }
      }),
  },
];

const isShortened = (form: PartForm["form"] | undefined): boolean => form === "reference" || form === "spans";
