import { isUtf8 } from "node:buffer";
import { createHash, randomUUID } from "node:crypto";
import {
  CmError,
  limits,
  type Observation,
  type ObserveRequest,
  type ReadLimits,
  type Source,
  type Tracker,
} from "@cm/object-model";
import type { MemoryBinding } from "./memory-binding.ts";
import { createMemoryTracker } from "./memory-tracker.ts";
import { MemoryWorld } from "./memory-world.ts";
import type { SourceSubject } from "./source-subject.ts";

const fields = ["type", "world", "path"];
const wordsOut = "the memory world is out of reach";

/** The smallest source that holds every case: what a source has to do, without a place to do it in. */
export function createMemorySource(world: MemoryWorld): Source<MemoryBinding> {
  const trackers: Tracker<MemoryBinding>[] = [];
  let closed = false;
  return {
    contract: "source/1",
    type: "memory",
    parseBinding: parseMemoryBinding,
    describe: ({ world: namespace, path }) => ({ namespace, path, display: displayOf(namespace, path) }),
    async observe(requests, bounds, signal) {
      return requests.map((request) => {
        if (closed) return { kind: "unreachable", reason: "the source is closed" };
        if (signal?.aborted === true) return { kind: "unreachable", reason: "the look was given up" };
        return answer(world, request, bounds);
      });
    },
    track(onHint) {
      const tracker = createMemoryTracker(world, onHint);
      trackers.push(tracker);
      return tracker;
    },
    async close() {
      closed = true;
      await Promise.all(trackers.map((tracker) => tracker.close()));
    },
  };
}

/** A `SourceFactory`: the source on a fresh world. */
export async function openMemorySource(): Promise<SourceSubject<MemoryBinding>> {
  const world = new MemoryWorld(randomUUID());
  return memorySubject(world, createMemorySource(world));
}

/** A source on a memory world, as the suite wants it. */
export function memorySubject(world: MemoryWorld, source: Source<MemoryBinding>): SourceSubject<MemoryBinding> {
  const bind = (path: string): MemoryBinding => ({ type: "memory", world: world.name, path });
  return {
    source,
    world: {
      put: async (path, bytes) => {
        world.put(path, bytes);
        return bind(path);
      },
      remove: async (path) => world.remove(path),
      binding: async (path) => bind(path),
      elsewhere: async () => ({ ...bind("a.txt"), world: "no such world" }),
      unreach: async () => world.setReach(false),
      reach: async () => world.setReach(true),
    },
    close: async () => source.close?.(),
  };
}

/** @throws CmError `model/invalid-source` */
function parseMemoryBinding(value: unknown): MemoryBinding {
  const given: Readonly<Record<string, unknown>> =
    typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  const { type, world, path } = given;
  const wrong = [
    ...(type === "memory" ? [] : ["type"]),
    ...(isField(world) ? [] : ["world"]),
    ...(isField(path) ? [] : ["path"]),
    ...(Object.keys(given).every((key) => fields.includes(key)) ? [] : ["(the binding)"]),
  ];
  if (type === "memory" && isField(world) && isField(path) && wrong.length === 0) return { type, world, path };
  throw new CmError("model/invalid-source", `The memory binding is wrong in: ${wrong.join(", ")}.`, { fields: wrong });
}

function isField(value: unknown): value is string {
  return typeof value === "string" && value.length >= 1 && value.length <= limits.sourceFieldCharsMax;
}

function displayOf(world: string, path: string): string {
  return `memory:${world}/${JSON.stringify(path).slice(1, -1)}`;
}

function answer(
  world: MemoryWorld,
  { binding, known = {}, want = "content" }: ObserveRequest<MemoryBinding>,
  { contentBytesMax }: ReadLimits,
): Observation {
  if (binding.world !== world.name) return { kind: "unreachable", reason: "there is no such memory world" };
  if (!world.inReach) return { kind: "unreachable", reason: wordsOut };
  const thing = world.thingAt(binding.path);
  if (thing === undefined) return { kind: "absent" };
  if (want === "existence") return { kind: "exists" };

  const sourceHash = createHash("sha256").update(thing.bytes).digest("hex");
  const state = { sourceHash, hint: `revision ${thing.revision}` };
  if (known.hint === state.hint || known.sourceHash === sourceHash) return { kind: "unchanged", state };
  return { kind: "present", sourceHash, content: contentOf(thing.bytes, contentBytesMax), state };
}

function contentOf(bytes: Uint8Array, bytesMax: number): Extract<Observation, { kind: "present" }>["content"] {
  if (bytes.length > bytesMax) return { withheld: "too_large" };
  return isUtf8(bytes) ? { text: Buffer.from(bytes).toString("utf8") } : { withheld: "binary" };
}
