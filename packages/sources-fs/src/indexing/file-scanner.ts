import { type BigIntStats, closeSync, lstatSync, realpathSync } from "node:fs";
import { isCanonical } from "../guard/contains.ts";
import { KernelFiles } from "../guard/kernel-files.ts";
import { openFile } from "../guard/open-file.ts";
import { isIntact, type Root, type Roots } from "../guard/roots.ts";
import { fileLimits as limits } from "../limits.ts";
import { parentOf } from "../mounts/normal-path.ts";
import { readFile, type WholeFile } from "../read/read-file.ts";
import type { Slabs } from "../read/slabs.ts";
import { failureOf, reasons } from "../reasons.ts";
import type { IgnoreRules } from "../rules/ignore-rules.ts";
import type { CachedFileFacts, FileFactsCache } from "../sweep/file-facts-cache.ts";
import { hintOf, parseHint, type StatFacts, sameFacts } from "../sweep/stat-facts.ts";
import type { Finding, ScanItem } from "./messages.ts";

export interface ScanContext {
  readonly roots: Roots;
  readonly rules: () => IgnoreRules;
  readonly known: FileFactsCache;
  readonly slabs: Slabs;
  readonly contentBytesMax: number;
  readonly stopped: () => boolean;
}

/** The known state of a file before its scan. */
interface Wanted extends Omit<ScanItem, "hint"> {
  readonly facts?: StatFacts | undefined;
}

/** A scan that found no file. */
interface MissingFile {
  readonly root: Root;
  /** Before the scan: what changed in the folder since may be the file, which is back. */
  readonly scanStartMs: number;
}

/** Scans files, one after the other, all with calls that wait. Made anew for each task. */
export class FileScanner {
  readonly #context: ScanContext;
  readonly #kernelFiles = new KernelFiles();

  constructor(context: ScanContext) {
    this.#context = context;
  }

  /**
   * A file whose facts are here. The same facts on the same device cannot be other content, so one `lstat` is all that
   * an unchanged file costs. Undefined: unchanged.
   */
  swept(file: CachedFileFacts): Finding | undefined {
    if (isSame(file.path, file.facts)) return undefined;
    return this.#guarded({ path: file.path, facts: file.facts, sourceHash: file.sourceHash });
  }

  scan({ hint, ...item }: ScanItem): Finding {
    const facts = hint === undefined || item.sourceHash === undefined ? undefined : parseHint(hint);
    return this.#guarded({ ...item, facts }, facts);
  }

  /** @param told facts from elsewhere: where they hold and the file may be opened, it need not be */
  #guarded(wanted: Wanted, told?: StatFacts): Finding {
    const { path } = wanted;
    if (!isCanonical(path)) return unreachable(reasons.notCanonical);
    const root = this.#context.roots.holding(path);
    if (root === undefined) {
      return unreachable(this.#context.roots.isBelowUnseen(path) ? reasons.rootGone : reasons.outsideRoots);
    }
    const rule = this.#context.rules().ignored(path);
    if (rule !== undefined) return unreachable(`ignored: ${rule}`);
    if (told !== undefined && !wanted.existence && isSame(path, told)) {
      return { kind: "same", kept: this.#keep(wanted, told) };
    }
    let last: string = reasons.changing;
    for (let tries = 0; tries < limits.triesMax; tries += 1) {
      if (this.#context.stopped()) return unreachable(reasons.timedOut);
      const finding = this.#once(wanted, root);
      if (typeof finding !== "string") return finding;
      last = finding;
    }
    return unreachable(last);
  }

  /** A text: why to scan again. */
  #once(wanted: Wanted, root: Root): Finding | string {
    const { path } = wanted;
    const scanStartMs = Date.now();
    const stat = statAt(path);
    if (stat === undefined) return wanted.confirm ? absenceOf(wanted, { root, scanStartMs }) : { kind: "missing" };
    if ("reason" in stat) return unreachable(stat.reason);
    if (stat.isSymbolicLink()) return unreachable(reasons.link);
    if (!stat.isFile() || this.#kernelFiles.has(path, stat.dev)) return unreachable(reasons.notRegular);
    if (wanted.existence) return existenceOf(path);
    const opened = openFile(path, stat);
    if ("again" in opened) return opened.again;
    if ("missing" in opened) return reasons.changing;
    if ("unreachable" in opened) return unreachable(opened.unreachable);
    try {
      const file = readFile(opened.fd, opened.stat, { ...this.#context, scanStartMs });
      return file === undefined ? reasons.changing : this.#found(wanted, file);
    } catch (error) {
      const failure = failureOf(error);
      return "missing" in failure ? reasons.changing : unreachable(failure.unreachable);
    } finally {
      closeSync(opened.fd);
    }
  }

  #found(wanted: Wanted, { sourceHash, facts, ...content }: WholeFile): Finding {
    const kept = this.#keep({ path: wanted.path, sourceHash }, facts);
    const hint = hintOf(facts);
    if (wanted.sourceHash === sourceHash) return { kind: "unchanged", hint, kept };
    if ("withheld" in content) return { kind: "present", sourceHash, withheld: content.withheld, hint, kept };
    const bytes = this.#context.slabs.keep(content.bytes, content.bytes.length);
    return { kind: "present", sourceHash, bytes, hint, kept };
  }

  #keep({ path, sourceHash }: Pick<Wanted, "path" | "sourceHash">, facts: StatFacts) {
    return sourceHash === undefined ? undefined : this.#context.known.put({ path, facts, sourceHash });
  }
}

/** Whether these facts hold and prove that nothing changed. */
function isSame(path: string, facts: StatFacts): boolean {
  if (facts.racy) return false;
  const stat = statAt(path);
  return stat !== undefined && "ino" in stat && sameFacts(stat, facts);
}

/** Undefined: nothing is there. */
function statAt(path: string): BigIntStats | { readonly reason: string } | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    const failure = failureOf(error);
    return "missing" in failure ? undefined : { reason: failure.unreachable };
  }
}

/** Without opening: so the path must not lead through a link, or outside files could be asked for. */
function existenceOf(path: string): Finding {
  const folder = parentOf(path) ?? path;
  try {
    return realpathSync.native(folder) === folder ? { kind: "exists" } : unreachable(reasons.link);
  } catch (error) {
    const failure = failureOf(error);
    return "missing" in failure ? { kind: "missing" } : unreachable(failure.unreachable);
  }
}

/**
 * A file is absent only if its folder is intact. A missing root or mount says nothing about its files, and a changing
 * folder may be between two steps of a save.
 */
function absenceOf({ path, facts, last }: Wanted, { root, scanStartMs }: MissingFile): Finding {
  if (!isIntact(root)) return unreachable(reasons.rootGone);
  for (let folder = parentOf(path); folder !== undefined; folder = parentOf(folder)) {
    const stat = statAt(folder);
    if (stat === undefined) continue;
    if ("reason" in stat) return unreachable(stat.reason);
    if (facts !== undefined && stat.dev !== facts.dev) return unreachable(reasons.notMounted);
    const isBusy = stat.mtimeMs >= BigInt(scanStartMs - limits.quietMs);
    return { kind: isBusy && !last ? "missing" : "absent" };
  }
  return { kind: "absent" };
}

function unreachable(reason: string): Finding {
  return { kind: "unreachable", reason };
}
