import { readFileSync, statSync } from "node:fs";
import { parseBundle } from "@cm/governance";
import { isCmError } from "@cm/object-model";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { z } from "zod";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { PolicySource, TaskSetting } from "./governance-options.ts";

/** A policy file: a bundle without what each session has of its own, and what tasks may that say nothing of it. */
const policyFile = z.strictObject({
  $schema: z.string().optional(),
  policyBundleVersion: z.string().min(1).max(256),
  /** How long a session's bundle holds. */
  seconds: z.number().positive(),
  capabilities: z.array(z.unknown()),
  llmPolicy: z.unknown().optional(),
  approvalRules: z.array(z.unknown()).optional(),
  featureFlags: z.record(z.string(), z.boolean()).default({}),
  task: z
    .strictObject({
      maxSteps: z.int().min(1).max(200).optional(),
      allowNetwork: z.boolean().optional(),
      approvalMode: z.enum(["always", "on_risky_actions", "never"]).optional(),
    })
    .default({}),
});

export interface PolicyOfFile extends PolicySource {
  readonly taskDefaults: Partial<TaskSetting>;
}

/**
 * The policy of a file: JSON, with comments. It is read again for each session that begins or is resumed, so that a change
 * counts from then on; what sessions have holds until it runs out.
 * @throws CmError `server/policy` where it is wrong now
 */
export function readPolicy(path: string, now: () => number = Date.now): PolicyOfFile {
  const session = { sessionId: "example", tenantId: "example", userId: "example" };
  const bundleOf = (file: z.infer<typeof policyFile>, ids: typeof session) => {
    const { seconds, task: _task, $schema: _schema, featureFlags: _flags, ...bundle } = file;
    const expiresAt = new Date(now() + seconds * 1_000).toISOString();
    return { ...bundle, ...ids, expiresAt, schemaVersion: "1.0" };
  };
  const first = parseFile(path);
  try {
    parseBundle(bundleOf(first, session));
  } catch (error) {
    if (isCmError(error)) throw faulty(path, `is wrong: ${error.message}`);
    throw error;
  }
  return {
    taskDefaults: first.task as Partial<TaskSetting>,
    flagsFor: () => parseFile(path).featureFlags,
    bundleFor: ({ sessionId, tenantId, userId }) => bundleOf(parseFile(path), { sessionId, tenantId, userId }),
  };
}

function parseFile(path: string): z.infer<typeof policyFile> {
  let text: string;
  try {
    if (statSync(path).size > limits.policyBytesMax) throw faulty(path, `has more than ${limits.policyBytesMax} bytes`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isCmError(error)) throw error;
    throw faulty(path, "cannot be read; name a file with --policy");
  }
  const problems: ParseError[] = [];
  const value: unknown = parse(text, problems, { allowTrailingComma: true });
  const [problem] = problems;
  if (problem !== undefined) throw faulty(path, `is no JSON: ${printParseErrorCode(problem.error)}`);
  const read = policyFile.safeParse(value);
  if (read.success) return read.data;
  throw faulty(path, `is wrong in: ${read.error.issues.map((issue) => issue.path.join(".") || "the file").join(", ")}`);
}

const faulty = (path: string, what: string) => serverError("server/policy", `The policy ${path} ${what}.`, { path });
