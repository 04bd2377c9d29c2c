import type { CallFigures, Resident, RunResult } from "@cm/replay";
import { generator } from "./generator.ts";

export interface SyntheticOptions {
  readonly calls?: number;
  readonly file?: string;
  readonly policies?: readonly ("plain" | "ssot" | "log")[];
}

const prices = { read: 0.1, write: 1.25 };
const headChars = 16_000;

/** Runs of one made-up session: plain grows, ssot is rebuilt each time, log grows and folds. The same each time. */
export function syntheticRuns(options: SyntheticOptions = {}): RunResult[] {
  const { calls = 450, file = "pi-large-session.jsonl", policies = ["plain", "ssot", "log"] } = options;
  const steps = sessionOf(calls);
  const plain = callsOf(steps, "plain");
  return policies.map((policy) =>
    toRun(file, policy, policy === "plain" ? plain : withPlain(callsOf(steps, policy), plain)),
  );
}

type Step = Pick<Resident, "dialogue" | "args" | "output">;

/** Small steps, and now and then a large file. */
function sessionOf(calls: number): readonly Step[] {
  const random = generator(20_261_122);
  return Array.from({ length: calls }, () => ({
    dialogue: Math.round(150 + 500 * random()),
    args: Math.round(80 + (random() < 0.15 ? 3_000 * random() : 200 * random())),
    output: Math.round(random() < 0.12 ? 4_000 + 9_000 * random() : 1_200 * random()),
  }));
}

function callsOf(steps: readonly Step[], policy: "plain" | "ssot" | "log"): CallFigures[] {
  let resident: Resident = { dialogue: 0, args: 0, output: 0, references: 0, pool: 0, active: 0 };
  let before = 0;
  let sinceFold = 0;
  return steps.map((step, call) => {
    resident = { ...resident, dialogue: resident.dialogue + step.dialogue, args: resident.args + step.args };
    sinceFold += step.output;
    const folds = policy === "log" && call > 20 && sinceFold > 45_000;
    if (policy === "ssot") {
      const active = Math.min(resident.active + step.output, 30_000 + 60 * call);
      resident = { ...resident, active, pool: resident.pool + 90, references: resident.references + 60 };
    } else if (folds) {
      const kept = Math.round(resident.output * 0.25);
      resident = { ...resident, output: kept + step.output, references: resident.references + 2_400 };
      sinceFold = 0;
    } else resident = { ...resident, output: resident.output + step.output };
    const sentChars = headChars + Object.values(resident).reduce((sum, chars) => sum + chars, 0);
    const kept = policy === "ssot" ? headChars + 500 : folds ? Math.round(before * 0.55) : before;
    const cachedChars = call === 0 ? 0 : Math.min(kept, sentChars);
    before = sentChars;
    return {
      ...{ call, sentChars, cachedChars, billed: prices.read * cachedChars + prices.write * (sentChars - cachedChars) },
      ...{
        plainSentChars: 0,
        plainBilled: 0,
        resident,
        assembleMs: 0.4 + (call % 7) / 10,
        recordMs: 0.2 + (call % 5) / 10,
      },
      ...(folds ? { fold: { cut: Math.floor(call / 2), reason: call % 3 === 0 ? "window" : "rent" } } : {}),
    };
  });
}

function withPlain(calls: readonly CallFigures[], plain: readonly CallFigures[]): CallFigures[] {
  return calls.map((call, at) => ({
    ...call,
    plainSentChars: plain[at]?.sentChars ?? 0,
    plainBilled: plain[at]?.billed ?? 0,
  }));
}

function toRun(file: string, policy: string, figures: readonly CallFigures[]): RunResult {
  const calls = policy === "plain" ? withPlain(figures, figures) : figures;
  const sum = (figure: (call: CallFigures) => number) => calls.reduce((total, call) => total + figure(call), 0);
  const sent = sum(({ sentChars }) => sentChars);
  const billed = sum((call) => call.billed);
  const plainBilled = sum((call) => call.plainBilled);
  return {
    ...{ file, policy, layout: policy, recording: "0198f4c2-6b1e-7d5a", session: `0198f4c2-6b1e-7d5a:${policy}` },
    ...{ store: "sqlite", family: file.startsWith("cc-") ? "claude-code" : "pi" },
    database: `${file.replace(/\.jsonl$/, "")}.${policy}.sqlite`,
    ...{ prices, headChars, calls, seconds: calls.length / 90, warnings: [] },
    totals: {
      ...{
        billed,
        plainBilled,
        billedShare: billed / plainBilled,
        sentShare: sent / sum((call) => call.plainSentChars),
      },
      cachedShare: sum(({ cachedChars }) => cachedChars) / sent,
      peakChars: Math.max(...calls.map(({ sentChars }) => sentChars)),
      plainPeakChars: Math.max(...calls.map(({ plainSentChars }) => plainSentChars)),
      breaksPer100: (100 * calls.filter(({ fold }) => policy === "ssot" || fold !== undefined).length) / calls.length,
      ...{ neededMet: policy === "plain" ? 185 : 184, needed: 185 },
    },
  };
}
