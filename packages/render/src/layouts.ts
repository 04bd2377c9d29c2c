import type { Layout, Renderer } from "@cm/context-log";
import { logLayout } from "./layouts/log.ts";
import { plainLayout } from "./layouts/plain.ts";
import { ssotAliasLayout, ssotLayout } from "./layouts/ssot.ts";
import { contextLogPolicy } from "./policies/context-log/policy.ts";
import { plainPolicy } from "./policies/plain.ts";
import { ssotWindowPolicy } from "./policies/ssot-window.ts";

/** Each with the policy that was made for it. */
export const layouts: { readonly plain: Layout; readonly ssot: Layout; readonly log: Layout } = {
  plain: { policy: plainPolicy, renderer: plainLayout },
  ssot: { policy: ssotWindowPolicy(), renderer: ssotLayout },
  log: { policy: contextLogPolicy(), renderer: logLayout },
};

/** Every layout that ever wrote a prompt, by its name and version: old prompts are rebuilt with their own. */
const renderers: readonly Renderer[] = [plainLayout, ssotLayout, ssotAliasLayout, logLayout];

/** The renderer that wrote a recorded prompt; undefined for a layout that this version does not know. */
export function rendererFor(layout: string): Renderer | undefined {
  return renderers.find((renderer) => renderer.layout === layout);
}
