import type { Recording } from "@cm/recordings";
import {
  type Lifetime,
  type PolicyEntry,
  type PriceVector,
  type ReplayFiles,
  type RunResult,
  replayResult,
  type StoreKind,
} from "@cm/replay";
import { withProgress } from "../progress/progress.ts";
import type { Databases } from "./databases.ts";
import type { Pause } from "./pause.ts";
import type { PromptDump } from "./prompt-dump.ts";
import { SessionNames } from "./session-names.ts";

/** A recording with the base name of its file. */
export interface NamedRecording {
  readonly file: string;
  readonly recording: Recording;
}

/** Every recording is replayed under every policy at all prices. */
export interface Matrix {
  readonly recordings: readonly NamedRecording[];
  readonly policies: readonly PolicyEntry[];
  readonly prices: readonly PriceVector[];
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
  const database = await databases.forRun(file, cell.name);
  let files: ReplayFiles | undefined;
  try {
    files = await filesOf(recording);
    const { namespace } = database;
    const place = { store: database.store, kind: store, file: database.file, namespace, notes: databases.notes };
    return await replayResult(recording, { file, policy, pricing, session, lifetime, place, files, dump, onCall });
  } finally {
    await files?.close();
    await database.release();
  }
}
