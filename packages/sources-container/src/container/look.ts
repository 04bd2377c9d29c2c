import { createHash, randomUUID } from "node:crypto";
import { limits } from "../limits.ts";
import { reasons, Trouble } from "../reasons.ts";
import type { Gate } from "./gate.ts";
import { boundedScript, lookScript } from "./look-script.ts";
import { parseAnswer, type Told } from "./parse-answer.ts";
import type { CheckedContainer } from "./registered-container.ts";
import { runExec } from "./run-exec.ts";

/** One file that is asked for. */
export interface Asked {
  readonly path: string;
  readonly want: "content" | "existence";
  /** The SHA-256 that is known of it. */
  readonly known?: string | undefined;
}

export interface LookOptions {
  readonly gate: Gate;
  readonly contentBytesMax: number;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly onAnswer: (place: number, told: Told) => void;
}

/**
 * Looks at files of one container: one exec for as many as a command line carries, one more for those whose bytes did not
 * fit into the answer or that changed meanwhile.
 * @throws Trouble where the container cannot be entered; answers before that were given
 */
export async function lookInto(
  container: CheckedContainer,
  asked: readonly Asked[],
  options: LookOptions,
): Promise<void> {
  let waiting = [...asked.keys()];
  const readings = new Map<number, number>();
  while (waiting.length > 0) {
    if (options.signal.aborted) throw new Trouble(reasons.timedOut);
    const part = firstThatFit(waiting, asked);
    const files = part.flatMap((place) => asked[place] ?? []);
    const told = await options.gate.pass(() => run(container, files, options));
    const again = new Set(part.slice(told.length));
    for (const [index, one] of told.entries()) {
      const place = part[index];
      if (place === undefined) break;
      if (one.word === "later") again.add(place);
      else if (one.word !== "text" || isWhole(one)) options.onAnswer(place, one);
      else {
        const reads = (readings.get(place) ?? 0) + 1;
        readings.set(place, reads);
        if (reads < limits.readsMax) again.add(place);
      }
    }
    waiting = [...again, ...waiting.slice(part.length)];
  }
}

async function run(
  { command, roots }: CheckedContainer,
  files: readonly Asked[],
  { contentBytesMax, deadlineMs, signal }: LookOptions,
): Promise<readonly Told[]> {
  const mark = randomUUID();
  const bounds = [limits.answerBytesMax, contentBytesMax, limits.hashedBytesMax].map(String);
  const folders = roots.map((root) => (root === "/" ? root : `${root}/`)).join("\n");
  const seconds = String(Math.max(1, Math.ceil(deadlineMs / 1000)));
  const args = files.flatMap(({ want, known = "-", path }) => [want, known, path]);
  const words = ["sh", "-c", boundedScript, "cm", seconds, lookScript, mark, ...bounds, folders, ...args];
  const outputBytesMax = Math.max(limits.answerBytesMax, contentBytesMax) + limits.headingBytesMax;
  return parseAnswer(await runExec(words, { command, outputBytesMax, signal }), mark);
}

/** As many as one command line carries, at least one. */
function firstThatFit(places: readonly number[], asked: readonly Asked[]): readonly number[] {
  let bytes = 0;
  const end = places.findIndex((place) => {
    const { path = "", known = "" } = asked[place] ?? {};
    bytes += Buffer.byteLength(path) + known.length + 16;
    return bytes > limits.argumentBytesMax;
  });
  return end < 0 ? places : places.slice(0, Math.max(1, end));
}

/** Whether the bytes are those that were hashed: a file may change between the two. */
function isWhole({ hash, bytes }: Extract<Told, { word: "text" }>): boolean {
  return createHash("sha256").update(bytes).digest("hex") === hash;
}
