export { discoverPaths, type ToolOutput } from "./discovery/discover-paths.ts";
export { containerIdFromCgroup, containerIdFromMountinfo } from "./identity/container-id.ts";
export {
  type ClientEnvironment,
  detectEnvironment,
  detectMountView,
  type EnvironmentOverrides,
} from "./identity/detect-environment.ts";
export type { SystemFacts } from "./identity/machine-id.ts";
export { discoveryLimits, fileLimits, redactLimits, ruleLimits, trackLimits } from "./limits.ts";
export { combineMappings, type MappingOrigins } from "./mounts/combine-mappings.ts";
export {
  containerFilesystemId,
  type DeviceFacts,
  deviceFilesystemId,
  hostFilesystemId,
  networkFilesystemId,
  tmpfsFilesystemId,
} from "./mounts/filesystem-ids.ts";
export { type DeviceMappingOptions, type FolderFacts, mappingsFromDevices } from "./mounts/mappings-from-devices.ts";
export { type InspectedSandbox, type InspectOptions, mappingsFromInspect } from "./mounts/mappings-from-inspect.ts";
export { mappingsFromMountinfo } from "./mounts/mappings-from-mountinfo.ts";
export { type MountMapping, parseMountMappings } from "./mounts/mount-mapping.ts";
export { mountTable } from "./mounts/mount-table.ts";
export type { MountView } from "./mounts/mount-view.ts";
export type { MountTable, MountTableOptions, Place } from "./mounts/parsed-mount-table.ts";
export type { Relocation } from "./mounts/places.ts";
export { createRedactor, type Redactor } from "./redact/redactor.ts";
export type { IgnoreOptions, IgnoreReason } from "./rules/folder-rules.ts";
export { type IgnoreRules, ignoreRules } from "./rules/ignore-rules.ts";
export { createFilesystemSource, type FilesystemSource } from "./source/create-filesystem-source.ts";
export type { FilesystemSourceOptions } from "./source/options.ts";
export { openTracker, type TrackerOptions } from "./track/open-tracker.ts";
export type { FolderEvents, FolderWatch, WatchFolder } from "./track/watch-folder.ts";
