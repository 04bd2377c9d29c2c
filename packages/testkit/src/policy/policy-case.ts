// The form that a policy fills in. A test of a policy needs a `PolicyFactory` and nothing else.
import type { ContextPolicy, Renderer } from "@cm/context-log";
import { runCase } from "../case/run-case.ts";
import type { ConformanceCase } from "../suite.ts";
import { admitPolicy } from "./policy-calls.ts";

/**
 * Features that a policy may lack; a policy with the feature must do it right.
 *
 * - `cost`: never dearer than the plain log by more than 2 % and four calls' carrying (SSOT 4.4 (6)).
 * - `dismissal`: what the agent dismissed is gone once everything is written anew anyway (SSOT 4.4 (7)).
 * - `folds`: it folds at a price, too, and then takes what the agent dismissed (SSOT 4.4 (7)).
 * - `requests`: what the agent asks for stands in the next prompt.
 * - `window`: the messages weigh at most `view.window.bytesMax` (SSOT 4.4 (10)).
 */
export type PolicyPromise = "cost" | "dismissal" | "folds" | "requests" | "window";

/** A policy with the renderer that it was made for. Both are pure: one pair may serve all cases. */
export interface PolicySubject {
  readonly policy: ContextPolicy;
  readonly renderer: Renderer;
  readonly promises: readonly PolicyPromise[];
}

export type PolicyFactory = () => PolicySubject;
export type PolicyCase = ConformanceCase<PolicyFactory>;

/** A case without the opening of its subject. */
export interface PolicyLaw {
  readonly id: string;
  readonly clause: string;
  readonly title: string;
  /** The law says nothing to a policy without this promise, or without the residency `rendered`. */
  readonly asks?: PolicyPromise | "rendered";
  holds(subject: PolicySubject): Promise<void>;
}

export function policyCase({ id, clause, title, asks, holds }: PolicyLaw): PolicyCase {
  return {
    id,
    clause,
    title,
    run: (open, options) =>
      runCase(
        {
          id,
          open: async () => open(),
          admit: admitPolicy,
          async holds(subject) {
            const isAsked =
              asks === undefined ||
              (asks === "rendered" ? subject.renderer.residency === "rendered" : subject.promises.includes(asks));
            if (isAsked) await holds(subject);
          },
          close: async () => undefined,
        },
        options,
      ),
  };
}
