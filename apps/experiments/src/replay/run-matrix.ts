import type { Prices } from "@cm/context-log";
import type { Recording } from "@cm/recordings";
import { limits } from "../limits.ts";
import { layoutFor, type NamedPolicy } from "../policies/named-policy.ts";
import { withProgress } from "../progress/progress.ts";
import type { RunResult, StoreKind } from "../results/run-result.ts";
import type { Database, Databases } from "./databases.ts";
import type { Pause } from "./pause.ts";
import type { PromptDump } from "./prompt-dump.ts";
import { type Lifetime, lifetimeName } from "./recorded-cache.ts";
import type { ReplayFiles } from "./replay-files.ts";
import { replayRecording } from "./replay-recording.ts";
import { SessionNames } from "./session-names.ts";

/** A recording with the base name of its file. */
export interface NamedRecording {
  readonly file: string;
  readonly recording: Recording;
}

/** Every recording is replayed under every policy at all prices. */
export interface Matrix {
  readonly recordings: readonly NamedRecording[];
  readonly policies: readonly { readonly name: string; readonly policy: NamedPolicy }[];
  readonly prices: readonly { readonly name: string; readonly prices: Prices }[];
  readonly lifetime: Lifetime;
}

export interface MatrixSetting {
  readonly databases: Databases;
  readonly store: StoreKind;
  /** All sessions in one database. */
  readonly shared: boolean;
  readonly dump: PromptDump | undefined;
  readonly pause: Pause;
  readonly filesOf: (recording: Recording) => ReplayFiles | Promise<ReplayFiles>;
}

/** One cell of the matrix. */
interface Cell extends NamedRecording {
  readonly policy: Matrix["policies"][number];
  readonly pricing: Matrix["prices"][number];
  /** Tells the cells of one recording apart. */
  readonly name: string;
  readonly session: string;
}

export async function runMatrix(matrix: Matrix, setting: MatrixSetting): Promise<readonly RunResult[]> {
  const tasks = cellsOf(matrix, setting.shared).map((cell) => ({
    title: `${cell.file} ${cell.name}`,
    run: (report: (done: number, total: number) => void) =>
      runCell(cell, matrix.lifetime, {
        ...setting,
        onCall: (done, total) => setting.pause.after(() => report(done, total)),
      }),
  }));
  return withProgress(tasks);
}

function cellsOf({ recordings, policies, prices }: Matrix, shared: boolean): readonly Cell[] {
  const sessions = new SessionNames(shared);
  return recordings.flatMap((recording) =>
    prices.flatMap((pricing) =>
      policies.map((policy) => {
        const name = prices.length === 1 ? policy.name : `${policy.name}-${pricing.name.replace("/", "-")}`;
        return { ...recording, policy, pricing, name, session: sessions.next(recording.recording.id, name) };
      }),
    ),
  );
}

async function runCell(
  cell: Cell,
  lifetime: Lifetime,
  setting: MatrixSetting & { readonly onCall: (done: number, total: number) => Promise<void> },
): Promise<RunResult> {
  const { file, recording, policy, pricing, session } = cell;
  const { databases, store, dump, filesOf, onCall } = setting;
  const started = performance.now();
  const database = await databases.forRun(file, cell.name);
  let files: ReplayFiles | undefined;
  try {
    files = await filesOf(recording);
    const figures = await replayRecording(recording, {
      ...{ files, session, lifetime, dump, onCall },
      store: database.store,
      layout: layoutFor(policy.policy, recording),
      prices: pricing.prices,
    });
    return {
      file,
      recording: recording.id,
      family: recording.format,
      policy: policy.name,
      layout: policy.policy.renderer.layout,
      session: sessionIn(database, session),
      store,
      database: database.file,
      prices: pricing.prices,
      pricing: pricing.name,
      lifetime: lifetimeName(lifetime),
      headChars: limits.headChars,
      ...figures,
      seconds: (performance.now() - started) / 1000,
      warnings: [...databases.notes, ...recording.warnings],
    };
  } finally {
    await files?.close();
    await database.release();
  }
}

function sessionIn({ namespace }: Database, session: string): string {
  return namespace === undefined ? session : `${namespace}/${session}`;
}
