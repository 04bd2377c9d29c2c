import type { Filter, ObjectStore, VersionName, Write } from "@cm/object-model";
import { mustHave } from "../case/admission.ts";
import { type LastCall, type Telling, toldName, toldNames } from "../case/last-call.ts";

const methods = ["getMany", "commit", "history", "find", "erase"] as const;

/** The same store, whose last call is remembered. */
export function admitStore(store: ObjectStore, calls: LastCall): ObjectStore {
  mustHave("object store", store, methods);
  return calls.watch("store", store, telling);
}

const telling: Telling = {
  getMany: (ids: readonly string[]) => toldNames([...ids]),
  commit: (writes: readonly Write[]) => toldNames(writes.map(({ document }) => document["xt/id"])),
  history: (id: string) => toldName(id),
  find: (filter: Filter) => `by ${Object.keys(filter).join(", ")}`,
  erase: (named: readonly (string | VersionName)[]) =>
    toldNames(named.map((name) => (typeof name === "string" ? name : name.id))),
};
