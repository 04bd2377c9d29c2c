import { defined, isCmError } from "@cm/object-model";
import { containerFilesystemId, factsFilesystemId, hostFilesystemId } from "../mounts/filesystem-ids.ts";
import { mappingsFromMountinfo } from "../mounts/mappings-from-mountinfo.ts";
import type { MountMapping } from "../mounts/mount-mapping.ts";
import { mappingsFromMountOutput } from "../mounts/mount-output.ts";
import type { MountView } from "../mounts/mount-view.ts";
import { containerIdFromMountinfo } from "./container-id.ts";
import { detectContainer } from "./detect-container.ts";
import { machineIdOf, type SystemFacts } from "./machine-id.ts";
import { systemFacts } from "./system-facts.ts";

/**
 * The environment of a client, and the canonical form of its paths. It derives from stable facts and is equal in two
 * processes.
 */
export interface ClientEnvironment {
  /** The file system id of `/` as this client sees it. */
  readonly filesystemId: string;
  /** The client's own mounts: `agentPrefix` is the client's path. */
  readonly mappings: readonly MountMapping[];
  /** The results of the detection with their origin, as short sentences for people. */
  readonly findings: readonly string[];
}

export interface EnvironmentOverrides extends Partial<SystemFacts> {
  /** In a container: the host's file system id, if known. Bind mounts then have it. */
  readonly hostFilesystemId?: string;
}

/** Reads the surroundings of this process, synchronously (SSOT 5.2, 5.4). Never throws: what is not known is a finding. */
export function detectEnvironment(overrides: EnvironmentOverrides = {}): ClientEnvironment {
  const facts = { ...systemFacts(), ...overrides };
  const findings: string[] = [];
  const machine = machineOf(facts, findings);
  if (facts.platform === "linux") return detectOnLinux(facts, { machine, findings, ...overrides });
  // On Windows, mounted shares count as the machine's own.
  const mappings = facts.platform === "win32" ? [] : mappingsFromMountOutput(facts.run("/sbin/mount", []) ?? "");
  if (mappings.length > 0) findings.push(`${mappings.length} network mounts have ids of server and share.`);
  return { filesystemId: machine, mappings, findings };
}

/**
 * The mounts that this process sees, for `outer` of a sandbox whose mountinfo it reads. Undefined where there are none:
 * on another system than Linux, or beyond the limits.
 */
export function detectMountView(overrides: EnvironmentOverrides = {}): MountView | undefined {
  const facts = { ...systemFacts(), ...overrides };
  if (facts.platform !== "linux") return undefined;
  try {
    return viewOnLinux(facts, { machine: machineOf(facts, []), findings: [], ...overrides });
  } catch (error) {
    if (isCmError(error)) return undefined;
    throw error;
  }
}

interface Known {
  readonly machine: string;
  readonly findings: string[];
  readonly hostFilesystemId?: string;
}

function machineOf(facts: SystemFacts, findings: string[]): string {
  const machine = machineIdOf(facts);
  if (machine !== undefined) {
    findings.push(`The machine id is from ${machine.from}.`);
    return hostFilesystemId(machine.value);
  }
  findings.push("There is no machine id; the name of the machine stands in for it. Two machines of one name are one.");
  return factsFilesystemId([facts.platform, facts.hostname]);
}

function detectOnLinux(facts: SystemFacts, known: Known): ClientEnvironment {
  const { machine, findings } = known;
  try {
    const { mountinfo, ...options } = viewOnLinux(facts, known);
    const mappings = mappingsFromMountinfo(mountinfo, options);
    findings.push(`${mappings.length} mounts have a canonical path or an id other than that of "/".`);
    const root = mappings.find(({ agentPrefix }) => agentPrefix === "/");
    return { filesystemId: root?.filesystemId ?? options.filesystemId, mappings, findings };
  } catch (error) {
    if (!isCmError(error)) throw error;
    findings.push("The list of mounts is beyond the limits; configure the mounts.");
    return { filesystemId: machine, mappings: [], findings };
  }
}

/** @throws CmError `source/limit` */
function viewOnLinux(facts: SystemFacts, { machine, findings, hostFilesystemId }: Known): MountView {
  const mountinfo = facts.readFile("/proc/self/mountinfo") ?? "";
  const bootId = facts.readFile("/proc/sys/kernel/random/boot_id")?.trim() || undefined;
  const view = { mountinfo, filesystemId: machine, ...defined({ bootId }) };
  if (mountinfo === "") findings.push("The list of mounts cannot be read; every path counts as one of this machine.");
  const container = detectContainer(facts, mountinfo);
  if (container === undefined) return hostView(facts, view, findings);
  findings.push(
    container.id === undefined
      ? "This is a container whose id is hidden; its machine id stands in for it."
      : `This is a container; its id is from ${container.from}.`,
  );
  if (hostFilesystemId === undefined) findings.push("The host's id is not known here; bind mounts get device ids.");
  const filesystemId = container.id === undefined ? machine : containerFilesystemId(container.id);
  const host = hostFilesystemId === undefined ? {} : { hostFilesystemId };
  return containerView(facts, { ...view, filesystemId, container: true, ...host }, findings);
}

/** Outside a container the first process has the host's own mounts, where it may be asked. */
function hostView(facts: SystemFacts, view: MountView, findings: string[]): MountView {
  const first = facts.readFile("/proc/1/mountinfo") ?? "";
  if (first === "" || first === view.mountinfo) {
    findings.push("This is no container, and no other list of mounts is known.");
    return view;
  }
  findings.push("This is no container; the mounts of the first process tell where folders are on the host.");
  return { ...view, outer: { ...view, mountinfo: first } };
}

/** In a container the first process may be the host's. It is the container's where both name the same container. */
function containerView(facts: SystemFacts, view: MountView, findings: string[]): MountView {
  const first = facts.readFile("/proc/1/mountinfo") ?? "";
  const id = containerIdFromMountinfo(view.mountinfo);
  if (first === view.mountinfo || id === undefined || containerIdFromMountinfo(first) !== id) return view;
  findings.push("The mounts of the container's first process tell where folders are in the container.");
  return { ...view, container: false, outer: { ...view, mountinfo: first } };
}
