import type { ApprovalRule, CapabilityGrant, LlmPolicy, PolicyBundle } from "../bundle/policy-bundle.ts";
import type { Action } from "./action.ts";
import { commandRules } from "./command-rules.ts";
import { domainRules } from "./domain-rules.ts";
import { pathRules, type ResolvePath } from "./path-rules.ts";
import type { DenialReason } from "./verdict.ts";

type ScopeRule = (action: Action) => DenialReason | undefined;

/** One capability, its rules ready to be asked. */
export interface CompiledGrant {
  readonly scope: readonly ScopeRule[];
  readonly requiresApproval: boolean;
  readonly rule: ApprovalRule | undefined;
}

/** A bundle that is made ready once and asked often. */
export interface CompiledBundle {
  readonly bundle: PolicyBundle;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly grants: ReadonlyMap<string, CompiledGrant>;
}

export interface CompileOptions {
  readonly resolvePath: ResolvePath;
}

/** The rules of a bundle that `parseBundle` or `admitBundle` gave. Links in its paths are followed now. */
export function compileBundle(bundle: PolicyBundle, { resolvePath }: CompileOptions): CompiledBundle {
  const approvals = new Map(bundle.approvalRules?.map((rule) => [rule.approvalRuleId, rule]));
  const grants = new Map(
    bundle.capabilities.map((grant): [string, CompiledGrant] => [
      grant.name,
      {
        scope: scopeOf(grant, resolvePath),
        requiresApproval: grant.requiresApproval === true,
        rule: grant.approvalRuleId === undefined ? undefined : approvals.get(grant.approvalRuleId),
      },
    ]),
  );
  if (bundle.llmPolicy !== undefined) {
    const { scope = [], requiresApproval = false, rule } = grants.get("LLM.Call") ?? {};
    grants.set("LLM.Call", { scope: [...scope, ...modelScope(bundle.llmPolicy)], requiresApproval, rule });
  }
  return { bundle, expiresAt: Date.parse(bundle.expiresAt), grants };
}

function scopeOf(grant: CapabilityGrant, resolvePath: ResolvePath): readonly ScopeRule[] {
  const [paths, commands, domains] = [pathRules(grant, resolvePath), commandRules(grant), domainRules(grant)];
  const { allowedTools, blockedTools } = grant;
  return [
    ...(paths === undefined ? [] : [(action: Action) => firstOf(placesOf(action), paths)]),
    ...(commands === undefined ? [] : [({ command }: Action) => commands(command)]),
    ...(domains === undefined ? [] : [({ url }: Action) => domains(url)]),
    ...names(blockedTools, ({ tool }) => tool, { isBlocked: true, reason: "tool_blocked" }),
    ...names(allowedTools, ({ tool }) => tool, { isBlocked: false, reason: "tool_not_allowed" }),
    ...atMost(grant.maxFileSizeBytes, ({ fileSizeBytes }) => fileSizeBytes, "file_too_large"),
    ...atMost(grant.maxOutputBytes, ({ outputBytes }) => outputBytes, "output_too_large"),
  ];
}

/** A command has a folder that it runs in, a file has a path; an action that says both is about both. */
const placesOf = ({ path, cwd }: Action): readonly (string | undefined)[] =>
  path === undefined ? [cwd] : cwd === undefined ? [path] : [path, cwd];

function firstOf<T>(values: readonly T[], reasonOf: (value: T) => DenialReason | undefined): DenialReason | undefined {
  for (const value of values) {
    const reason = reasonOf(value);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const modelScope = ({ allowedModels, maxInputTokens, maxOutputTokens }: LlmPolicy): readonly ScopeRule[] => [
  ...names(allowedModels, ({ model }) => model, { isBlocked: false, reason: "model_not_allowed" }),
  ...atMost(maxInputTokens, ({ inputTokens }) => inputTokens, "input_too_long"),
  ...atMost(maxOutputTokens, ({ maxOutputTokens: asked }) => asked, "output_too_long"),
];

function names(
  list: readonly string[] | undefined,
  of: (action: Action) => string | undefined,
  { isBlocked, reason }: { readonly isBlocked: boolean; readonly reason: DenialReason },
): readonly ScopeRule[] {
  if (list === undefined) return [];
  const listed = new Set(list);
  return [
    (action) => {
      const name = of(action);
      if (name === undefined) return "scope_unknown";
      return listed.has(name) === isBlocked ? reason : undefined;
    },
  ];
}

/** What is not known before (a size, a count) is no reason to deny; the caller asks again with it. */
function atMost(
  bound: number | undefined,
  of: (action: Action) => number | undefined,
  reason: DenialReason,
): readonly ScopeRule[] {
  if (bound === undefined) return [];
  return [
    (action) => {
      const value = of(action);
      return value === undefined || value <= bound ? undefined : reason;
    },
  ];
}
