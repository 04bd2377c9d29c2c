import { CmError } from "@cm/object-model";
import * as z from "zod/mini";
import { limits } from "../limits.ts";
import { isAbsolutePath, normalPath } from "./normal-path.ts";

/** SSOT 5.3: paths below `agentPrefix` are those below `canonicalPrefix` in the file system `filesystemId`. */
export interface MountMapping {
  /** Absolute, as the agent writes it. */
  readonly agentPrefix: string;
  /** Absolute, as the file system itself names it. */
  readonly canonicalPrefix: string;
  readonly filesystemId: string;
}

const prefix = z.pipe(
  z.string().check(
    z.maxLength(limits.prefixCharsMax),
    z.refine((path) => isAbsolutePath(path) && !path.includes("\0"), "must be an absolute path without NUL"),
  ),
  z.transform(normalPath),
);

const mapping = z.strictObject({
  agentPrefix: prefix,
  canonicalPrefix: prefix,
  filesystemId: z.string().check(z.minLength(1), z.maxLength(limits.filesystemIdCharsMax)),
});

const mappings = z.array(mapping).check(z.maxLength(limits.mappingsMax));

/**
 * Mappings from a configuration or any other outside place, with normal prefixes. One that is there twice counts once.
 *
 * @throws CmError `source/invalid-mapping` naming the fields that are wrong, never their values; also where one
 *   `agentPrefix` leads to two places
 */
export function parseMountMappings(value: unknown): readonly MountMapping[] {
  const result = mappings.safeParse(value);
  if (!result.success) {
    const fields = [...new Set(result.error.issues.map(fieldOf))].slice(0, 20);
    throw new CmError("source/invalid-mapping", `The mount mappings are wrong in: ${fields.join(", ")}.`, { fields });
  }
  const byPrefix = new Map<string, MountMapping>();
  for (const [place, one] of result.data.entries()) {
    const other = byPrefix.get(one.agentPrefix);
    if (other === undefined) byPrefix.set(one.agentPrefix, one);
    else if (other.canonicalPrefix !== one.canonicalPrefix || other.filesystemId !== one.filesystemId) {
      const fields = [`${place}.agentPrefix`];
      throw new CmError("source/invalid-mapping", `${fields[0]}: another mapping has the same prefix. Keep one.`, {
        fields,
      });
    }
  }
  return [...byPrefix.values()];
}

function fieldOf({ path, code, ...issue }: z.core.$ZodIssue): string {
  const at = path.join(".");
  const unknown = code === "unrecognized_keys" && "keys" in issue ? `unknown ${issue.keys.length} field(s)` : "";
  return [at, unknown].filter((part) => part !== "").join(": ") || "(the list)";
}
