import type { FilesystemBinding, Observation, Source } from "@cm/object-model";
import { containerFilesystemId } from "@cm/sources-fs";
import type { ContainerSetting } from "../settings/source-setting.ts";
import { sourceProblem } from "./further-sources.ts";

type Observe = Source<FilesystemBinding>["observe"];

/** The file system id of the container that the agent's tools work in; a sandbox that says its own is believed. */
export function containerId(containers: readonly ContainerSetting[], told: string | undefined): string | undefined {
  const [first] = containers;
  return told ?? (first === undefined ? undefined : containerFilesystemId(first.id));
}

/**
 * Looks into containers that the settings name. The package is loaded with the first question about one.
 */
export class SandboxContainers {
  readonly #containers: ReadonlyMap<string, ContainerSetting>;
  #source: Promise<Source<FilesystemBinding>> | undefined;
  #problem: string | undefined;

  /** @param sandboxId of what no mount covers */
  constructor(containers: readonly ContainerSetting[], sandboxId: string | undefined) {
    const byId = new Map(containers.map((one) => [containerFilesystemId(one.id), one]));
    const [first] = containers;
    // A container that is known by its name: the sandbox told the id.
    if (first !== undefined && sandboxId !== undefined && !byId.has(sandboxId)) {
      byId.delete(containerFilesystemId(first.id));
      byId.set(sandboxId, first);
    }
    this.#containers = byId;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  get isEmpty(): boolean {
    return this.#containers.size === 0;
  }

  has(filesystemId: string): boolean {
    return this.#containers.has(filesystemId);
  }

  async observe(...[requests, ...rest]: Parameters<Observe>): Promise<readonly Observation[]> {
    try {
      this.#source ??= this.#open();
      return await (await this.#source).observe(requests, ...rest);
    } catch (error) {
      this.#problem = sourceProblem("container", "@cm/sources-container", error);
      return requests.map(() => ({ kind: "unreachable", reason: "no source for containers" }));
    }
  }

  async close(): Promise<void> {
    await this.#source?.then((source) => source.close?.()).catch(() => {});
  }

  async #open(): Promise<Source<FilesystemBinding>> {
    const { createContainerSource } = await import("@cm/sources-container");
    const containers = [...this.#containers].map(([filesystemId, { cwd: _, ...one }]) => ({ ...one, filesystemId }));
    return createContainerSource({ containers });
  }
}
