import type { CallFigures, PartLife, PartState, RunResult } from "@cm/replay";
import { generator } from "./generator.ts";

/** Calls after which output is folded, at the next fold. */
const oldCalls = 12;

/**
 * Gives runs what a real replay tells about parts: each call has an answer, arguments and output; where the policy
 * folds, old output becomes references, one needed text is missed and one object comes back. The same each time.
 */
export function withLives(runs: readonly RunResult[]): RunResult[] {
  return runs.map((run) => {
    const parts = partsOf(run.calls);
    const folds = run.calls.filter(({ fold }) => fold !== undefined).map(({ call }) => call);
    const lives = parts.map((part) => folded(part, folds));
    const [firstFold] = folds;
    const reference = lives.find(({ forms }) => forms.some(({ form }) => form === "reference"));
    return {
      ...run,
      parts: reference === undefined ? lives : [...lives, recalled(reference, run.calls.length)],
      calls: run.calls.map((call) =>
        firstFold !== undefined && call.call === firstFold + 1 && reference !== undefined
          ? { ...call, missed: [{ line: "const limit = 400;", part: reference.key }], recalled: [reference.key] }
          : call,
      ),
      totals: { ...run.totals, cited: 240, citedMet: firstFold === undefined ? 240 : 236, citedInLine: 230 },
    };
  });
}

function partsOf(calls: readonly CallFigures[]): PartLife[] {
  const random = generator(20_261_122);
  const opening: PartLife = { key: "0", kind: "user", chars: 900, forms: [{ call: 0, form: "full", chars: 900 }] };
  const later = calls.flatMap(({ call }): PartLife[] => {
    const at = 1 + 2 * call;
    const tool = random() < 0.4 ? "bash" : "read";
    const target = tool === "bash" ? "npm test" : `src/module-${Math.floor(random() * 30)}.ts`;
    const chars = Math.round(random() < 0.12 ? 4_000 + 9_000 * random() : 200 + 1_000 * random());
    const next = call + 1;
    if (next >= calls.length) return [];
    const arrival = random() < 0.3 ? { form: "sparse", chars: Math.round(chars * 0.9) } : { form: "full", chars };
    return [
      { key: `${at}`, kind: "assistant", chars: 300, forms: [{ call: next, form: "full", chars: 300 }] },
      {
        key: `${at}.0`,
        kind: "arguments",
        tool,
        target,
        chars: 120,
        forms: [{ call: next, form: "full", chars: 120 }],
      },
      { key: `${at + 1}`, kind: "result", tool, target, chars, forms: [{ call: next, ...arrival }] },
    ];
  });
  return [opening, ...later];
}

function folded(part: PartLife, folds: readonly number[]): PartLife {
  const arrival = part.forms[0]?.call ?? 0;
  const at = folds.find((call) => call >= arrival + oldCalls);
  if (part.kind !== "result" || part.chars < 1_000 || at === undefined) return part;
  const reference: PartState = { call: at, form: "reference", chars: 140, reason: "no sign of need" };
  return { ...part, forms: [...part.forms, reference] };
}

function recalled({ key, tool, target, chars }: PartLife, calls: number): PartLife {
  return {
    key: `${2 * calls}`,
    kind: "recalled",
    ...(tool === undefined ? {} : { tool }),
    ...(target === undefined ? {} : { target: `${target} of ${key}` }),
    chars,
    forms: [{ call: calls - 1, form: "full", chars, reason: "an edit needs it" }],
  };
}
