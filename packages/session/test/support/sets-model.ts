import type { PromptDecision, SetCommand } from "@cm/context-log";

export const setNames = ["index", "pool", "active", "pinned", "dismissed", "requested"] as const;
export type SetName = (typeof setNames)[number];
export type Sets = Record<SetName, Set<string>>;

/** An object of the world, as far as the sets care for it. */
export interface ModelObject {
  readonly id: string;
  /** Another session's file that may be adopted. */
  readonly foreign?: boolean;
  /** Whether it has a text to show now. */
  hasText(): boolean;
}

export interface ModelTouch {
  readonly id: string;
  readonly as: "read" | "edited" | "discovered";
  readonly shown: boolean;
}

/** A result of a step: its object, and what it touched. */
export interface ModelResult {
  readonly id: string;
  readonly touches: readonly ModelTouch[];
  /** Whether its output is known: a part of a file that it shows was then seen. */
  readonly hasOutput: boolean;
}

type Command = SetCommand["action"] | "adopt";

/**
 * The sets as the rows of SSOT 3.10 say, written down a second time, simply: whole sets that are copied, and no
 * changes. The budget is checked and not predicted: the order of two entries of one step is not promised.
 */
export class SetsModel {
  sets: Sets = empty();
  readonly #residency: "sets" | "rendered";
  readonly #objects: ReadonlyMap<string, ModelObject>;
  readonly #seen = new Set<string>();
  /** Objects each part of the log shows, and whether it stands in full. */
  readonly #parts = new Map<string, { readonly shows: readonly string[]; readonly full: boolean }>();
  readonly #usedAt = new Map<string, number>();
  #step = 0;
  #afterStep: Sets = empty();
  #atRequest:
    | { sets: Sets; recall: readonly string[]; before: Set<string>; forms: ReadonlyMap<string, boolean> }
    | undefined;
  #since: { readonly action: Command; readonly id: string }[] = [];
  /** What was activated since the newest step, by this client. */
  readonly #activated = new Set<string>();

  constructor(residency: "sets" | "rendered", objects: ReadonlyMap<string, ModelObject>) {
    this.#residency = residency;
    this.#objects = objects;
  }

