import { canonicalJson, indexKeysOf, isCmError } from "@cm/object-model";
import { invalid, overLimit } from "../errors.ts";
import { lineageLimits } from "../limits.ts";
import type { Metadata } from "./merge-metadata.ts";

/** @throws CmError `lineage/invalid`, `lineage/limit` */
export function checkName(field: string, name: string): string {
  if (name === "") throw invalid(field, `The field ${field} is empty; name it or leave it out.`);
  if (name.length > lineageLimits.nameCharsMax) throw overLimit("nameCharsMax", name.length);
  return name;
}

/** @throws CmError `lineage/limit` */
export function checkTitle(title: string): void {
  if (title.length > lineageLimits.titleCharsMax) throw overLimit("titleCharsMax", title.length);
}

/** @throws CmError `lineage/limit`, `lineage/invalid` */
export function checkMetadata(metadata: Metadata): Metadata {
  try {
    const bytes = Buffer.byteLength(canonicalJson(metadata));
    if (bytes > lineageLimits.metadataBytesMax) throw overLimit("metadataBytesMax", bytes);
    const members = indexKeysOf({ metadata }).length;
    if (members > lineageLimits.metadataMembersMax) throw overLimit("metadataMembersMax", members);
    return metadata;
  } catch (error) {
    if (isCmError(error, "lineage/limit")) throw error;
    throw invalid("metadata", "The metadata are no JSON, or too deep; give plain data.");
  }
}
