import { posix } from "node:path";
import { CmError, sha256 } from "@cm/object-model";
import { limits } from "../limits.ts";

/** A container that may be looked into. */
export interface RegisteredContainer {
  /**
   * The engine's whole id of the container, which its files' file system id is made of (SSOT 5.4). A name does where it
   * always means the same container; then a client that knows the id has other objects for the same files.
   */
  readonly id: string;
  /** The file system id, if known. Default: the SHA-256 of `id`. */
  readonly filesystemId?: string;
  /** Runs the words that follow it in the container, such as `["podman", "exec", "web"]`. Default: `["docker", "exec", id]`. */
  readonly command?: readonly string[];
  /** The only folders that are looked into, absolute and normal. Default: all but the kernel's. */
  readonly roots?: readonly string[];
  /** The agent's tools work in it: its files are shown by their paths alone. Default false: `ID:PATH`. */
  readonly isAgents?: boolean;
}

export type CheckedContainer = Required<RegisteredContainer>;

/**
 * By their file system ids.
 * @throws CmError `source/invalid-options`
 */
export function checkedContainers(given: readonly RegisteredContainer[]): ReadonlyMap<string, CheckedContainer> {
  const containers = given.slice(0, limits.containersMax + 1).map((one): CheckedContainer => {
    const { id, command = ["docker", "exec", id], roots = ["/"], isAgents = false } = one;
    return { id, filesystemId: one.filesystemId ?? sha256(`${id}`.trim()), command, roots, isAgents };
  });
  const wrong = new Set(containers.flatMap(wrongFields));
  const byId = new Map(containers.map((one) => [one.filesystemId, one]));
  if (containers.length > limits.containersMax || byId.size < containers.length) wrong.add("containers");
  if (containers.filter(({ isAgents }) => isAgents).length > 1) wrong.add("isAgents");
  if (wrong.size === 0) return byId;
  const fields = [...wrong];
  const message = `The options of the container source are wrong in: ${fields.join(", ")}.`;
  throw new CmError("source/invalid-options", message, { fields, containersMax: limits.containersMax });
}

function wrongFields({ id, filesystemId, command, roots }: CheckedContainer): readonly string[] {
  return [
    ...(typeof id === "string" && isId(id) ? [] : ["id"]),
    ...(filesystemId.length >= 1 && filesystemId.length <= limits.idCharsMax ? [] : ["filesystemId"]),
    ...(isCommand(command) ? [] : ["command"]),
    ...(roots.length >= 1 && roots.length <= limits.rootsMax && roots.every(isRoot) ? [] : ["roots"]),
  ];
}

/** No leading hyphen: an engine would take it for an option. */
const isId = (id: string): boolean => id.length <= limits.idCharsMax && /^[A-Za-z0-9][\w.@/-]*$/.test(id);

const isCommand = (command: readonly string[]): boolean =>
  command.length >= 1 &&
  command.length <= limits.commandWordsMax &&
  command[0] !== "" &&
  command.every((word) => typeof word === "string" && !word.includes("\0"));

const isRoot = (root: string): boolean =>
  root.startsWith("/") &&
  posix.normalize(root) === root &&
  (root === "/" || !root.endsWith("/")) &&
  !/\p{Cc}/u.test(root) &&
  Buffer.byteLength(root) <= limits.pathBytesMax;
