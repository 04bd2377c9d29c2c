import { sha256 } from "@cm/object-model";
import { networkSource } from "./network-source.ts";

/** SSOT 5.4: SHA-256 of the machine id, without the white space around it. */
export function hostFilesystemId(machineId: string): string {
  return sha256(machineId.trim());
}

/** SSOT 5.4: SHA-256 of the container's id, or of its machine id where the id is not known. */
export function containerFilesystemId(containerOrMachineId: string): string {
  return sha256(containerOrMachineId.trim());
}

/**
 * From server and export, so that all machines that mount it agree. Paths are those below the export.
 * Weakness: two names of one server are two; a mount of a folder of an export is another one than the export.
 */
export function networkFilesystemId(type: string, source: string): string {
  return derived("network", networkSource(type, source));
}

/**
 * Of a memory file system, which ends with its container or, outside one, with the boot. The device number tells those
 * of one boot apart, in every mount namespace alike.
 */
export function tmpfsFilesystemId(
  owner: { readonly containerFilesystemId: string } | { readonly bootId: string; readonly device: string },
): string {
  if ("containerFilesystemId" in owner) return owner.containerFilesystemId;
  return derived("tmpfs", [owner.bootId.trim(), owner.device]);
}

/** The parts of a device id. */
export interface DeviceFacts {
  /** The file system id of the host or container that has it mounted: device numbers mean nothing elsewhere. */
  readonly owner: string;
  readonly type?: string;
  /** The source device, or the upper folder of an overlay. */
  readonly source?: string;
  /** `major:minor`, or `st_dev`. */
  readonly device?: string;
}

/**
 * The fallback where nothing better is known. Weakness: names and numbers of disks may change with the hardware, and
 * numbers with major 0 are dealt out at each boot. What was bound before is then unreachable, and new reads make new
 * objects. Two containers that mount one folder of the host have two ids of it.
 */
export function deviceFilesystemId({ owner, type = "", source = "", device = "" }: DeviceFacts): string {
  return derived("device", [owner, type, source, device]);
}

/** Without a machine id: facts that every process on the machine reads equally. */
export function factsFilesystemId(facts: readonly string[]): string {
  return derived("host-facts", facts);
}

/** JSON keeps the parts apart, and the kind keeps these ids apart from those of SSOT 5.4. */
function derived(kind: string, parts: readonly string[]): string {
  return sha256(JSON.stringify([kind, ...parts]));
}
