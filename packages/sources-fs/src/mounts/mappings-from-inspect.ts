import { CmError } from "@cm/object-model";
import * as z from "zod/mini";
import { limits } from "../limits.ts";
import { containerFilesystemId, tmpfsFilesystemId } from "./filesystem-ids.ts";
import type { MountMapping } from "./mount-mapping.ts";
import { mountTable } from "./mount-table.ts";
import { isAbsolutePath, normalPath } from "./normal-path.ts";
import type { Place } from "./parsed-mount-table.ts";

const text = z.string().check(z.maxLength(limits.factCharsMax));
const list = <T extends z.core.SomeType>(item: T) =>
  z.nullish(z.array(item).check(z.maxLength(limits.inspectMountsMax)));

/** The parts that are used of what `docker inspect` and `podman container inspect` print. */
const container = z.object({
  Id: text.check(z.regex(/^[0-9a-f]{12,64}$/)),
  Mounts: list(
    z.object({
      Type: z._default(text, "bind"),
      Source: z._default(text, ""),
      Destination: text,
      Name: z.optional(text),
    }),
  ),
  HostConfig: z.nullish(z.object({ Binds: list(text), Tmpfs: z.nullish(z.record(text, z.unknown())) })),
  GraphDriver: z.nullish(z.object({ Data: z.nullish(z.object({ MergedDir: z.optional(text) })) })),
});

/** The command prints a list; the daemon's own answer is the object alone. */
const inspected = z.union([
  container,
  z.pipe(
    z.tuple([container]),
    z.transform(([only]) => only),
  ),
]);

export interface InspectOptions {
  /**
   * The machine that the container's engine runs on (SSOT 5.4), usually this client's environment. Its mappings tell
   * where a folder of the host is canonically, such as one on a network mount.
   */
  readonly host: { readonly filesystemId: string; readonly mappings?: readonly MountMapping[] };
}

export interface InspectedSandbox {
  /** The container's own id: the default of its mount table. */
  readonly filesystemId: string;
  readonly mappings: readonly MountMapping[];
  /** The host's folder with the container's root, where the storage driver has one: for a relocation. */
  readonly rootFolder?: string;
}

/**
 * A sandbox from container-inspect JSON: bind mounts and volumes are folders of the host, memory file systems are of
 * the container, pipes and sockets of Windows are left out.
 *
 * @throws CmError `source/invalid-inspect` naming the fields that are wrong, never their values
 */
export function mappingsFromInspect(inspect: unknown, { host }: InspectOptions): InspectedSandbox {
  const result = inspected.safeParse(inspect);
  if (!result.success) throw invalid(result.error);
  const { Id, Mounts, HostConfig, GraphDriver } = result.data;
  const filesystemId = containerFilesystemId(Id);
  const { toCanonical } = mountTable({ mappings: host.mappings ?? [], defaultFilesystemId: host.filesystemId });
  const onHost = (source: string): Place => toCanonical(hostPathOf(source));
  const mappings = new Map<string, MountMapping>();
  const add = (destination: string, place: Place): void => {
    if (!isAbsolutePath(destination)) return;
    const agentPrefix = normalPath(destination);
    if (mappings.has(agentPrefix)) return;
    const { filesystemId, path } = place;
    mappings.set(agentPrefix, { agentPrefix, canonicalPrefix: normalPath(path), filesystemId });
  };
  const own = (path: string): Place => ({
    filesystemId: tmpfsFilesystemId({ containerFilesystemId: filesystemId }),
    path,
  });
  for (const { Type, Source, Destination } of Mounts ?? []) {
    if (Type === "tmpfs") add(Destination, own(Destination));
    else if (Type !== "npipe" && isAbsolutePath(Source)) add(Destination, onHost(Source));
  }
  // The mounts that a stopped or very old container lists only here.
  for (const bind of HostConfig?.Binds ?? []) {
    const [source, destination] = partsOfBind(bind);
    if (source !== undefined && destination !== undefined) add(destination, onHost(source));
  }
  for (const folder of Object.keys(HostConfig?.Tmpfs ?? {})) add(folder, own(folder));
  const merged = GraphDriver?.Data?.MergedDir;
  const rootFolder = merged !== undefined && isAbsolutePath(merged) ? { rootFolder: normalPath(merged) } : {};
  return { filesystemId, mappings: [...mappings.values()], ...rootFolder };
}

/** `/home/ada/project:/workspace:ro`, `C:\work:/workspace`. A named volume has no path here and is left out. */
function partsOfBind(bind: string): readonly [string | undefined, string | undefined] {
  const parts = /^((?:[A-Za-z]:[\\/])?[^:]*):([^:]+)(?::[^:]*)?$/.exec(bind);
  const source = parts?.[1];
  return source !== undefined && isAbsolutePath(source) ? [source, parts?.[2]] : [undefined, undefined];
}

/** Engines in a virtual machine of the desktop name the desktop's folders by a path of that machine. */
function hostPathOf(source: string): string {
  const desktop = /^\/(?:run\/desktop\/mnt\/host|host_mnt)\/(?:([a-z])(?=\/|$))?(.*)$/.exec(source);
  if (desktop === null) return source;
  const [, drive, rest = ""] = desktop;
  return drive === undefined ? `/${rest}` : `${drive.toUpperCase()}:/${rest.replace(/^\//, "")}`;
}

function invalid(error: z.core.$ZodError): CmError {
  const paths = error.issues.flatMap((issue) =>
    issue.code === "invalid_union" ? issue.errors.flat().map(({ path }) => path) : [issue.path],
  );
  const fields = [...new Set(paths.map((path) => path.join(".") || "(the document)"))].slice(0, 20);
  return new CmError(
    "source/invalid-inspect",
    `The container-inspect document is wrong in: ${fields.join(", ")}. Give one container.`,
    { fields },
  );
}
