import * as z from "zod/mini";
import { settingLimits as limits } from "./setting-limits.ts";
import { sourceSetting } from "./source-setting.ts";

const text = z.string().check(
  z.minLength(1),
  z.maxLength(limits.textCharsMax),
  z.refine((value) => !value.includes("\0") && value.isWellFormed()),
);

const texts = (max: number) => z.array(text).check(z.maxLength(max));

const mount = z.union([
  text,
  z.strictObject({
    agent: text,
    canonical: text,
    filesystemId: z.optional(z.string().check(z.maxLength(limits.filesystemIdCharsMax))),
  }),
]);

const preset = z.optional(z.enum(["careful", "default", "lean"]));
const notices = z.optional(z.enum(["off", "short", "long"]));
const protect = z.optional(
  z.strictObject({
    tools: z.optional(texts(limits.protectMax)),
    paths: z.optional(texts(limits.protectMax)),
    prompts: z.optional(z.int().check(z.gte(0), z.lte(limits.promptsMax))),
  }),
);

/** What may differ from one model to the next. */
const ofModel = z.strictObject({ preset, protect, notices });
const models = z.optional(
  z.record(text, ofModel).check(z.refine((sections) => Object.keys(sections).length <= limits.modelsMax)),
);

/** For editors, which complete by it. It says nothing to us. */
const $schema = z.optional(z.string());

/** A project's file: nothing in it says where data goes or which files are opened. */
export const projectSchema = z.strictObject({
  $schema,
  off: z.optional(z.boolean()),
  preset,
  protect,
  notices,
  ignore: z.optional(texts(limits.ignoreMax)),
  models,
});

/** The user's file. A store is a path or a URL, or the nodes of an XTDB. */
export const userSchema = z.strictObject({
  ...projectSchema.shape,
  layout: z.optional(z.enum(["log", "ssot"])),
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
  mounts: z.optional(z.array(mount).check(z.maxLength(limits.mountsMax))),
  roots: z.optional(texts(limits.rootsMax)),
  openSecretFiles: z.optional(texts(limits.ignoreMax)),
  sources: z.optional(z.array(sourceSetting).check(z.maxLength(limits.sourcesMax))),
  discover: z.optional(z.union([z.enum(["none", "all"]), texts(limits.discoverMax)])),
});

export type SettingsFile = z.infer<typeof userSchema>;
export type ModelSection = z.infer<typeof ofModel>;

/** Known names by the place that they stand in, as `placeOf` of a mistake calls it. */
export const knownNames: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(userSchema.shape),
  protect: ["tools", "paths", "prompts"],
  "models.*": Object.keys(ofModel.shape),
  "models.*.protect": ["tools", "paths", "prompts"],
};
