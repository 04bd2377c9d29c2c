import {
  CmError,
  type GitBinding,
  LruCache,
  type Observation,
  type ObserveRequest,
  type ReadLimits,
  type Source,
  type Tracker,
} from "@cm/object-model";
import { describeGitBinding, parseGitBinding } from "../binding/binding.ts";
import { limits } from "../limits.ts";
import { gitProgram } from "../process/git-program.ts";
import { type Reason, reasonOf, reasons, Trouble } from "../reasons.ts";
import type { RegisteredFolder } from "../repository/identify.ts";
import { Registry } from "../repository/registry.ts";
import type { Tree } from "../repository/tree.ts";
import { systemTimer, type Timer } from "../timer.ts";
import { openTracker } from "../track/tracker.ts";
import { within } from "../within.ts";
import { observeBatch } from "./observe.ts";

export interface GitSourceOptions {
  /** Names this machine's paths (SSOT 5.4), for repositories without a remote. No `:`, `@`, `/` or space. */
  readonly filesystemId: string;
  /** The only folders that are looked at. Of two with one name, the first is asked. */
  readonly repositories: readonly RegisteredFolder[];
  /** The program, as an absolute path. Default: `git` in the folders of `PATH`. */
  readonly git?: string;
  /** Time between the looks of a tracker while refs move. Default `limits.pollMs`. */
  readonly pollMs?: number;
  /** For tests. */
  readonly timer?: Timer;
  /** From 0 to below 1, for tests. */
  readonly random?: () => number;
}

export interface GitSource extends Source<GitBinding> {
  /**
   * The binding of a file in a registered folder's repository. Nothing at `ref` or `path` need exist.
   * @throws CmError `source/unknown-repository`, `source/unreachable`, `model/invalid-source`
   */
  bind(place: { readonly repository: string; readonly ref: string; readonly path: string }): Promise<GitBinding>;
  track(onHint: (binding: GitBinding) => void): Tracker<GitBinding>;
  close(): Promise<void>;
}

/**
 * "source/1" for files of commits: the blob id is the source hash, and a ref that moved is a change.
 * @throws CmError `source/invalid-options`
 */
export function createGitSource(options: GitSourceOptions): GitSource {
  checkOptions(options);
  const { filesystemId, repositories, timer = systemTimer, random = Math.random, pollMs = limits.pollMs } = options;
  // An id stands for its bytes, so nothing in it is ever out of date.
  const cache = new LruCache<Tree>({ weightMax: limits.treeEntriesCachedMax });
  const registry = new Registry(repositories, { filesystemId, program: gitProgram(options.git), cache, timer });
  const trackers = new Set<Tracker<GitBinding>>();
  const closing = new AbortController();

  return {
    contract: "source/1",
    type: "git",
    parseBinding: parseGitBinding,
    describe: describeGitBinding,
    observe: (requests, bounds, signal) => observe(registry, { requests, bounds, signals: [closing.signal, signal] }),
    async bind({ repository, ref, path }) {
      const found = await registry.inFolder(repository);
      if (found === undefined) {
        const message = "This folder is not registered with the git source; add it to `repositories`.";
        throw new CmError("source/unknown-repository", message, { folder: repository });
      }
      const { repo } = await within(limits.lookMs, [closing.signal], (signal) => found.facts(signal)).catch((error) => {
        throw unreachableError(repository, reasonOf(error));
      });
      return parseGitBinding({ type: "git", repo, ref, path });
    },
    track(onHint) {
      const tracker = openTracker({
        marks: (repo, refs) =>
          within(limits.lookMs, [closing.signal], async (signal) =>
            (await registry.find(repo, signal)).marks(refs, signal),
          ),
        onHint,
        timer,
        random,
        pollMs,
        onClose: () => trackers.delete(tracker),
      });
      trackers.add(tracker);
      return tracker;
    },
    async close() {
      closing.abort(new Trouble(reasons.closed));
      await Promise.all([...trackers].map((tracker) => tracker.close()));
      await registry.close();
    },
  };
}

interface Look {
  readonly requests: readonly ObserveRequest<GitBinding>[];
  readonly bounds: ReadLimits;
  readonly signals: readonly (AbortSignal | undefined)[];
}

/** Whatever has no answer when the time is up is unreachable. */
async function observe(registry: Registry, { requests, bounds, signals }: Look): Promise<readonly Observation[]> {
  const answers = new Array<Observation | undefined>(requests.length);
  let reason: Reason = reasons.gitEnded;
  try {
    await within(bounds.deadlineMs, signals, (signal) => {
      const onAnswer = (index: number, observation: Observation): void => {
        if (!signal.aborted) answers[index] = observation;
      };
      return observeBatch(registry, { requests, contentBytesMax: bounds.contentBytesMax, signal, onAnswer });
    });
  } catch (error) {
    reason = reasonOf(error);
  }
  return Array.from(answers, (answer) => answer ?? { kind: "unreachable", reason });
}

function unreachableError(folder: string, reason: Reason): CmError {
  const message = `The repository cannot be reached: ${reason}. Bring it back, or take it from \`repositories\`.`;
  return new CmError("source/unreachable", message, { folder, reason });
}

function checkOptions({ filesystemId, repositories }: GitSourceOptions): void {
  const wrong = [
    ...(/^[^\s/@:]{1,256}$/.test(filesystemId) ? [] : ["filesystemId"]),
    ...(repositories.length <= limits.repositoriesMax ? [] : ["repositories"]),
  ];
  if (wrong.length === 0) return;
  const message = `The options of the git source are wrong in: ${wrong.join(", ")}.`;
  throw new CmError("source/invalid-options", message, { fields: wrong, repositoriesMax: limits.repositoriesMax });
}
