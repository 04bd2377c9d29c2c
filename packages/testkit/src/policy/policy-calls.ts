import type { ContextView } from "@cm/context-log";
import { mustHave } from "../case/admission.ts";
import type { LastCall, Telling } from "../case/last-call.ts";
import type { PolicySubject } from "./policy-subject.ts";

/** The same policy and renderer, whose last call is remembered. */
export function admitPolicy(subject: PolicySubject, calls: LastCall): PolicySubject {
  mustHave("pair of policy and renderer", subject, []);
  mustHave("policy", subject.policy, ["decide"]);
  mustHave("renderer", subject.renderer, ["render"]);
  mustHave("list of promises", subject.promises, ["includes"]);
  return {
    policy: calls.watch("policy", subject.policy, { decide: request }),
    renderer: calls.watch("renderer", subject.renderer, { render: request }),
    promises: subject.promises,
  };
}

const request: Telling[string] = ({ step, log }: ContextView) => `step ${step}, log length ${log.length}`;
