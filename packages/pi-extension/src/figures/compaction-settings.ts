import { readFileSync, statSync } from "node:fs";
import * as z from "zod/mini";
import { figureLimits } from "./limits.ts";

/** When a Pi without us compacts, and what it keeps. */
export interface CompactionSettings {
  readonly enabled: boolean;
  readonly reserveTokens: number;
  readonly keepRecentTokens: number;
}

const tokens = z.catch(z.optional(z.int().check(z.gte(0))), undefined);
const fields = z.object({ reserveTokens: tokens, keepRecentTokens: tokens });
const shape = z.object({
  compaction: z.catch(
    z.optional(
      z.extend(fields, {
        enabled: z.catch(z.optional(z.boolean()), undefined),
        modelOverrides: z.catch(z.optional(z.record(z.string(), z.catch(fields, {}))), undefined),
      }),
    ),
    undefined,
  ),
});
type Written = NonNullable<z.infer<typeof shape>["compaction"]>;

/**
 * What Pi's settings files say of compaction; those of the project stand behind those of the user. What cannot be read
 * is as Pi has it by default. @returns for a model by its name, `provider/id`
 */
export function compactionSettings(files: readonly string[]): (model: string) => CompactionSettings {
  const written = files.map(readWritten);
  const newest = <T>(of: (each: Written) => T | undefined): T | undefined =>
    written.map(of).findLast((value) => value !== undefined);
  return (model) => {
    const number = (field: "reserveTokens" | "keepRecentTokens"): number =>
      newest(({ modelOverrides }) => modelOverrides?.[model]?.[field]) ??
      newest((each) => each[field]) ??
      figureLimits[field];
    return {
      enabled: newest(({ enabled }) => enabled) ?? true,
      reserveTokens: number("reserveTokens"),
      keepRecentTokens: number("keepRecentTokens"),
    };
  };
}

function readWritten(path: string): Written {
  try {
    if (statSync(path).size > figureLimits.settingsBytesMax) return {};
    return shape.parse(JSON.parse(readFileSync(path, "utf8"))).compaction ?? {};
  } catch {
    return {};
  }
}
