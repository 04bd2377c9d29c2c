import { layouts } from "@cm/render";
import { z } from "zod";
import { limits } from "../limits.ts";
import { codingToolNames } from "../tools/coding-tools.ts";

const name = z
  .string()
  .regex(/^[a-zA-Z0-9][\w.-]{0,63}$/, "must be a name of letters, digits, `_`, `.` and `-`, at most 64 characters");

/** APIs of endpoints that no catalog knows. */
const endpointApis = ["anthropic-messages", "openai-completions", "openai-responses"] as const;

const known = z.strictObject({ provider: z.string().min(1), id: z.string().min(1) });

const endpoint = z.strictObject({
  provider: name.default("endpoint"),
  id: z.string().min(1),
  api: z.enum(endpointApis),
  baseUrl: z.url({ protocol: /^https?$/ }),
  /** The environment variable with the key. Absent: the endpoint asks for none. */
  apiKeyEnv: z.string().min(1).optional(),
  contextWindow: z.int().min(1_000).default(128_000),
  maxTokens: z.int().min(1).default(8_192),
  reasoning: z.boolean().default(false),
  images: z.boolean().default(false),
});

export const modelSchema = z.union([endpoint, known]);

/** A tool without a body. */
export const deferredTool = z.strictObject({
  name,
  description: z.string().min(1).max(10_000),
  parameters: z.record(z.string(), z.json()).default({ type: "object", properties: {} }),
});

const subagent = z.strictObject({ name, preset: name, description: z.string().min(1).max(1_000) });

const folders = z.array(z.string().min(1).max(limits.pathCharsMax)).max(limits.foldersMax);

const presetSchema = z.strictObject({
  description: z.string().max(1_000).optional(),
  model: modelSchema,
  /** The system prompt. */
  prompt: z.string().max(limits.inputCharsMax).default(""),
  /** Pi's tools by name; a tool with a description and parameters has no body, and its results come from outside. */
  tools: z.array(z.union([z.enum(codingToolNames), deferredTool])).default(["read", "bash", "edit", "write", "ls"]),
  /** Tools whose calls wait for an approval. */
  approve: z.array(z.string().min(1)).default([]),
  /** How the prompt is made of the session. */
  policy: z.enum(Object.keys(layouts) as [keyof typeof layouts, ...(keyof typeof layouts)[]]).default("log"),
  thinking: z.enum(["minimal", "low", "medium", "high", "xhigh"]).optional(),
  budget: z
    .strictObject({
      stepsMax: z.int().min(1).max(limits.runStepsMax).default(limits.runStepsMax),
      tokensMax: z.int().min(1).optional(),
      seconds: z
        .number()
        .positive()
        .max(limits.runMs / 1_000)
        .default(limits.runMs / 1_000),
    })
    .prefault({}),
  /** Folders of its runs where a request names none. */
  folders: folders.optional(),
  subagents: z.array(subagent).max(100).default([]),
});

export const presetsSchema = z.strictObject({
  $schema: z.string().optional(),
  /** The preset of requests that name none. */
  default: name.optional(),
  presets: z.record(name, presetSchema),
  /** Lists of folders by a name that requests use; the first is the working folder. */
  workspaces: z.record(name, folders).default({}),
});

export type Preset = z.infer<typeof presetSchema>;
export type PresetModel = z.infer<typeof modelSchema>;
export type DeferredToolSetting = z.infer<typeof deferredTool>;
