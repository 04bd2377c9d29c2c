/** A thing in a map. `world` is the map's own name, `path` the thing's. */
export type MemoryBinding = Readonly<Record<string, string>> & {
  readonly type: "memory";
  readonly world: string;
  readonly path: string;
};
