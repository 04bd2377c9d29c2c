import assert from "node:assert/strict";
import type { ContextView, LogEntry, PartForm } from "@cm/context-log";
import { isHeld } from "../held-objects.ts";
import { eachMoment, type Moment } from "../moments.ts";
import type { PolicyLaw } from "../policy-case.ts";

type FormName = PartForm["form"];

const ofOutput: readonly FormName[] = ["full", "sparse", "same", "diff", "pointer", "reference", "spans"];
/** Of what is not named here, such as a note that is told once, none is legal. */
const legal: Readonly<Partial<Record<LogEntry["kind"] | "args", readonly FormName[]>>> = {
  args: ["full", "reference", "replaced"],
  result: ofOutput,
  recalled: ofOutput,
  user: ["full", "spans"],
  assistant: ["full", "spans"],
};
/** Forms that leave something out; the others show the whole text or say where it stands. */
const shortened: ReadonlySet<FormName> = new Set<FormName>(["reference", "spans", "replaced"]);

/** A model takes the newest calls of its turn for an example of how to call: their arguments stay whole. */
const newestArgsSteps = 10;

export const forms: readonly PolicyLaw[] = [
  {
    id: "POL-010",
    clause: "SSOT 4.4 (8)",
    title: "A part takes a form of its kind: output is folded, arguments too, and what was said only loses its middle.",
    holds: (subject) =>
      eachMoment(subject, {}, (moment) => {
        for (const { part, form, kind } of begun(moment)) {
          assert.ok(
            kind === undefined || legal[kind]?.includes(form) === true,
            `${part}, of ${kind}, takes the form ${form}`,
          );
        }
      }),
  },
  {
    id: "POL-011",
    clause: "SSOT 4.4 (5)",
    title: "The newest calls stand whole.",
    holds: (subject) =>
      eachMoment(subject, {}, (moment) => {
        const { view, decision } = moment;
        for (const { part, form, entry } of begun(moment)) {
          const isNewest = entry?.kind === "result" && entry.step === view.step;
          assert.ok(!isNewest || !shortened.has(form), `${part}, which just came, takes the form ${form}`);
        }
        const newest = view.log.flatMap((entry) =>
          entry.kind === "result" && entry.step === view.step ? [entry.object] : [],
        );
        for (const id of newest) assert.ok(!decision.deactivate?.includes(id), `${id}, which just came, leaves`);
      }),
  },
  {
    id: "POL-012",
    clause: "SSOT 4.4 (8)",
    title: "Arguments stay while their turn lasts: those of the newest 10 calls, and all beside thinking.",
    holds: (subject) =>
      eachMoment(subject, {}, (moment) => {
        for (const { part, form, kind, entry } of begun(moment)) {
          if (kind !== "args" || entry?.kind !== "assistant" || form === "full") continue;
          const isBound = entry.thinking.length > 0 || entry.step + newestArgsSteps > moment.view.step;
          assert.ok(entry.turn < moment.view.turn || !isBound, `${part} belongs to the current turn`);
        }
      }),
  },
  {
    id: "POL-013",
    clause: "SSOT 3.4",
    title: "What is pinned stands whole, unless the agent dismissed it.",
    holds: (subject) =>
      eachMoment(subject, {}, (moment) => {
        for (const { part, form, entry } of begun(moment)) {
          const isOutput = entry?.kind === "result" || entry?.kind === "recalled";
          const stood = !shortened.has(moment.view.forms.get(part)?.form ?? "full");
          if (!isOutput || !stood || part.includes(".") || !isHeld(moment.view, entry.object)) continue;
          assert.ok(!shortened.has(form), `${part}, which is pinned, takes the form ${form}`);
        }
        for (const id of moment.decision.deactivate ?? [])
          assert.ok(!isHeld(moment.view, id), `${id}, which is pinned, leaves`);
        assert.deepEqual(moment.decision.release ?? [], [], "No window forces a pin out.");
      }),
  },
];

interface Begun {
  readonly part: string;
  readonly form: FormName;
  readonly kind: keyof typeof legal | undefined;
  readonly entry: LogEntry | undefined;
}

/** The forms that begin with a request, and of what. */
function begun({ view, decision }: Moment): readonly Begun[] {
  return Object.entries(decision.forms ?? {}).map(([part, { form }]) => {
    const entry = view.log[Number.parseInt(part, 10)];
    return { part, form, kind: kindOf(view, part), entry };
  });
}

function kindOf(view: ContextView, part: string): keyof typeof legal | undefined {
  return part.includes(".") ? "args" : view.log[Number(part)]?.kind;
}
