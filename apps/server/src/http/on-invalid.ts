import type { Context } from "hono";
import type { Problem } from "./problems.ts";

interface Checked {
  readonly success: boolean;
  readonly error?: unknown;
  readonly target?: string;
}

/** What a schema refuses: the places and what is wrong there, without what was sent. */
export function onInvalid(result: Checked, c: Context) {
  if (result.success) return undefined;
  const { issues = [] } = result.error as {
    readonly issues?: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
  };
  const what = issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.map(String).join(".").slice(0, 200) || "the body"}: ${message.slice(0, 300)}`);
  const body: Problem = { error: "invalid_request", message: `The request is wrong: ${what.join("; ")}.` };
  return c.json(body, 422);
}
