import * as z from "zod/mini";
import { failure, fieldsOf } from "../errors.ts";
import { limits } from "../limits.ts";
import { domainRule } from "./domain-rule.ts";
import { pathSegments } from "./path-segments.ts";
import { programName } from "./program-name.ts";

const name = z.string().check(z.minLength(1), z.maxLength(limits.nameCharsMax));
const count = z.int().check(z.gte(0));

/** `*` and `?` would look like patterns, and be none. */
const path = z.string().check(
  z.maxLength(limits.pathCharsMax),
  z.refine((text) => pathSegments(text) !== undefined && !/[*?]/.test(text), "an absolute path, and no pattern"),
);

/** A program's name alone: what it is told stands in its arguments, in whatever order. */
const command = name.check(z.regex(programName, "the name of a program, without path and arguments"));

const domain = name.check(z.refine((text) => domainRule(text) !== undefined, "a domain or an address, and no pattern"));

const list = <Rule extends z.ZodMiniType>(rule: Rule) =>
  z.optional(z.readonly(z.array(rule).check(z.maxLength(limits.rulesPerListMax))));

/** What one capability grants. A list that is absent is no limit; an empty list of what is allowed allows nothing. */
export const capabilityGrant = z.strictObject({
  /** `File.Read`, `Shell.Exec`, `Network.Http` and the like. */
  name,
  allowedPaths: list(path),
  blockedPaths: list(path),
  allowedCommands: list(command),
  blockedCommands: list(command),
  allowedDomains: list(domain),
  blockedDomains: list(domain),
  allowedTools: list(name),
  blockedTools: list(name),
  maxFileSizeBytes: z.optional(count),
  maxOutputBytes: z.optional(count),
  requiresApproval: z.optional(z.boolean()),
  approvalRuleId: z.optional(name),
});
export type CapabilityGrant = Readonly<z.infer<typeof capabilityGrant>>;

export const approvalRule = z.strictObject({
  approvalRuleId: name,
  title: z.string().check(z.maxLength(limits.descriptionCharsMax)),
  description: z.optional(z.string().check(z.maxLength(limits.descriptionCharsMax))),
});
export type ApprovalRule = Readonly<z.infer<typeof approvalRule>>;

/** What the session may ask of models. Its presence grants `LLM.Call`. */
export const llmPolicy = z.strictObject({
  allowedModels: list(name),
  maxInputTokens: z.optional(count),
  maxOutputTokens: z.optional(count),
  maxSessionTokens: z.optional(count),
});
export type LlmPolicy = Readonly<z.infer<typeof llmPolicy>>;

export const schemaVersions = ["1.0"] as const;

/** A policy bundle: what one session may do, and until when. */
export const policyBundle = z
  .strictObject({
    policyBundleVersion: name,
    schemaVersion: z.enum(schemaVersions),
    tenantId: name,
    userId: name,
    sessionId: name,
    expiresAt: z.iso.datetime({ offset: true }),
    capabilities: z.readonly(z.array(capabilityGrant).check(z.maxLength(limits.capabilitiesMax))),
    llmPolicy: z.optional(llmPolicy),
    approvalRules: z.optional(z.readonly(z.array(approvalRule).check(z.maxLength(limits.approvalRulesMax)))),
  })
  .check(
    z.refine(({ capabilities }) => isDistinct(capabilities.map((grant) => grant.name)), {
      path: ["capabilities"],
      error: "each capability once",
    }),
    z.refine(({ approvalRules = [] }) => isDistinct(approvalRules.map((rule) => rule.approvalRuleId)), {
      path: ["approvalRules"],
      error: "each rule once",
    }),
    z.refine(
      ({ capabilities, approvalRules = [] }) => {
        const known = new Set(approvalRules.map((rule) => rule.approvalRuleId));
        return capabilities.every(({ approvalRuleId: id }) => id === undefined || known.has(id));
      },
      { path: ["approvalRules"], error: "every rule that a capability names" },
    ),
  );
export type PolicyBundle = Readonly<z.infer<typeof policyBundle>>;

/**
 * Reads a bundle from outside.
 * @throws CmError `governance/invalid-bundle` naming the fields that are wrong
 */
export function parseBundle(value: unknown): PolicyBundle {
  const result = z.safeParse(policyBundle, value);
  if (result.success) return result.data;
  const fields = fieldsOf(result.error.issues);
  throw failure("governance/invalid-bundle", `The policy bundle is wrong in: ${fields.join(", ")}; ask for another.`, {
    fields,
  });
}

const isDistinct = (names: readonly string[]): boolean => new Set(names).size === names.length;
