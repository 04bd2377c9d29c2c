import type { ObserveRequest } from "@cm/object-model";
import { mustHave } from "../case/admission.ts";
import { type LastCall, type Telling, toldName, toldNames } from "../case/last-call.ts";
import type { SourceSubject } from "./source-subject.ts";

const worldMethods = ["put", "remove", "binding", "elsewhere", "unreach", "reach"] as const;

/** The same source and world, whose last call is remembered. */
export function admitSource(subject: SourceSubject, calls: LastCall): SourceSubject {
  mustHave("subject of a source", subject, ["close"]);
  mustHave("source", subject.source, ["parseBinding", "describe", "observe"]);
  mustHave("world of a source", subject.world, worldMethods);
  return {
    source: calls.watch("source", subject.source, source),
    world: calls.watch("world", subject.world, world),
    close: () => subject.close(),
  };
}

const source: Telling = {
  observe: (requests: readonly ObserveRequest[]) => toldNames(requests.map(({ binding }) => binding)),
  describe: (binding: unknown) => toldName(binding),
};

const world: Telling = {
  put: (name: string, bytes: Uint8Array) => `${toldName(name)}, ${bytes.length} bytes`,
  remove: (name: string) => toldName(name),
  binding: (name: string) => toldName(name),
  canHold: (name: string) => toldName(name),
};
