import { randomUUID } from "node:crypto";
import type { Observation, ObserveRequest, ReadLimits, Source, Tracker } from "@cm/object-model";
import type { MemoryBinding } from "../source/memory-binding.ts";
import { createMemorySource, memorySubject } from "../source/memory-source.ts";
import { type MemoryThing, MemoryWorld } from "../source/memory-world.ts";
import type { SourceFactory } from "../source/source-case.ts";

/** A source with one fault, and the cases that are meant to find it. */
export interface PlantedSourceBug {
  /** What the source does wrong. */
  readonly name: string;
  readonly caughtBy: readonly string[];
  readonly open: SourceFactory;
}

export type MemorySource = Source<MemoryBinding>;
export type MemoryRequest = ObserveRequest<MemoryBinding>;
type OnHint = (binding: MemoryBinding) => void;

/** The memory source with some of its members replaced. */
export function alteredSource(
  name: string,
  caughtBy: readonly string[],
  alter: (inner: MemorySource, world: MemoryWorld) => Partial<MemorySource>,
): PlantedSourceBug {
  const open: SourceFactory = async () => {
    const world = new MemoryWorld(randomUUID());
    const inner = createMemorySource(world);
    return memorySubject(world, { ...inner, ...alter(inner, world) });
  };
  return { name, caughtBy, open };
}

export interface Asked {
  readonly request: MemoryRequest;
  readonly bounds: ReadLimits;
  readonly world: MemoryWorld;
  /** Undefined where there is none, also where it belongs to another world. */
  readonly thing: MemoryThing | undefined;
}

/** The memory source with each of its answers changed on the way out. */
export function answering(
  name: string,
  caughtBy: readonly string[],
  change: (answer: Observation, asked: Asked) => Observation,
): PlantedSourceBug {
  return alteredSource(name, caughtBy, (inner, world) => ({
    async observe(requests, bounds, signal) {
      const answers = await inner.observe(requests, bounds, signal);
      return answers.map((answer, n) => {
        const request = requests[n] as MemoryRequest;
        const thing = request.binding.world === world.name ? world.thingAt(request.binding.path) : undefined;
        return change(answer, { request, bounds, world, thing });
      });
    },
  }));
}

/** The memory source that hears of each request something else than was asked. */
export function asking(
  name: string,
  caughtBy: readonly string[],
  change: (request: MemoryRequest) => MemoryRequest,
): PlantedSourceBug {
  return alteredSource(name, caughtBy, (inner) => ({
    observe: (requests, bounds, signal) => inner.observe(requests.map(change), bounds, signal),
  }));
}

/** The memory source with a source hash of another kind and nothing but it in its states. */
export function hashing(
  name: string,
  caughtBy: readonly string[],
  hashOf: (thing: MemoryThing) => string,
): PlantedSourceBug {
  return answering(name, caughtBy, (answer, { request: { known = {} }, bounds, thing }) => {
    if (thing === undefined || !("state" in answer)) return answer;
    const sourceHash = hashOf(thing);
    const state = { sourceHash };
    if (known.sourceHash === sourceHash) return { kind: "unchanged", state };
    return { kind: "present", sourceHash, content: contentAnyway(thing, bounds), state };
  });
}

function contentAnyway({ bytes }: MemoryThing, { contentBytesMax }: ReadLimits) {
  if (bytes.length > contentBytesMax) return { withheld: "too_large" } as const;
  const text = Buffer.from(bytes).toString("utf8");
  return Buffer.compare(Buffer.from(text), bytes) === 0 ? { text } : ({ withheld: "binary" } as const);
}

/** The memory source with another tracker. */
export function tracking(
  name: string,
  caughtBy: readonly string[],
  track: (
    open: (onHint: OnHint) => Tracker<MemoryBinding>,
    onHint: OnHint,
    world: MemoryWorld,
  ) => Tracker<MemoryBinding>,
): PlantedSourceBug {
  return alteredSource(name, caughtBy, (inner, world) => ({
    track: (onHint) =>
      track(
        (given) => {
          const tracker = inner.track?.(given);
          if (tracker === undefined) throw new TypeError("The memory source has a tracker.");
          return tracker;
        },
        onHint,
        world,
      ),
  }));
}
