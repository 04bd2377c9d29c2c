import assert from "node:assert/strict";
import {
  appendedEntries,
  basesOf,
  type ContextView,
  indexedView,
  type PartForm,
  placeOfPart,
  type RepeatedRun,
  textsIn,
  viewAfterOmission,
} from "@cm/context-log";
import { canonicalJson } from "@cm/object-model";
import { clonedView, eachMoment, type Moment } from "../moments.ts";
import type { PolicyLaw } from "../policy-case.ts";
import type { PolicySubject } from "../policy-subject.ts";

export const decisions: readonly PolicyLaw[] = [
  {
    id: "POL-001",
    clause: "SSOT 4.4",
    title: "The same view gives the same decision and the same prompt, however often it is asked.",
    holds: (subject) =>
      someMoments(subject, (moment) => {
        assert.deepEqual(answer(subject, moment, moment.view), answer(subject, moment, moment.view));
      }),
  },
  {
    id: "POL-002",
    clause: "SSOT 4.4",
    title: "The order of sets and maps says nothing, that of the index alone does.",
    holds: (subject) =>
      someMoments(subject, (moment) => {
        assert.deepEqual(answer(subject, moment, turned(moment.view)), answer(subject, moment, moment.view));
      }),
  },
  {
    id: "POL-003",
    clause: "SSOT 4.4",
    title:
      "A new view gives what the open session was given: nothing is remembered beside it, and a table begins with the forms of its view.",
    holds: (subject) =>
      someMoments(subject, (moment) => {
        const { decision, prompt, view } = moment;
        assert.deepEqual(answer(subject, moment, clonedView(view)), { decision, prompt });
      }),
  },
  {
    id: "POL-004",
    clause: "SSOT 4.4",
    title: "A view is the same after a look at it.",
    holds: (subject) =>
      someMoments(subject, (moment) => {
        const view = clonedView(moment.view);
        const untouched = clonedView(view);
        answer(subject, moment, view);
        assert.deepEqual(view, untouched);
      }),
  },
  {
    id: "POL-005",
    clause: "SSOT 2.6",
    title: "A decision is plain data that canonical JSON gives back.",
    holds: (subject) =>
      eachMoment(subject, {}, ({ decision }) => assert.deepEqual(JSON.parse(canonicalJson(decision)), decision)),
  },
  {
    id: "POL-006",
    clause: "SSOT 4.1",
    title:
      "A decision names objects of the view, parts of its log and what it appends itself, and cuts within the log.",
    holds: (subject) => eachMoment(subject, {}, (moment) => assert.deepEqual(unknownNames(moment), [])),
  },
  {
    id: "POL-007",
    clause: "SSOT 4.4 (2)",
    title: "A form points at an earlier part whose text stands there itself.",
    holds: (subject) =>
      eachMoment(subject, {}, ({ view, decision }) => {
        const forms = new Map([...view.forms, ...Object.entries(decision.forms ?? {})]);
        const isOut = (part: string): boolean =>
          (decision.omit ?? []).some(([from, to]) => placeOfPart(part) >= from && placeOfPart(part) < to);
        for (const [part, form] of forms) {
          for (const base of isOut(part) ? [] : basesOf(form)) {
            const stands: PartForm["form"] = forms.get(base)?.form ?? "full";
            assert.ok(!isOut(base), `${part} points at ${base}, which leaves the prompt`);
            assert.ok(Number(base) < Number(part), `${part} points forward, at ${base}`);
            const isGone =
              stands === "reference" || stands === "spans" || (form.form === "pointer" && stands === "pointer");
            assert.ok(!isGone, `${part} points at ${base}, which is ${stands}`);
          }
        }
      }),
  },
  {
    id: "POL-008",
    clause: "SSOT 4.4 (11)",
    title:
      "Only a text that is equal in full, or the call's own arguments, stands for another one; of lines only equal ones.",
    holds: (subject) =>
      eachMoment(subject, {}, ({ view, decision }) => {
        for (const [part, form] of Object.entries(decision.forms ?? {})) {
          if (form.form === "pointer") {
            const shown = resultText(view, part);
            for (const run of form.runs) assert.ok(isRepeated(view, shown, run), `${part}: ${JSON.stringify(run)}`);
          }
          if (form.form !== "same") continue;
          const [entry, base] = [view.log[Number(part)], view.log[Number.parseInt(form.as, 10)]];
          if (entry?.kind !== "result" || base?.kind === "assistant") continue;
          assert.ok(base?.kind === "result" || base?.kind === "recalled", `${part} points at ${form.as}`);
          assert.equal(base.text, entry.text, `${part} is not the same text as ${form.as}`);
        }
      }),
  },
];

