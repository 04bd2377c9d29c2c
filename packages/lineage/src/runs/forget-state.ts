import type { LineageContext } from "../context.ts";

/** Nothing is stored for a run that failed; that it could not be taken away changes nothing for readers. */
export async function forgetState({ states }: Pick<LineageContext, "states">, id: string): Promise<void> {
  await states?.deleteRun(id).catch(() => {});
}
