import {
  type Checkout,
  CmError,
  defined,
  type FilesystemBinding,
  type Observation,
  parseSourceBinding,
  type Source,
  type Tracker,
} from "@cm/object-model";
import { contains } from "../guard/contains.ts";
import { realPath } from "../guard/real-path.ts";
import { FileThread } from "../indexing/file-thread.ts";
import type { ThreadData } from "../indexing/messages.ts";
import { fileLimits as limits } from "../limits.ts";
import { isAbsolutePath } from "../mounts/normal-path.ts";
import { createPlaces, type Places } from "../mounts/places.ts";
import { reasons } from "../reasons.ts";
import { openTracker } from "../track/open-tracker.ts";
import { absolutePath } from "./absolute-path.ts";
import { AvoidedFolders } from "./avoided-folders.ts";
import { bind } from "./bind.ts";
import { checkouts } from "./checkouts.ts";
import { listBatches } from "./list-batches.ts";
import { observe } from "./observe.ts";
import { checkedRoots, type FilesystemSourceOptions, realPlaces } from "./options.ts";
import { StateOrigins } from "./state-origins.ts";

/** "source/1" for files (SSOT 5.3 to 5.11). */
export interface FilesystemSource extends Source<FilesystemBinding> {
  /**
   * The agent's path as a binding: translated, `..` taken out of the text, links resolved where this client can see
   * them. `cwd`: the agent's, absolute; needed for a relative path.
   *
   * @throws CmError `source/invalid-path`
   */
  bind(agentPath: string, cwd?: string): Promise<FilesystemBinding>;
  /**
   * The same for many paths at once, in their order: a listing's paths one by one would take the caller's loop a tenth
   * of a millisecond each.
   *
   * @throws CmError `source/invalid-path`, for all of them
   */
  bindAll(agentPaths: readonly string[], cwd?: string): Promise<readonly FilesystemBinding[]>;
  /**
   * The files below the roots, or below one local folder inside them, that no rule ignores: sorted by name, folder by
   * folder, in batches. Each batch is listed when it is asked for.
   *
   * @throws CmError `source/outside-roots`, `source/limit` after the last batch, `source/unavailable`
   */
  list(folder?: string): AsyncIterable<readonly FilesystemBinding[]>;
  track(onHint: (binding: FilesystemBinding) => void): Tracker<FilesystemBinding>;
  /** The git work trees around the roots and directly below them; none where they cannot be told in time. */
  checkouts(): Promise<readonly Checkout[]>;
  close(): Promise<void>;
}

/**
 * Files of this machine as a source. All of them are looked at in threads of its own, which start at the first
 * question; the second one only for many files.
 *
 * @throws CmError `source/invalid-options`, `source/invalid-mapping`
 */
export function createFilesystemSource(options: FilesystemSourceOptions): FilesystemSource {
  const roots = checkedRoots(options.roots);
  const placesOptions = realPlaces(options);
  const places = createPlaces(placesOptions);
  const data: ThreadData = { roots, ignore: options.ignore ?? {}, places: placesOptions };
  const startable = () => new FileThread({ script: new URL("./reading-worker.js", import.meta.url), data });
  const threads = [startable(), ...Array.from({ length: limits.threadsMax - 1 }, startable)] as const;
  const parts = { threads, places, states: new StateOrigins(), avoided: new AvoidedFolders() };
  const trackers = new Set<Tracker<FilesystemBinding>>();

  return {
    contract: "source/1",
    type: "filesystem",
    parseBinding,
    describe(binding) {
      const { filesystemId: namespace, path } = binding;
      const own = places.ownOf(binding);
      return { namespace, path, display: places.displayOf(binding), ...defined({ own }) };
    },
    observe: (requests, bounds, signal): Promise<readonly Observation[]> =>
      observe(parts, requests, { ...bounds, signal }),
    async bind(agentPath, cwd) {
      const path = absolutePath(agentPath, cwd);
      const [binding = places.bindingOf(path)] = await bind(parts, [path]);
      return binding;
    },
    bindAll: async (agentPaths, cwd) =>
      bind(
        parts,
        agentPaths.map((path) => absolutePath(path, cwd)),
      ),
    list: (folder) => listBatches(threads[0], folder === undefined ? undefined : absolutePath(folder)),
    checkouts: () => checkouts(threads[0]),
    track(onHint) {
      const tracker = openTracker({ localPathOf: withinRoots(places, roots), onHint });
      trackers.add(tracker);
      return tracker;
    },
    async close() {
      await Promise.all([...threads, ...trackers].map((one) => one.close()));
    },
  };
}

function parseBinding(value: unknown): FilesystemBinding {
  const binding = parseSourceBinding(value);
  if (binding.type !== "filesystem" || !("filesystemId" in binding)) {
    throw new CmError("model/invalid-source", "The binding is none of a file.", { fields: ["type"] });
  }
  const { filesystemId = "", path = "" } = binding;
  if (!isAbsolutePath(path) || path.includes("\0")) {
    throw new CmError("model/invalid-source", "The path of a file's binding must be absolute and have no NUL.", {
      fields: ["path"],
    });
  }
  return { type: "filesystem", filesystemId, path };
}

/** A tracker never watches a folder outside the roots. */
function withinRoots(places: Places, roots: readonly string[]) {
  const real = roots.map(realPath);
  return (binding: FilesystemBinding): { readonly path: string } | { readonly unreachable: string } => {
    const local = places.localPathOf(binding);
    if ("unreachable" in local || real.some((root) => contains(root, local.path))) return local;
    return { unreachable: reasons.outsideRoots };
  };
}