  /** Whether the command is done. */
  command(action: Command, id: string): boolean {
    const { index, pinned } = this.sets;
    const object = this.#objects.get(id);
    const mayAdopt = object?.foreign === true && ["adopt", "activate", "pin", "show"].includes(action);
    if (!index.has(id) && !mayAdopt) return false;
    if (action === "activate" && !(object?.hasText() ?? false) && !this.#seen.has(id)) return false;
    if (action === "hide" && pinned.has(id)) return false;
    if (!index.has(id)) this.#keep("adopt", id);
    this.#keep(action, id);
    return true;
  }

  /** The request's decision; from here on it is what stands in the prompt. */
  assemble(decision: PromptDecision): void {
    this.#atRequest = {
      sets: copy(this.sets),
      recall: (decision.recall ?? []).map(({ object }) => object),
      before: differing(this.#afterStep, this.sets),
      forms: new Map(
        Object.entries(decision.forms ?? {}).map(([part, { form }]) => [part, form === "full" || form === "sparse"]),
      ),
    };
    for (const id of this.#atRequest.recall) this.#enter(id, ["pool", "active"], ["requested", "dismissed"]);
    if (this.#residency === "sets") {
      for (const id of decision.deactivate ?? []) this.#enter(id, [], ["active", "dismissed", "requested"]);
      return;
    }
    const before = this.#inFull(new Map());
    const after = this.#inFull(this.#atRequest.forms);
    const recalled = new Set(this.#atRequest.recall);
    for (const id of before) if (!after.has(id) && !recalled.has(id)) this.#enter(id, [], ["active", "dismissed"]);
    for (const id of after) if (!before.has(id)) this.#enter(id, ["pool", "active"], ["requested", "dismissed"]);
  }

  /** The step is written. `results` stand in the log at these places; `recalledAt` is where the recalled texts do. */
  record(results: readonly (ModelResult & { readonly at: number })[], recalledAt: number): void {
    const request = this.#atRequest;
    if (request === undefined) throw new Error("no request");
    for (const { id } of results) this.#enter(id, ["index", "pool", "active"], []);
    for (const { id, as, shown } of results.flatMap(({ touches }) => touches)) {
      const isSeen = as === "read" && (shown || this.#residency === "sets");
      if (isSeen) this.#enter(id, ["index", "pool", "active"], ["requested", "dismissed"]);
      else this.#enter(id, ["index", "pool"], []);
    }
    for (const [part, full] of request.forms) {
      const { shows } = this.#parts.get(part) ?? {};
      if (shows !== undefined) this.#parts.set(part, { shows, full });
    }
    for (const [place, id] of request.recall.entries()) {
      this.#parts.set(`${recalledAt + place}`, { shows: [id], full: true });
    }
    for (const { at, id, touches, hasOutput } of results) {
      const shows = touches.filter(({ shown }) => shown).map((touch) => touch.id);
      this.#parts.set(`${at}`, { shows: [id, ...shows], full: true });
      if (hasOutput) for (const file of shows) this.#seen.add(file);
    }
    this.#step += 1;
    const used = [
      ...request.before,
      ...request.recall,
      ...differing(request.sets, this.sets),
      ...results.flatMap(({ id, touches }) => [id, ...touches.map((touch) => touch.id)]),
    ];
    for (const id of used) this.#usedAt.set(id, this.#step);
    this.#atRequest = undefined;
    this.#since = [];
    this.#activated.clear();
  }

  /** A prompt of the user: what was activated before the newest step had its turn. Only `sets` keeps it that long. */
  endTurn(): void {
    if (this.#residency !== "sets") return;
    for (const id of [...this.sets.requested]) if (!this.#activated.has(id)) this.sets.requested.delete(id);
  }

  /** Another client takes the session up. It does not know what was activated since the newest step. */
  reopen(): void {
    this.giveUp();
    this.#activated.clear();
  }

  /**
   * Takes over which entries lost their place in the pool, and says what is wrong with that: none must be held, none
   * that is kept may have been used longer ago, and no more and no less may go than the budget wants.
   */
  demote(pool: ReadonlySet<string>, poolEntriesMax: number): readonly string[] {
    const demoted = [...this.sets.pool].filter((id) => !pool.has(id));
    const kept = [...this.sets.pool].filter((id) => pool.has(id) && !this.#isHeld(id));
    const oldest = Math.min(...kept.map((id) => this.#usedAt.get(id) ?? 0));
    const faults = [
      demoted.some((id) => this.#isHeld(id)) ? "an entry in use was demoted" : "",
      demoted.some((id) => (this.#usedAt.get(id) ?? 0) > oldest) ? "an entry was demoted before an older one" : "",
      demoted.length > 0 && pool.size < poolEntriesMax ? "more was demoted than the budget wants" : "",
      pool.size > poolEntriesMax && kept.length > 0 ? "the pool is over its budget" : "",
    ];
    for (const id of demoted) this.sets.pool.delete(id);
    this.#afterStep = copy(this.sets);
    return faults.filter(Boolean);
  }

  /** Something came in before the answer: the decision is taken back, and what was commanded since is done again. */
  giveUp(): void {
    if (this.#atRequest === undefined) return;
    const since = this.#since;
    const { index } = this.sets;
    this.sets = { ...this.#atRequest.sets, index };
    this.#atRequest = undefined;
    this.#since = [];
    for (const { action, id } of since) this.#keep(action, id);
  }

  #keep(action: Command, id: string): void {
    if (this.#atRequest !== undefined) this.#since.push({ action, id });
    if (action === "activate") this.#activated.add(id);
    // Done again after a request was given up, it may meet a pin of before.
    if (action === "hide" && this.sets.pinned.has(id)) return;
    const [into, outOf] = this.#row(action, this.sets.active.has(id));
    this.#enter(id, into, outOf);
  }

  /** The sets that a command puts an object into, and those that it takes it out of. */
  #row(action: Command, isActive: boolean): readonly [readonly SetName[], readonly SetName[]] {
    const isRendered = this.#residency === "rendered";
    switch (action) {
      case "adopt":
        return [["index", "pool"], []];
      case "activate":
        if (!isRendered) return [["pool", "active", "requested"], []];
        return [isActive ? ["pool"] : ["pool", "requested"], ["dismissed"]];
      case "deactivate":
        return isRendered ? [isActive ? ["dismissed"] : [], ["requested"]] : [[], ["active", "requested"]];
      case "pin":
        return [["pool", "pinned"], []];
      case "unpin":
        return [[], ["pinned"]];
      case "show":
        return [["pool"], []];
      case "hide":
        return [isRendered && isActive ? ["dismissed"] : [], ["active", "pool", "requested"]];
    }
  }

  #enter(id: string, into: readonly SetName[], outOf: readonly SetName[]): void {
    for (const name of outOf) this.sets[name].delete(id);
    for (const name of into) this.sets[name].add(id);
  }

  #isHeld(id: string): boolean {
    return this.sets.active.has(id) || this.sets.pinned.has(id) || this.sets.requested.has(id);
  }

  #inFull(forms: ReadonlyMap<string, boolean>): ReadonlySet<string> {
    return new Set([...this.#parts].flatMap(([part, { shows, full }]) => ((forms.get(part) ?? full) ? shows : [])));
  }
}

function empty(): Sets {
  return {
    index: new Set(),
    pool: new Set(),
    active: new Set(),
    pinned: new Set(),
    dismissed: new Set(),
    requested: new Set(),
  };
}

function copy(sets: Sets): Sets {
  return Object.fromEntries(setNames.map((name) => [name, new Set(sets[name])])) as Sets;
}

function differing(a: Sets, b: Sets): Set<string> {
  return new Set(
    setNames.flatMap((name) => [
      ...[...a[name]].filter((id) => !b[name].has(id)),
      ...[...b[name]].filter((id) => !a[name].has(id)),
    ]),
  );
}
