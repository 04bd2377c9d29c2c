import { posix } from "node:path";
import type { FileTouch } from "@cm/context-log";
import { CmError, defined, type FilesystemBinding, type Source, type SourceBinding } from "@cm/object-model";
import { fileTouches, type RecordedCall, type Recording } from "@cm/recordings";
import { type ReplayFiles, replayFilesystemId } from "@cm/replay";
import { createFilesystemSource, detectEnvironment } from "@cm/sources-fs";
import { type SourceAddress, sourceAddresses } from "@cm/tool-calls";
import { limits } from "../limits.ts";

/** Further places of a recorded session's files, from `--git`, `--s3` and `--container`. */
export interface SourceChoice {
  /** Absolute folders of repositories; the first stands for the one around the session's working folder. */
  readonly git: readonly string[];
  /** Origins of servers, or `aws`; what names no server is looked for at the first. */
  readonly s3: readonly string[];
  /** The container that the session's tools worked in: `ID`, or `ID=COMMAND`. */
  readonly container?: string | undefined;
}

type Bind = (address: SourceAddress) => Promise<SourceBinding | undefined>;

/**
 * The same files, and those of commits and buckets that calls name. Packages are loaded where an option wants them.
 * @throws CmError `replay/usage`
 */
export async function withFurtherSources(
  files: ReplayFiles,
  { cwd = "/" }: Pick<Recording, "cwd">,
  choice: SourceChoice,
): Promise<ReplayFiles> {
  const opened = await Promise.all([
    ...(choice.git.length > 0 ? [orUsage("--git", openGit(choice.git, cwd))] : []),
    ...(choice.s3.length > 0 ? [orUsage("--s3", openS3(choice.s3))] : []),
  ]);
  if (opened.length === 0) return files;
  const touchedBy = async (call: RecordedCall): Promise<readonly FileTouch[]> => {
    const texts = Object.values(call.args).filter((value) => typeof value === "string");
    const touches: FileTouch[] = [];
    for (const address of texts.flatMap(sourceAddresses).slice(0, limits.discoveredPathsMax)) {
      for (const { bind } of opened) {
        const binding = await bind(address).catch(() => undefined);
        if (binding !== undefined) touches.push({ binding, as: touchedAs(address) });
      }
    }
    return touches;
  };
  return {
    ...files,
    furtherSources: opened.map(({ source }) => source),
    async touchesOf(call, result) {
      const own = await files.touchesOf(call, result);
      return result.failed ? own : [...own, ...(await touchedBy(call))];
    },
    async close() {
      await Promise.all([files.close(), ...opened.map(({ source }) => source.close?.())]);
    },
  };
}

/**
 * Files in the container that a session was recorded in, as they are there now.
 * @throws CmError `replay/usage`
 */
export async function containerFiles({ id, cwd }: Pick<Recording, "id" | "cwd">, text: string): Promise<ReplayFiles> {
  const { createContainerSource } = await import("@cm/sources-container");
  const equals = text.indexOf("=");
  const container =
    equals < 0
      ? { id: text, isAgents: true }
      : {
          id: text.slice(0, equals),
          command: text
            .slice(equals + 1)
            .trim()
            .split(/\s+/),
          isAgents: true,
        };
  const beside = createFilesystemSource({
    roots: [],
    sandbox: { filesystemId: replayFilesystemId(id), mappings: [] },
  });
  const open = async () => createContainerSource({ containers: [container], beside });
  const source = await orUsage("--container", open());
  return {
    source,
    async touchesOf(call, { text, failed }) {
      return fileTouches(call, { cwd, text, failed }).flatMap(({ path, ...touch }): readonly FileTouch[] => {
        const binding = boundIn(source, container.id, path);
        return binding === undefined ? [] : [{ ...touch, binding }];
      });
    },
    close: () => source.close(),
  };
}

type ContainerSource = Source<FilesystemBinding> & {
  bind(place: { readonly container: string; readonly path: string }): FilesystemBinding;
};

/** A folder or nonsense is no file to follow. */
function boundIn(source: ContainerSource, container: string, path: string): FilesystemBinding | undefined {
  try {
    return source.bind({ container, path });
  } catch {
    return undefined;
  }
}

async function openGit(folders: readonly string[], cwd: string): Promise<{ source: Source; bind: Bind }> {
  const { createGitSource } = await import("@cm/sources-git");
  const repositories = folders.map((folder) => ({ folder }));
  const source = createGitSource({ filesystemId: detectEnvironment().filesystemId, repositories });
  const [first = ""] = folders;
  return {
    source,
    async bind(address) {
      if (address.kind !== "git") return undefined;
      const named = posix.resolve(cwd, address.folder ?? "");
      const isOwn = named === cwd || named.startsWith(`${cwd}/`);
      const repository = isOwn ? first : folders.find((folder) => folder === named);
      if (repository === undefined) return undefined;
      const inside = isOwn ? posix.relative(cwd, named) : "";
      const path = /^\.\.?\//.test(address.path) ? posix.join(inside, address.path) : address.path;
      return source.bind({ repository, ref: address.ref, path });
    },
  };
}

async function openS3(places: readonly string[]): Promise<{ source: Source; bind: Bind }> {
  const { createS3Source } = await import("@cm/sources-s3");
  const source = createS3Source({ endpoints: places.filter((place) => place !== "aws") });
  const [first] = places;
  const usual = first === "aws" ? undefined : first;
  return {
    source,
    async bind(address) {
      if (address.kind !== "s3") return undefined;
      const { bucket, key, endpoint = usual } = address;
      return source.bind({ bucket, key, ...defined({ endpoint }) });
    },
  };
}

function touchedAs(address: SourceAddress): FileTouch["as"] {
  if (address.kind === "git") return "read";
  return ({ read: "read", edit: "edited", list: "discovered" } as const)[address.does];
}

async function orUsage<T>(option: string, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    throw new CmError("replay/usage", `${option}: ${error instanceof Error ? error.message : "it cannot be opened."}`);
  }
}
