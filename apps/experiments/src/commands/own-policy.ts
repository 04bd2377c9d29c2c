import { pathToFileURL } from "node:url";
import type { Layout } from "@cm/context-log";
import { CmError } from "@cm/object-model";
import { fixedPolicy, namedPolicies, type PolicyEntry, type PolicyName } from "@cm/replay";
import { policySuite } from "@cm/testkit";
import { fromCaller } from "./caller-folder.ts";

/** A policy of a person's own is named by its file, as in `./mine.js`. */
export type PolicyChoice = PolicyName | `${string}.${"js" | "mjs" | "ts"}`;

export function isOwnPolicy(name: string): name is Exclude<PolicyChoice, PolicyName> {
  return /\.(?:js|mjs|ts)$/.test(name);
}

/** @throws CmError `replay/policy` for a file that has no layout, or one that breaks a law of policies */
export async function policyEntry(name: PolicyChoice): Promise<PolicyEntry> {
  if (!isOwnPolicy(name)) return { name, policy: namedPolicies[name] };
  const layout = await ownLayout(name);
  await mustHold(name, layout);
  return { name, policy: fixedPolicy(layout, `The policy ${layout.policy.name} of ${name}.`) };
}

async function ownLayout(file: string): Promise<Layout> {
  const module: { readonly default?: Partial<Layout> } = await import(pathToFileURL(fromCaller(file)).href).catch(
    (cause: unknown) => {
      throw refused(`${file} cannot be loaded${cause instanceof Error ? ` (${cause.message})` : ""}.`, cause);
    },
  );
  const { policy, renderer } = module.default ?? {};
  if (policy?.contract !== "policy/1" || renderer?.contract !== "renderer/1")
    throw refused(`${file} exports no layout as its default: { policy, renderer }, as \`layouts\` of @cm/render are.`);
  return { policy, renderer };
}

/** No promise is taken for granted: only what each policy must do is asked for. */
async function mustHold(file: string, layout: Layout): Promise<void> {
  for (const { id, title, run } of policySuite.cases) {
    await run(() => ({ ...layout, promises: [] })).catch((cause: unknown) => {
      throw refused(`The policy of ${file} breaks law ${id} of policies: ${title} Nothing was replayed.`, cause);
    });
  }
}

function refused(message: string, cause?: unknown): CmError<"replay/policy"> {
  return new CmError("replay/policy", message, {}, { cause });
}
