import { type CmError, createMemoryStore, type ObjectStore } from "@cm/object-model";
import { createWriteBehindStore, type WriteBehindOptions, type WriteBehindStore } from "../../src/index.ts";
import { prompt } from "./documents.ts";
import { Gate } from "./gate.ts";
import { quickWait } from "./quick-wait.ts";

export interface Opened {
  readonly base: ObjectStore;
  readonly gate: Gate;
  readonly store: WriteBehindStore;
  readonly broken: CmError[];
}

/** A write-behind store over a memory store behind a gate, attached, which knows a basis unless it is fresh. */
export async function opened(options: WriteBehindOptions = {}, { isFresh = false } = {}): Promise<Opened> {
  const base = createMemoryStore(options.now === undefined ? {} : { now: options.now });
  const gate = new Gate(base);
  const broken: CmError[] = [];
  const onBroken = (error: CmError) => broken.push(error);
  const store = createWriteBehindStore(gate.store, { wait: quickWait, onBroken, ...options });
  if (!isFresh) await store.commit([{ document: prompt("first"), expect: "absent" }]);
  return { base, gate, store, broken };
}
