import type { ObjectStore } from "@cm/object-model";
import { rendererFor } from "@cm/render";
import { rebuildPrompts } from "@cm/session";

/** Everything that a store tells of a session: each prompt byte for byte, its hash, and the views after each step. */
export async function told(store: ObjectStore, session: string): Promise<readonly unknown[]> {
  const prompts: unknown[] = [];
  for await (const { session: of, n, ...rebuilt } of rebuildPrompts(store, session, rendererFor)) {
    prompts.push({ of, n, ...rebuilt });
  }
  return prompts;
}

/** How many requests can be rebuilt, and how many of them as they were sent. */
export function counted(prompts: readonly unknown[]): { readonly prompts: number; readonly exact: number } {
  const exact = (prompts as { hash: string; recordedHash: string }[]).filter((one) => one.hash === one.recordedHash);
  return { prompts: prompts.length, exact: exact.length };
}
