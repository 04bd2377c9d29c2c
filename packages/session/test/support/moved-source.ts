import type { FilesystemBinding, Observation, Source } from "@cm/object-model";
import type { MapSource } from "./map-source.ts";

/**
 * The things of a map as another client reaches them, under another local root: bindings say what they said, and what
 * the first client knew of its files means nothing here.
 */
export class MovedSource implements Source<FilesystemBinding> {
  readonly contract = "source/1";
  readonly type = "filesystem";
  readonly #world: MapSource;
  readonly #root: string;

  constructor(world: MapSource, root: string) {
    this.#world = world;
    this.#root = root;
  }

  parseBinding(value: unknown): FilesystemBinding {
    return this.#world.parseBinding(value);
  }

  describe(binding: FilesystemBinding) {
    return this.#world.describe(binding);
  }

  async observe(requests: Parameters<Source<FilesystemBinding>["observe"]>[0]): Promise<readonly Observation[]> {
    const local = requests.map(({ binding, known, ...request }) => {
      const isOwn = known?.hint === undefined || known.hint.startsWith(this.#root);
      return { ...request, binding, ...(known !== undefined && isOwn ? { known } : {}) };
    });
    const observations = await this.#world.observe(local);
    return observations.map((observation) =>
      "state" in observation
        ? { ...observation, state: { ...observation.state, hint: `${this.#root} ${observation.state.hint}` } }
        : observation,
    );
  }
}
