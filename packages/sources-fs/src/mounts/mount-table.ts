import { parseMountMappings } from "./mount-mapping.ts";
import { type MountTable, type MountTableOptions, tableOfParsed } from "./parsed-mount-table.ts";

/**
 * One table for both directions (SSOT 5.3). The longest prefix on whole components wins; without a match the path stays
 * and is in `defaultFilesystemId`.
 *
 * @throws CmError `source/invalid-mapping`
 */
export function mountTable({ mappings, defaultFilesystemId }: MountTableOptions): MountTable {
  return tableOfParsed({ mappings: parseMountMappings(mappings), defaultFilesystemId });
}
