import {
  CmError,
  defined,
  type FilesystemBinding,
  locationOf,
  type Observation,
  type ObserveRequest,
  parseSourceBinding,
  type Source,
} from "@cm/object-model";
import { isContainerPath, shownPath } from "../binding/container-path.ts";
import { Gate } from "../container/gate.ts";
import {
  type CheckedContainer,
  checkedContainers,
  type RegisteredContainer,
} from "../container/registered-container.ts";
import { limits } from "../limits.ts";
import { reasons, Trouble } from "../reasons.ts";
import { observeContainer } from "./observe.ts";

export interface ContainerSourceOptions {
  /** The only containers that are looked into. */
  readonly containers: readonly RegisteredContainer[];
  /** Has the files of every other file system, such as `@cm/sources-fs`. Closed with this source. */
  readonly beside?: Source<FilesystemBinding>;
}

export interface ContainerSource extends Source<FilesystemBinding> {
  /**
   * The binding of a path in a registered container. Nothing need exist there.
   * @throws CmError `source/unknown-container`, `model/invalid-source`
   */
  bind(place: { readonly container: string; readonly path: string }): FilesystemBinding;
  close(): Promise<void>;
}

/**
 * "source/1" for files inside containers: they are files of a file system whose id is the container's (SSOT 5.4), read
 * by a program that the engine runs in it. It has no tracker: changes are found by the next observation.
 * @throws CmError `source/invalid-options`
 */
export function createContainerSource({ containers: given, beside }: ContainerSourceOptions): ContainerSource {
  const containers = checkedContainers(given);
  const gate = new Gate(limits.execsAtOnce);
  const closing = new AbortController();
  const parseBinding = (value: unknown): FilesystemBinding => parsed(value, containers, beside);
  return {
    contract: "source/1",
    type: "filesystem",
    parseBinding,
    describe: (binding) => described(binding, containers.get(binding.filesystemId), beside),
    observe: async (requests, bounds, signal) => {
      const answers: (Observation | undefined)[] = new Array(requests.length).fill(undefined);
      const signals = [closing.signal, signal];
      const groups = Map.groupBy(requests.keys(), (place) => ownerOf(requests[place], containers));
      await Promise.all(
        [...groups].map(async ([container, places]) => {
          const own = places.flatMap((place) => requests[place] ?? []);
          const told =
            container === undefined
              ? await observeBeside(own, beside, () => beside?.observe(own, bounds, signal))
              : await observeContainer(container, { requests: own, bounds, signals, gate });
          for (const [index, place] of places.entries()) answers[place] = told[index];
        }),
      );
      return answers.map((answer) => answer ?? { kind: "unreachable", reason: reasons.execUnclear });
    },
    bind({ container, path }) {
      const found = [...containers.values()].find(({ id }) => id === container);
      if (found !== undefined) return parseBinding({ type: "filesystem", filesystemId: found.filesystemId, path });
      const message = "This container is not registered with the container source; add it to `containers`.";
      throw new CmError("source/unknown-container", message);
    },
    ...defined({
      checkouts: beside?.checkouts === undefined ? undefined : () => beside.checkouts?.() ?? Promise.resolve([]),
    }),
    async close() {
      closing.abort(new Trouble(reasons.closed));
      await beside?.close?.();
    },
  };
}

type Request = ObserveRequest<FilesystemBinding>;

const ownerOf = (request: Request | undefined, containers: ReadonlyMap<string, CheckedContainer>) =>
  containers.get(request?.binding.filesystemId ?? "");

async function observeBeside(
  requests: readonly Request[],
  beside: Source<FilesystemBinding> | undefined,
  look: () => Promise<readonly Observation[]> | undefined,
): Promise<readonly Observation[]> {
  if (beside !== undefined) return (await look()) ?? [];
  return requests.map(() => ({ kind: "unreachable", reason: reasons.unknownContainer }));
}

function parsed(
  value: unknown,
  containers: ReadonlyMap<string, CheckedContainer>,
  beside: Source<FilesystemBinding> | undefined,
): FilesystemBinding {
  const binding = parseSourceBinding(value);
  if (binding.type !== "filesystem") throw invalid(["type"]);
  const { filesystemId, path } = binding as FilesystemBinding;
  if (!containers.has(filesystemId) && beside !== undefined) return beside.parseBinding(value);
  if (!isContainerPath(path)) throw invalid(["path"]);
  return { type: "filesystem", filesystemId, path };
}

function described(
  binding: FilesystemBinding,
  container: CheckedContainer | undefined,
  beside: Source<FilesystemBinding> | undefined,
): ReturnType<Source<FilesystemBinding>["describe"]> {
  if (container === undefined && beside !== undefined) return beside.describe(binding);
  const { namespace, path } = locationOf(binding);
  const shown = shownPath(path);
  return {
    namespace,
    path,
    display: container?.isAgents === true ? shown : `${nameOf(container, namespace)}:${shown}`,
  };
}

/** As engines show it: a name, or the first twelve digits of an id. */
function nameOf(container: CheckedContainer | undefined, namespace: string): string {
  const name = container?.id ?? namespace;
  return /^[0-9a-f]{64}$/.test(name) ? name.slice(0, 12) : shownPath(name);
}

function invalid(fields: readonly string[]): CmError {
  return new CmError("model/invalid-source", `The container binding is wrong in: ${fields.join(", ")}.`, { fields });
}
