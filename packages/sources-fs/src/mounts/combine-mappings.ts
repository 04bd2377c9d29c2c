import { type MountMapping, parseMountMappings } from "./mount-mapping.ts";

/** The origins of mappings, the most trusted first. */
export interface MappingOrigins {
  readonly configuration?: readonly MountMapping[];
  readonly inspect?: readonly MountMapping[];
  readonly mountinfo?: readonly MountMapping[];
  readonly devices?: readonly MountMapping[];
}

/**
 * One list of mappings: for one `agentPrefix`, configuration beats container-inspect beats mountinfo beats device
 * numbers. Different prefixes live side by side, so that a detected mount below a configured one stays.
 *
 * @throws CmError `source/invalid-mapping`
 */
export function combineMappings(origins: MappingOrigins): readonly MountMapping[] {
  const byPrefix = new Map<string, MountMapping>();
  for (const origin of [origins.configuration, origins.inspect, origins.mountinfo, origins.devices]) {
    for (const mapping of parseMountMappings(origin ?? [])) {
      if (!byPrefix.has(mapping.agentPrefix)) byPrefix.set(mapping.agentPrefix, mapping);
    }
  }
  return [...byPrefix.values()];
}
