import { readFileSync, statSync } from "node:fs";
import * as z from "zod/mini";
import { settingLimits as limits } from "./setting-limits.ts";
import { sourceSetting } from "./source-setting.ts";

const text = z.string().check(
  z.minLength(1),
  z.maxLength(limits.textCharsMax),
  z.refine((value) => !value.includes("\0") && value.isWellFormed()),
);

const mount = z.union([
  text,
  z.strictObject({
    agent: text,
    canonical: text,
    filesystemId: z.optional(z.string().check(z.maxLength(limits.filesystemIdCharsMax))),
  }),
]);

const schema = z.strictObject({
  off: z.optional(z.boolean()),
  store: z.optional(
    z.union([
      text,
      z.strictObject({
        xtdb: z.union([text, z.array(text).check(z.minLength(1), z.maxLength(limits.urlsMax))]),
        token: z.optional(text),
        namespace: z.optional(text),
      }),
    ]),
  ),
  layout: z.optional(z.enum(["log", "ssot"])),
  preset: z.optional(z.enum(["careful", "default", "lean"])),
  mounts: z.optional(z.array(mount).check(z.maxLength(limits.mountsMax))),
  roots: z.optional(z.array(text).check(z.minLength(1), z.maxLength(limits.rootsMax))),
  ignore: z.optional(z.array(text).check(z.maxLength(limits.ignoreMax))),
  sources: z.optional(z.array(sourceSetting).check(z.maxLength(limits.sourcesMax))),
  discover: z.optional(z.union([z.enum(["none", "all"]), z.array(text).check(z.maxLength(limits.discoverMax))])),
});

/** The settings file as it is written. A store is a path or a URL, or the nodes of an XTDB. */
export type SettingsFile = z.infer<typeof schema>;

/**
 * The file's settings, or none with a sentence about why. A missing file is no problem. Nothing of a broken file is
 * used: half of what somebody meant may be worse than the defaults.
 */
export function readSettingsFile(path: string): { readonly file: SettingsFile; readonly problem?: string } {
  const broken = (what: string) => ({
    file: {},
    problem: `${path} ${what}; the defaults are used. Mend or delete it.`,
  });
  let written: string;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { file: {} };
    if (!found.isFile()) return broken("is no file");
    if (found.size > limits.fileBytesMax) return broken(`has more than ${limits.fileBytesMax} bytes`);
    written = readFileSync(path, "utf8");
  } catch {
    return broken("cannot be read");
  }
  let json: unknown;
  try {
    // Editors of some systems begin a file with a mark.
    json = JSON.parse(written.replace(/^\uFEFF/, ""));
  } catch {
    return broken("is not valid JSON");
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? { file: parsed.data } : broken(`is wrong in ${fieldsOf(parsed.error)}`);
}

function fieldsOf({ issues }: z.core.$ZodError): string {
  const names = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => `unknown "${shown(key)}"`)
      : [issue.path.length === 0 ? "its outermost value" : `"${shown(issue.path.join("."))}"`],
  );
  return [...new Set(names)].slice(0, limits.fieldsNamedMax).join(", ");
}

/** A key from outside on one line of a terminal. */
const shown = (name: string): string => name.slice(0, 64).replace(/[^\w .-]/g, "?");