const resultText = ({ log }: ContextView, part: string): string => {
  const entry = log[Number(part)];
  return entry?.kind === "result" ? (entry.text ?? "") : "";
};

/** Whether the lines of a run stand where it says, but for the numbers that a tool puts before them. */
function isRepeated(view: ContextView, text: string, { line, count, in: base, from }: RepeatedRun): boolean {
  const entry = view.log[Number.parseInt(base, 10)];
  const args = entry?.kind === "assistant" ? entry.calls[Number(base.split(".")[1])]?.args : undefined;
  const texts = args === undefined ? [resultText(view, base)] : textsIn(args);
  const lines = linesOf(text).slice(line, line + count);
  if (lines.length !== count) return false;
  return texts.some(
    (one) =>
      linesOf(one)
        .slice(from, from + count)
        .join("\n") === lines.join("\n"),
  );
}

const linesOf = (text: string): readonly string[] =>
  text.split("\n").map((line) => line.replace(/^ *\d{1,9}[→\t]/, ""));

/** Every third request: copies and second looks cost more than the sessions. */
const someMoments = (subject: PolicySubject, check: (moment: Moment) => void): Promise<void> =>
  eachMoment(subject, {}, (moment) => {
    if (moment.view.step % 3 === 0) check(moment);
  });

function answer({ policy, renderer }: PolicySubject, { prices }: Moment, view: ContextView): unknown {
  const decision = policy.decide(view, prices);
  const left = viewAfterOmission(view, decision);
  return { decision, prompt: renderer.render(left.view, left.decision) };
}

/** The same view with all but the log and the index in the opposite order. */
function turned(view: ContextView): ContextView {
  const { index, ...sets } = view.sets;
  const back = (set: ReadonlySet<string>): Set<string> => new Set([...set].reverse());
  return indexedView({
    ...view,
    objects: new Map([...view.objects].reverse()),
    forms: new Map([...view.forms].reverse()),
    sets: {
      index,
      pool: back(sets.pool),
      active: back(sets.active),
      pinned: back(sets.pinned),
      dismissed: back(sets.dismissed),
      requested: back(sets.requested),
    },
  });
}

function unknownNames({ view, decision }: Moment): readonly string[] {
  const end = view.log.length + appendedEntries(view, decision).length;
  const recalled = (decision.recall ?? []).map(({ object }) => object);
  const objects = [...recalled, ...(decision.deactivate ?? [])].filter((id) => !view.sets.index.has(id));
  const places = (decision.recall ?? []).flatMap(({ into }) =>
    view.log[into]?.kind === "result" ? [] : [`recalled into ${into}`],
  );
  const pins = (decision.release ?? []).filter((id) => !view.sets.pinned.has(id));
  const parts = Object.keys(decision.forms ?? {}).filter((part) => {
    const [at = "", call] = part.split(".");
    const entry = view.log[Number(at)];
    if (call === undefined) return !/^\d+$/.test(at) || Number(at) >= end;
    return entry?.kind !== "assistant" || entry.calls[Number(call)] === undefined;
  });
  const { cut = 0 } = decision.fold ?? {};
  const cuts = Number.isInteger(cut) && cut >= 0 && cut <= view.log.length ? [] : [`cut ${cut}`];
  return [...objects, ...places, ...pins, ...parts, ...cuts];
}
