import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import type { Layout } from "@cm/context-log";
import { CmError } from "@cm/object-model";
import { fixedPolicy, namedPolicies, type PolicyEntry, type PolicyName } from "@cm/replay";
import { limits } from "../limits.ts";
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
  return {
    name,
    policy: fixedPolicy(layout, `The policy ${layout.policy.name} of ${name}; it keeps the laws of policies.`),
  };
}

async function ownLayout(file: string): Promise<Layout> {
  const module: { readonly default?: Partial<Layout> } = await importWithOurs(fromCaller(file)).catch(
    (cause: unknown) => {
      throw refused(`${file} cannot be loaded${cause instanceof Error ? ` (${cause.message})` : ""}.`, cause);
    },
  );
  const { policy, renderer } = module.default ?? {};
  const layout = "layout as its default: { policy, renderer }, as `layouts` of @cm/render are";
  if (policy?.contract !== "policy/1") throw refused(`${file} exports no ${layout}: no policy of contract policy/1.`);
  if (renderer?.contract !== "renderer/1")
    throw refused(
      `${file} exports no ${layout}: no renderer of contract renderer/1, such as \`layouts.log.renderer\`.`,
    );
  return { policy, renderer };
}

/** A file may lie anywhere: packages of ours that are not installed where it lies are the ones of this program. */
async function importWithOurs(path: string): Promise<{ readonly default?: Partial<Layout> }> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (!specifier.startsWith("@cm/")) throw error;
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
  try {
    return await import(pathToFileURL(path).href);
  } finally {
    hooks.deregister();
  }
}

/** No promise is taken for granted: only what each policy must do is asked for. */
async function mustHold(file: string, layout: Layout): Promise<void> {
  // Loaded where it is needed: every other command begins sooner without it.
  const { policySuite } = await import("@cm/testkit");
  for (const { id, title, run } of policySuite.cases) {
    await run(() => ({ ...layout, promises: [] })).catch((cause: unknown) => {
      const broken = `The policy of ${file} breaks law ${id} of policies: ${title} Nothing was replayed.`;
      throw refused(`${broken}\n${whatDiffers(cause)}`, cause);
    });
  }
}

/** What the law itself found, without what its runner says of seeds and calls. */
function whatDiffers(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return error.cause === undefined ? error.message.slice(0, limits.lawTextCharsMax) : whatDiffers(error.cause);
}

function refused(message: string, cause?: unknown): CmError<"replay/policy"> {
  return new CmError("replay/policy", message, {}, { cause });
}
