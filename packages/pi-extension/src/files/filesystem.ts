import { posix } from "node:path";
import type { FileTouch } from "@cm/context-log";
import type { FilesystemBinding, Source, SourceBinding } from "@cm/object-model";
import { createRedactor, type Redactor } from "@cm/sources-fs";
import { addressed, parseAddress } from "./addresses.ts";
import { isFollowed, unknownFilesNotice } from "./agent-files.ts";
import type { BlockedSecretFile } from "./blocked-secret-files.ts";
import { CurrentFiles, type FilesystemOptions } from "./current-files.ts";
import { fileTouchLimits as limits } from "./file-limits.ts";
import { FurtherSources } from "./further-sources.ts";
import { asFound, type Places } from "./path-spellings.ts";
import { isBindable } from "./pi-path.ts";
import type { CallPlace, RecordedTouch, ToolCall } from "./recorded-touch.ts";
import { onePerPath, touchesOf } from "./touches-of-call.ts";

export type { FilesystemOptions } from "./current-files.ts";

/** The files of one Pi session. Nothing is asked of the machine before the first question, and no thread runs. */
export interface SessionFilesystem {
  /** For `openSession`. Where the owner of the tools' files is unknown, everything is `unreachable`. */
  readonly source: Source<FilesystemBinding>;
  /** For `openSession`, beside it: those that the settings name for other than files. */
  furtherSources(): Promise<readonly Source[]>;
  /** For `openSession`; also for whatever else is kept of outputs. */
  readonly redact: Redactor;
  /** One sentence for the user where files cannot be followed, as it is now: show it once. */
  readonly notice: string | undefined;
  /** Files that were met and are closed because their names are those of secrets. */
  readonly closedSecrets: readonly BlockedSecretFile[];
  /** Starts the thread that looks at files, before the first question. */
  warmUp(): void;
  /** The files that a call touched, by their paths; none where its tool is not followed. Waits for nothing. */
  touched(call: ToolCall): readonly RecordedTouch[];
  /** The same as bindings, for a result of the session. What cannot be bound is left out. */
  bind(touches: readonly RecordedTouch[]): Promise<readonly FileTouch[]>;
  /** Undefined where it is no path of a file that can be followed. */
  bindPath(agentPath: string): Promise<FilesystemBinding | undefined>;
  /** Where relative paths of the agent's calls count from now. */
  readonly place: CallPlace;
  close(): Promise<void>;
}

export function openFilesystem(options: FilesystemOptions): SessionFilesystem {
  const current = new CurrentFiles(options);
  const { sources = { git: [], s3: [], containers: [] } } = options.settings;
  const further = new FurtherSources(sources);
  const source = sourceOfCurrent(current);
  let isWarm = false;
  return {
    source,
    furtherSources: () => further.all(),
    redact: createRedactor(),
    get notice() {
      if (current.isWindows) return "Context Manager follows no files on Windows; it does in WSL.";
      return unknownFilesNotice(current.now().files) ?? further.problem ?? current.problem;
    },
    get closedSecrets() {
      return current.secrets.all;
    },
    warmUp: () => {
      // A small question, whose answer is not awaited.
      if (!isWarm) source.checkouts?.().catch(() => undefined);
      isWarm = true;
    },
    touched: (call) => {
      const { files, place } = current.now();
      const touches = isFollowed(files, call.tool) ? touchesOf(call, place) : [];
      current.hear(call, touches);
      return [...touches, ...addressed(call, place, sources)];
    },
    bind: (touches) => boundTouches(touches, current, further),
    bindPath: async (agentPath) => {
      const path = posix.resolve(current.now().place.cwd, agentPath);
      return (await bindingsOf(current, [path])).get(path);
    },
    get place() {
      return current.now().place;
    },
    close: async () => {
      await Promise.all([current.close(), further.close()]);
    },
  };
}

async function boundTouches(
  touches: readonly RecordedTouch[],
  current: CurrentFiles,
  further: FurtherSources,
): Promise<readonly FileTouch[]> {
  const isKnown = !current.isClosed && current.now().files.kind !== "unknown";
  const found = isKnown ? await asFound(touches, placesIn(current)) : touches;
  const kept = onePerPath(found).slice(0, limits.touchesPerCallMax);
  const paths = kept.map(({ path }) => path);
  const bindings = new Map<string, SourceBinding>(await bindingsOf(current, paths));
  for (const path of paths) {
    const address = parseAddress(path);
    const binding = address === undefined ? undefined : await further.bind(address);
    if (binding !== undefined) bindings.set(path, binding);
  }
  return kept.flatMap(({ path, ...touch }) => {
    const binding = bindings.get(path);
    return binding === undefined ? [] : [{ ...touch, binding }];
  });
}

const placesIn = (current: CurrentFiles): Places => ({
  bindAll: (paths) => current.source().bindAll(paths),
  observe: (...asked) => current.observe(...asked),
});

/** Absolute paths as bindings; without those that are none, or all where their owner is unknown. */
async function bindingsOf(
  current: CurrentFiles,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FilesystemBinding>> {
  if (current.isClosed || current.now().files.kind === "unknown") return new Map();
  const kept = paths.filter(isBindable);
  const bindings = kept.length === 0 ? [] : await current.source().bindAll(kept);
  return new Map(bindings.flatMap((binding, place) => [[kept[place] ?? "", binding]]));
}

/** "source/1" over the source that counts now. Without a tracker: the sweep before each request finds what changed. */
function sourceOfCurrent(current: CurrentFiles): Source<FilesystemBinding> {
  const isUnknown = () => current.now().files.kind === "unknown";
  return {
    contract: "source/1",
    type: "filesystem",
    parseBinding: (value) => current.source().parseBinding(value),
    describe: (binding) => current.source().describe(binding),
    observe: async (requests, bounds, signal) => {
      const reason = current.isClosed ? "closed" : isUnknown() ? "file system not known" : undefined;
      if (reason === undefined) return current.observe(requests, bounds, signal);
      return requests.map(() => ({ kind: "unreachable", reason }));
    },
    checkouts: async () => (current.isClosed || isUnknown() ? [] : current.source().checkouts()),
  };
}
