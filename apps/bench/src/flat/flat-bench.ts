import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNodeError, prepare } from "@cm/xtdb-node";
import { absolute, compared, type Figure, median } from "../figure.ts";
import { withNodes } from "../xtdb/bench-nodes.ts";
import type { BlockTimes, FlatFigures } from "./flat-session.ts";

const shape = { steps: 20_000, windowBytes: 300_000 };
/** 0 for none. */
const windows = [0, shape.windowBytes] as const;
const goals = { time: 1.5, memory: 1.2, bytes: 1.5, openingMs: 500 };
const stores = { memory: "store in memory", sqlite: "store-sqlite", xtdb: "store-xtdb" } as const;

/**
 * The cost of a step at 20,000 relative to one at 200, with a window and without, on a store in memory, on
 * SQLite and on an XTDB node, whose own time is not in it.
 * @param program the one that plays such a session in a process of its own
 */
export async function flatBench(program: string): Promise<readonly Figure[]> {
  const local = (["memory", "sqlite"] as const).flatMap((store) =>
    windows.flatMap((windowBytes) => figuresOf(program, { store, windowBytes })),
  );
  return [...local, ...(await onXtdb(program))];
}

/** Where no node can be started it says so in one loud line. */
async function onXtdb(program: string): Promise<readonly Figure[]> {
  try {
    await prepare({ progress: (line) => process.stderr.write(`${line} ...\n`) });
  } catch (error) {
    if (!isNodeError(error)) throw error;
    process.stderr.write(`SKIPPED: the figures of XTDB. ${error.message}\n`);
    process.exitCode = 2;
    return [];
  }
  const figures: Figure[] = [];
  // A node for each: the second session would otherwise go on with the first one's.
  for (const windowBytes of windows) {
    const measured = await withNodes(1, async (node) =>
      node === undefined ? [] : figuresOf(program, { store: "xtdb", url: node.url, windowBytes }),
    );
    figures.push(...measured);
  }
  return figures;
}

interface Setting {
  readonly store: keyof typeof stores;
  /** Of the node. */
  readonly url?: string;
  /** 0 for none. */
  readonly windowBytes: number;
}

function figuresOf(program: string, setting: Setting): readonly Figure[] {
  const { store, windowBytes } = setting;
  const id = `flat.${store}${windowBytes === 0 ? "" : ".window"}`;
  const where = `${stores[store]}, ${windowBytes === 0 ? "no window" : `a window of ${windowBytes / 1_000} KB`}`;
  const run = played(program, setting);
  if (run.endedAt !== undefined) {
    const what = `steps until the session ended for good, ${where}`;
    return [{ id, what, value: run.endedAt, unit: "steps", peer: null, ratio: null, goal: shape.steps, ok: false }];
  }
  const growth = (of: keyof BlockTimes) => {
    const each = (times: BlockTimes) => median(times[of]) / run.stepsPerBlock;
    const what = `processor time of \`${of === "assembleMs" ? "assemble" : "record"}\` at ${shape.steps} steps, ${where}`;
    return compared(
      { id: `${id}.${of === "assembleMs" ? "assemble" : "record"}`, what, unit: "ms", goal: goals.time },
      each(run.late),
      { what: "at 200", value: each(run.early) },
    );
  };
  return [growth("assembleMs"), growth("recordMs"), ...heldFigures(id, where, { program, run, ...setting })];
}

