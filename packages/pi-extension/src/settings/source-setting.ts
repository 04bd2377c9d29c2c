import { defined } from "@cm/object-model";
import * as z from "zod/mini";
import { settingLimits as limits } from "./setting-limits.ts";

const text = z.string().check(
  z.minLength(1),
  z.maxLength(limits.textCharsMax),
  z.refine((value) => !value.includes("\0") && value.isWellFormed()),
);
const words = z.array(text).check(z.minLength(1), z.maxLength(limits.commandWordsMax));

/** One more place that files come from, as the settings file has it. */
export const sourceSetting = z.union([
  z.strictObject({ git: z.union([text, z.strictObject({ folder: text, remote: z.optional(text) })]) }),
  z.strictObject({
    s3: z.strictObject({
      /** An origin such as `https://minio.example:9000`; without it AWS. */
      endpoint: z.optional(text),
      region: z.optional(text),
      forcePathStyle: z.optional(z.boolean()),
      allowClearText: z.optional(z.boolean()),
    }),
  }),
  z.strictObject({
    container: z.union([
      text,
      z.strictObject({
        /** The engine's id or name. */
        id: text,
        /** What runs the words after it in the container. Default: `docker exec ID`. */
        command: z.optional(words),
        /** The only folders that are looked into. */
        roots: z.optional(words),
        /** Where the agent's relative paths count from in it. */
        cwd: z.optional(text.check(z.startsWith("/"))),
      }),
    ]),
  }),
]);

export interface GitSetting {
  /** Absolute. */
  readonly folder: string;
  readonly remote?: string;
}

export interface S3Setting {
  readonly endpoint?: string;
  readonly region?: string;
  readonly forcePathStyle?: boolean;
  readonly allowClearText?: boolean;
}

export interface ContainerSetting {
  readonly id: string;
  readonly command?: readonly string[];
  readonly roots?: readonly string[];
  readonly cwd?: string;
}

/** What files may come from beside this machine, by kind. */
export interface SourceSettings {
  readonly git: readonly GitSetting[];
  readonly s3: readonly S3Setting[];
  /** The first is the one that the agent's tools work in, where they work in one. */
  readonly containers: readonly ContainerSetting[];
}

type Written = z.infer<typeof sourceSetting>;

/** @param whole makes a folder absolute */
export function sourcesOf(written: readonly Written[], whole: (folder: string) => string): SourceSettings {
  return {
    git: written.flatMap((one) => {
      if (!("git" in one)) return [];
      const { folder, ...more } = typeof one.git === "string" ? { folder: one.git } : one.git;
      return [{ folder: whole(folder), ...defined(more) }];
    }),
    s3: written.flatMap((one) => ("s3" in one ? [defined(one.s3)] : [])),
    containers: written.flatMap((one) => {
      if (!("container" in one)) return [];
      const { id, ...more } = typeof one.container === "string" ? { id: one.container } : one.container;
      return [{ id, ...defined(more) }];
    }),
  };
}
