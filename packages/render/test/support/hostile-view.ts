import {
  type ContextView,
  type LogEntry,
  newestResult,
  type PartForm,
  type RepeatedRun,
  type TextSpan,
  type ToldEntry,
  type ViewObject,
} from "@cm/context-log";
import { hostileField, hostileText, writtenAttacks } from "./hostile-text.ts";
import type { Random } from "./random.ts";
import { viewOf } from "./views.ts";

const textlessNames = ["unread", "deleted", "binary", "too_large", "unreachable", "erased"] as const;

type Said<Entry> = Entry extends ToldEntry ? Omit<Entry, "at" | "step" | "turn" | "into"> : never;

/** What a note of each kind says in a session with these objects. */
const told: {
  readonly [Kind in ToldEntry["kind"]]: (
    objects: readonly string[],
  ) => Said<Extract<ToldEntry, { readonly kind: Kind }>>;
} = {
  released: (objects) => ({ kind: "released", objects: objects.slice(0, 3) }),
};

/** Counts the hostile strings that went in, so that a test can say how many it tried. */
export class HostileViews {
  strings = 0;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A session in which every text and every field from outside is hostile, in random forms. */
  next(): ContextView {
    const random = this.#random;
    const objects = new Map<string, ViewObject>();
    const log: LogEntry[] = [];
    const forms = new Map<string, PartForm>();
    const steps = 1 + random.below(4);
    for (let step = 0; step < steps; step += 1) {
      const place = (): { at: number; step: number; turn: number } => ({ at: log.length, step, turn: step });
      if (random.chance(0.2)) forms.set(`${log.length}`, this.#ends());
      log.push({ kind: "user", ...place(), text: this.#text(), attachments: [] });
      this.#addCall(log, { place, objects, forms });
      if (random.chance(0.3)) this.#addRecalled(log, { place, objects, forms });
      if (random.chance(0.2)) this.#addResumed(log, { place, objects, forms });
      for (const says of Object.values(told)) {
        if (random.chance(0.1)) log.push({ ...place(), into: newestResult(log), ...says([...objects.keys()]) });
      }
    }
    for (let file = random.below(3); file > 0; file -= 1) this.#addFile(objects);
    const ids = [...objects.keys()];
    return viewOf({
      step: steps,
      turn: steps,
      systemPrompt: this.#text(),
      log,
      objects,
      forms,
      sets: {
        index: new Set(ids),
        pool: new Set(ids.filter(() => random.chance(0.8))),
        active: new Set(ids.filter(() => random.chance(0.6))),
      },
    });
  }

  #addCall(log: LogEntry[], { place, objects, forms }: Growing): void {
    const random = this.#random;
    const object = this.#freshId(objects);
    const callId = this.#field();
    const tool = this.#field();
    const args = { [random.pick(["path", "command", "pattern", "other"])]: this.#field().toWellFormed() };
    const text = random.chance(0.9) ? this.#text() : null;
    const status = random.pick(["ok", "fail"] as const);
    const alias = random.chance(0.5) ? `t${log.length}` : this.#field();
    const thinking = random.chance(0.3) ? [{ text: "t" }] : [];
    const call = { callId, tool, args, object, files: [] };
    log.push({ kind: "assistant", ...place(), text: this.#text(), thinking, calls: [call] });
    const shown = { tool, status, ...(random.chance(0.2) ? { redactions: 2 } : {}) };
    objects.set(object, {
      id: object,
      alias,
      kind: "toolcall",
      ...shown,
      text,
      ...(text === null ? { textless: "erased" } : {}),
    });
    const part = `${log.length}`;
    log.push({
      kind: "result",
      ...place(),
      callId,
      object,
      tool,
      args,
      status,
      text,
      attachments: [],
      files: [],
      spans: [],
    });
    const earlier = log.find((entry) => entry.kind === "result" && `${entry.at}` !== part);
    const form = random.below(earlier === undefined ? 6 : 9);
    if (form === 1) forms.set(part, { form: "sparse" });
    if (form === 2)
      forms.set(part, { form: "reference", ...random.pick([{}, { file: "changed" }, { file: "unchanged" }]) });
    if (form === 3) forms.set(part, { form: "reference", names: this.#spans(text) });
    if (form === 4) forms.set(part, this.#ends());
    if (form === 5) forms.set(part, { form: "reference", names: this.#spans(text), lines: this.#spans(text) });
    if (form === 6) forms.set(part, { form: "same", as: `${earlier?.at}` });
    if (form === 7) forms.set(part, { form: "diff", from: `${earlier?.at}` });
    if (form === 8) forms.set(part, { form: "pointer", runs: this.#runs(text, `${earlier?.at}`) });
    if (thinking.length === 0 && random.chance(0.2)) forms.set(`${Number(part) - 1}`, this.#ends());
    if (random.chance(0.3)) forms.set(`${Number(part) - 1}.0`, { form: "reference" });
  }

  #addRecalled(log: LogEntry[], { place, objects, forms }: Growing): void {
    const [object = ""] = [...objects.keys()];
    const form = this.#random.below(3);
    if (form === 1) forms.set(`${log.length}`, { form: "reference" });
    if (form === 2) forms.set(`${log.length}`, this.#ends());
    const textless = this.#random.pick([undefined, "unread", "deleted", "too_large"] as const);
    const isPart = textless === undefined ? {} : { textless };
    const isFile = this.#random.chance(0.5) ? { path: this.#field() } : {};
    log.push({
      kind: "recalled",
      ...place(),
      into: newestResult(log),
      object,
      text: this.#text(),
      ...isFile,
      ...isPart,
    });
  }

  #addResumed(log: LogEntry[], { place, objects }: Growing): void {
    const random = this.#random;
    const ids = [...objects.keys()];
    const some = () => ids.filter(() => random.chance(0.5)).map((object) => ({ object, path: this.#field() }));
    const checkout = () => ({
      namespace: "n",
      root: this.#field(),
      repository: "r",
      ...(random.chance(0.7) ? { commit: this.#field(), branch: this.#field() } : {}),
    });
    log.push({
      kind: "resumed",
      ...place(),
      into: newestResult(log),
      files: some().map((file) => {
        const before = random.chance(0.8) ? this.#text() : null;
        const after = random.chance(0.7) ? `${before ?? ""}${this.#text()}` : null;
        return { ...file, before, after, ...(after === null ? { textless: random.pick(textlessNames) } : {}) };
      }),
      unreachable: some().map((file) => ({ ...file, reason: this.#field() })),
      checkouts: random.pick([[], [{ now: checkout() }], [{ was: checkout(), now: checkout() }, { was: checkout() }]]),
      ...(random.chance(0.3) ? { paths: this.#movedPaths(ids) } : {}),
    });
  }

  #movedPaths(ids: readonly string[]) {
    const folder = { was: this.#field(), now: this.#field() };
    const files = ids.slice(0, 2).map((object) => ({ was: this.#field(), now: this.#field(), object }));
    return [folder, ...files];
  }

  #ends(): PartForm {
    return { form: "spans", head: this.#random.below(12), tail: this.#random.below(12) };
  }

  /** Up to three runs of lines, in order, of which the last may lie behind the text. */
  #runs(text: string | null, base: string): readonly RepeatedRun[] {
    const count = (text ?? "").split("\n").length;
    const runs: RepeatedRun[] = [];
    for (let line = this.#random.below(3); line < count && runs.length < 3; ) {
      const run = { line, count: 1 + this.#random.below(3), in: base, from: this.#random.below(3) };
      runs.push(run);
      line += run.count + this.#random.below(2);
    }
    return runs;
  }

  /** Lines as a policy takes them from a text: without what it splits them at. */
  /** Up to three places in a text, wherever they fall. */
  #spans(text: string | null): readonly TextSpan[] {
    const { length } = text ?? "";
    if (length === 0) return [];
    return Array.from({ length: 1 + this.#random.below(3) }, (): TextSpan => {
      const start = this.#random.below(length);
      return [start, start + 1 + this.#random.below(length - start)];
    });
  }

  #addFile(objects: Map<string, ViewObject>): void {
    const id = this.#freshId(objects);
    const text = this.#random.chance(0.6) ? this.#text() : null;
    const textless = text === null || this.#random.chance(0.3) ? { textless: this.#random.pick(textlessNames) } : {};
    const shown = { path: this.#field(), fileType: this.#field(), charCount: this.#random.below(1e6) };
    objects.set(id, { id, alias: `f${objects.size}`, kind: "file", ...shown, text, ...textless });
  }

  #freshId(objects: ReadonlyMap<string, ViewObject>): string {
    let id = this.#field();
    while (objects.has(id)) id += `#${objects.size}`;
    return id;
  }

  #text(): string {
    this.strings += 1;
    const random = this.#random;
    return random.chance(0.1) ? (writtenAttacks[random.below(writtenAttacks.length)] ?? "") : hostileText(random);
  }

  #field(): string {
    this.strings += 1;
    return hostileField(this.#random);
  }
}

interface Growing {
  readonly place: () => { at: number; step: number; turn: number };
  readonly objects: Map<string, ViewObject>;
  readonly forms: Map<string, PartForm>;
}
