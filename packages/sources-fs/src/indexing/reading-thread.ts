import { realpathSync } from "node:fs";
import type { FilesystemBinding } from "@cm/object-model";
import { checkoutsAt } from "../checkouts/checkouts-at.ts";
import { Roots } from "../guard/roots.ts";
import { fileLimits as limits } from "../limits.ts";
import { createPlaces, type Places } from "../mounts/places.ts";
import { Slabs } from "../read/slabs.ts";
import { type IgnoreRules, ignoreRules } from "../rules/ignore-rules.ts";
import { FileFactsCache } from "../sweep/file-facts-cache.ts";
import { bindPath } from "./bind-path.ts";
import { FileScanner } from "./file-scanner.ts";
import { listFiles } from "./list-files.ts";
import type { Finding, ListReply, ListTask, Order, Reply, ScanTask, ThreadData } from "./messages.ts";

type Control = Int32Array;

/** A task gives one piece of its answer each time, after at most `sliceMs` of work, until it is done. */
type Work = Generator<Reply | undefined, void>;

/** Everything that a reading thread knows, and how it does each kind of task. */
export class ReadingThread {
  readonly #data: ThreadData;
  readonly #roots: Roots;
  readonly #places: Places;
  readonly #known = new FileFactsCache();
  /** Contents of a reply lie in its pieces: send them along. */
  readonly slabs = new Slabs();
  readonly #listings = new Map<number, ReturnType<typeof listFiles>>();
  #rules: { readonly roots: number; readonly rules: IgnoreRules } | undefined;

  constructor(data: ThreadData) {
    this.#data = data;
    this.#roots = new Roots(data.roots);
    this.#places = createPlaces(data.places);
  }

  work(order: Order): Work {
    switch (order.kind) {
      case "scan":
        return this.#scan(order, order.control);
      case "bind":
        return this.#bind(order.agentPaths, order.control);
      case "list":
        return this.#list(order, order.control);
      case "checkouts":
        return this.#checkouts(order.control);
    }
  }

  *#bind(agentPaths: readonly string[], control: Control): Work {
    let bindings: FilesystemBinding[] = [];
    let until = performance.now() + limits.sliceMs;
    for (const [place, agentPath] of agentPaths.entries()) {
      if (Atomics.load(control, 0) !== 0) return;
      Atomics.store(control, 1, place + 1);
      bindings.push(bindPath(agentPath, this.#places));
      if (place % 16 !== 15 || performance.now() <= until) continue;
      Atomics.store(control, 1, 0);
      yield { bind: { bindings } };
      bindings = [];
      until = performance.now() + limits.sliceMs;
    }
    Atomics.store(control, 1, 0);
    yield { bind: { bindings } };
  }

  *#checkouts(control: Control): Work {
    Atomics.store(control, 1, 1);
    const checkouts = checkoutsAt(this.#roots.all(), this.#places);
    Atomics.store(control, 1, 0);
    yield { checkouts: { checkouts } };
  }

  *#scan({ contentBytesMax, sweep, items }: ScanTask, control: Control): Work {
    const stopped = () => Atomics.load(control, 0) !== 0;
    const rules = () => this.#ignoreRules();
    const scanner = new FileScanner({
      roots: this.#roots,
      rules,
      known: this.#known,
      slabs: this.slabs,
      contentBytesMax,
      stopped,
    });
    const swept = sweep.length / 2;
    let findings: { place: number; finding: Finding }[] = [];
    let bytes = 0;
    let until = performance.now() + limits.sliceMs;
    for (let place = 0; place < swept + items.length; place += 1) {
      Atomics.store(control, 1, place + 1);
      const finding =
        place < swept ? this.#swept(scanner, sweep, place) : scanner.scan(items[place - swept] ?? nowhere);
      if (stopped()) return;
      if (finding !== undefined) findings.push({ place, finding });
      if (finding?.kind === "present") bytes += finding.bytes?.length ?? 0;
      // The clock costs as much as a tenth of a scan.
      const isLate = place % 16 === 15 && performance.now() > until;
      if (!isLate && bytes < limits.sentBytesMax) continue;
      Atomics.store(control, 1, 0);
      yield { scan: { doneTo: place + 1, findings } };
      findings = [];
      bytes = 0;
      until = performance.now() + limits.sliceMs;
    }
    Atomics.store(control, 1, 0);
    yield { scan: { doneTo: swept + items.length, findings } };
  }

  /** A slot that was taken over since is asked for again with path and hint. */
  #swept(scanner: FileScanner, sweep: Int32Array, place: number): Finding | undefined {
    const file = this.#known.get(sweep[2 * place] ?? -1, sweep[2 * place + 1] ?? -1);
    return file === undefined ? { kind: "unknown" } : scanner.swept(file);
  }

  *#list({ listing, folder, end }: ListTask, control: Control): Work {
    if (folder !== undefined) {
      const starts = this.#startsOf(folder);
      if (starts === undefined) return yield { list: { bindings: [], ended: "outside" } };
      this.#listings.set(listing, this.#files(starts));
    }
    const files = this.#listings.get(listing);
    if (end || files === undefined) {
      this.#listings.delete(listing);
      return yield { list: { bindings: [], ended: "whole" } };
    }
    yield { list: this.#batchOf(listing, files, control) };
  }

  #batchOf(listing: number, files: ReturnType<typeof listFiles>, control: Control): ListReply {
    const bindings: FilesystemBinding[] = [];
    while (bindings.length < limits.listedPerBatchMax && Atomics.load(control, 0) === 0) {
      const next = files.next();
      if (next.done) {
        this.#listings.delete(listing);
        return { bindings, ended: next.value };
      }
      bindings.push(this.#places.bindingOfLocal(next.value));
    }
    return { bindings };
  }

  *#files(folders: readonly string[]): ReturnType<typeof listFiles> {
    let ended: "whole" | "cut" = "whole";
    for (const folder of folders) {
      const one = yield* listFiles(folder, () => this.#ignoreRules());
      if (one === "cut") ended = one;
    }
    return ended;
  }

  /** Real folders where a listing starts; undefined for one that may not be opened. Empty: all roots. */
  #startsOf(folder: string): readonly string[] | undefined {
    if (folder === "") return this.#roots.seen().map(({ path }) => path);
    try {
      const path = realpathSync.native(folder);
      if (this.#roots.holding(path) === undefined) return undefined;
      return this.#ignoreRules().ignored(path, true) === undefined ? [path] : [];
    } catch {
      return undefined;
    }
  }

  /** Made anew when another root is seen for the first time: rules begin at real roots. */
  #ignoreRules(): IgnoreRules {
    const roots = this.#roots.paths();
    if (this.#rules?.roots !== roots.length) {
      this.#rules = { roots: roots.length, rules: ignoreRules({ ...this.#data.ignore, roots }) };
    }
    return this.#rules.rules;
  }
}

const nowhere = { path: "" };
