import type { ContextPolicy } from "@cm/context-log";

/** Decides nothing: the agent alone. */
export const plainPolicy: ContextPolicy = {
  contract: "policy/1",
  name: "plain",
  decide: () => ({}),
};
