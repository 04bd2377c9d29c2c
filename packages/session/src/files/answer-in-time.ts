import { withDeadline } from "@cm/object-model";

/** What somebody else's promise gives within the time; undefined where it fails or takes longer. Nobody waits for it then. */
export async function answerInTime<T>(asked: () => Promise<T>, ms: number): Promise<T | undefined> {
  try {
    return await withDeadline(asked(), ms, () => undefined);
  } catch {
    return undefined;
  }
}