/** Memory, bytes, openings and past prompts, of a store that outlives the session. */
function heldFigures(
  id: string,
  where: string,
  { program, run, store, windowBytes }: Setting & { readonly program: string; readonly run: FlatFigures },
): readonly Figure[] {
  if (store === "memory") return [];
  const { stepBytes, openingMs, pastMs } = run;
  return [
    ...memoryFigures(id, where, { run, windowBytes }),
    ...(store === "sqlite" ? tightFigures(id, where, { program, windowBytes }) : []),
    ...(store === "sqlite" ? [bytesFigure(id, where, stepBytes)] : []),
    absolute(
      {
        id: `${id}.open`,
        what: `processor time of opening after ${shape.steps} steps, best of five, ${where}`,
        unit: "ms",
        // Without a window all that was said stands in the prompt, and is read.
        goal: windowBytes === 0 ? null : goals.openingMs,
      },
      openingMs.late,
    ),
    ...(["middle", "late"] as const).map((which) =>
      compared(
        {
          id: `${id}.past.${which}`,
          what: `processor time of rebuilding a past prompt of the ${which === "middle" ? "middle" : "end"}, ${where}`,
          unit: "ms",
          goal: null,
        },
        Math.min(...pastMs[which]),
        { what: "of step 100", value: Math.min(...pastMs.early) },
      ),
    ),
  ];
}

const bytesFigure = (id: string, where: string, { early, late }: FlatFigures["stepBytes"]): Figure =>
  compared(
    {
      id: `${id}.bytes`,
      what: `bytes of the database for a step, last thousand, ${where}`,
      unit: "B",
      goal: goals.bytes,
    },
    late,
    { what: "second thousand", value: early },
  );

const kinds = {
  heap: "heap of the open session after a collection",
  resident: "resident memory of its process",
} as const;

/** Beside step 200, as the goal says, and beside step 1,000, at which the window is full. */
function memoryFigures(
  id: string,
  where: string,
  { run: { memoryMb }, windowBytes }: { readonly run: FlatFigures; readonly windowBytes: number },
): readonly Figure[] {
  const { early, full, late } = memoryMb;
  return (["heap", "resident"] as const).flatMap((kind) => {
    const what = `${kinds[kind]}, ${where}`;
    const figure = { id: `${id}.${kind}`, what, unit: "MB" };
    if (windowBytes === 0) return [absolute({ ...figure, goal: null }, [late[kind]])];
    return [
      compared({ ...figure, goal: goals.memory }, late[kind], { what: "at 200", value: early[kind] }),
      compared({ ...figure, id: `${id}.${kind}.full`, goal: null }, late[kind], {
        what: "at 1,000",
        value: full[kind],
      }),
    ];
  });
}

/**
 * V8 lets the space of young objects grow to 128 MB in any process that works long, and lets garbage lie until its heap is
 * some times as large as what lives in it. In a heap with little room beside what the session holds: what it needs.
 */
const tightHeap = ["--max-semi-space-size=8", "--max-old-space-size=48"] as const;

function tightFigures(
  id: string,
  where: string,
  { program, windowBytes }: { readonly program: string; readonly windowBytes: number },
): readonly Figure[] {
  if (windowBytes === 0) return [];
  const run = played(program, { store: "sqlite", windowBytes }, { flags: tightHeap, only: "memory" });
  const { early, full, late } = run.memoryMb;
  const what = `${kinds.resident} under \`${tightHeap.join(" ")}\`, ${where}`;
  const figure = { id: `${id}.resident.tight`, what, unit: "MB", goal: null };
  return [
    compared(figure, late.resident, { what: "at 200", value: early.resident }),
    compared({ ...figure, id: `${id}.resident.tight.full` }, late.resident, { what: "at 1,000", value: full.resident }),
  ];
}

interface Played {
  /** Of Node, beside those of this process. */
  readonly flags: readonly string[];
  /** Nothing else is measured. */
  readonly only: "memory";
}

function played(
  program: string,
  { store, url = store, windowBytes }: Setting,
  { flags = [], only }: Partial<Played> = {},
): FlatFigures {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    const options = [folder, url, `${shape.steps}`, `${windowBytes}`, ...(only === undefined ? [] : [only])];
    const args = [...process.execArgv, ...flags, program, ...options];
    const { status, stdout } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (status !== 0) throw new Error(`${program} ended with ${status}.`);
    return JSON.parse(stdout) as FlatFigures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
