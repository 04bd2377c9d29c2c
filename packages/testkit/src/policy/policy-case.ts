import { runCase } from "../case/run-case.ts";
import type { ConformanceCase } from "../suite.ts";
import { admitPolicy } from "./policy-calls.ts";
import type { PolicyPromise, PolicySubject } from "./policy-subject.ts";

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
