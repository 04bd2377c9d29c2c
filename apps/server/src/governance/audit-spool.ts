import { createHash, randomUUID } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  createReadStream,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ApprovalRecord, GovernedEvent } from "@cm/governance";
import { limits } from "../limits.ts";

/** A task, as the records name it. */
export interface TaskName {
  readonly sessionId: string;
  readonly taskId: string;
}

/** What was said, or decided, on its way to the audit; `ends`: it is true once that task has ended. */
export type SpooledEntry =
  | { readonly event: GovernedEvent; readonly ends?: TaskName }
  | { readonly approval: ApprovalRecord };

export interface AuditSpoolOptions {
  /** It is made where it is not there; only its owner may read it. */
  readonly folder: string;
  readonly fault: (what: string, error: unknown) => void;
}

/** Spools of this process: others of its number are those of a process before it. */
const open = new Set<string>();

/**
 * Entries lie in a file until the store has them: the system keeps what was appended, also when the process is killed in
 * the next moment. Nothing waits for a disk, so a machine that loses its power may lose them.
 */
export class AuditSpool {
  readonly #options: AuditSpoolOptions;
  readonly #path: string;
  #file: number | undefined;
  #chars = 0;
  #held = 0;
  /** Faults are told once: after the first one nothing more is spooled. */
  #isBroken = false;

  constructor(options: AuditSpoolOptions) {
    this.#options = options;
    this.#path = join(options.folder, `${thisMachine}-${process.pid}-${randomUUID()}.jsonl`);
  }

  /** Never throws. */
  add(entry: SpooledEntry): void {
    if (this.#isBroken) return;
    try {
      const line = `${JSON.stringify(entry)}\n`;
      if (this.#chars + line.length > limits.auditSpoolCharsMax) throw new Error("The file is as long as it may be.");
      this.#file ??= this.#begun();
      this.#chars += line.length;
      appendFileSync(this.#file, line);
    } catch (error) {
      this.#isBroken = true;
      this.#options.fault(`What is said is not spooled any more in ${this.#options.folder}.`, error);
    }
  }

  /** As `add`, of what is written by itself; nothing is cleared until `release` says that the store has it. */
  hold(entry: SpooledEntry): void {
    this.#held += 1;
    this.add(entry);
  }

  release(): void {
    this.#held -= 1;
  }

  /** The store has all that was added. Never throws. */
  clear(): void {
    if (this.#held > 0 || this.#chars === 0 || this.#file === undefined) return;
    try {
      ftruncateSync(this.#file);
      this.#chars = 0;
      this.#isBroken = false;
    } catch (error) {
      this.#options.fault("What the audit has could not be taken out of the spool; it is written again.", error);
    }
  }

  /** What the store does not have stays for the next start. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    open.delete(this.#path);
    if (this.#chars === 0) unlinkSync(this.#path);
  }

  #begun(): number {
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
    open.add(this.#path);
    return openSync(this.#path, "a", 0o600);
  }
}

/**
 * What was left by processes that are gone, oldest file first. Those that run may be read, too: what they say is written
 * twice, and is the same.
 * @param take whether the store has them now; until it does, they stay
 */
export async function recoverSpools(
  { folder, fault }: AuditSpoolOptions,
  take: (entries: readonly SpooledEntry[]) => Promise<boolean>,
): Promise<number> {
  let recovered = 0;
  for (const path of filesIn(folder)) {
    try {
      const entries = await entriesIn(path, fault);
      for (let at = 0; at < entries.length; at += limits.spooledPerBatchMax) {
        if (!(await take(entries.slice(at, at + limits.spooledPerBatchMax)))) return recovered;
      }
      if (isLeft(path)) {
        recovered += entries.length;
        unlinkSync(path);
      }
    } catch (error) {
      fault("What was said before the server ended could not be read.", error);
    }
  }
  return recovered;
}

const thisMachine = createHash("sha256").update(hostname()).digest("hex").slice(0, 12);

function filesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    return names.map((name) => join(folder, name));
  } catch {
    return [];
  }
}

async function entriesIn(path: string, fault: AuditSpoolOptions["fault"]): Promise<readonly SpooledEntry[]> {
  const entries: SpooledEntry[] = [];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    try {
      entries.push(JSON.parse(line) as SpooledEntry);
    } catch (error) {
      // The process was killed in the middle of it, or the disk was full.
      fault("One line of what was said before the server ended is not whole.", error);
    }
  }
  return entries;
}

/** Of another machine's process it is only known for how long it said nothing. */
function isLeft(path: string): boolean {
  const [machine, number] = (path.split(/[\\/]/).at(-1) ?? "").split("-");
  if (machine !== thisMachine) return Date.now() - statSync(path).mtimeMs > limits.spoolSilenceMs;
  const pid = Number(number);
  return pid === process.pid ? !open.has(path) : !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
