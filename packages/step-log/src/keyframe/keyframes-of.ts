import { everyVersion, type ObjectStore } from "@cm/object-model";

/** The numbers of a session's steps that have a keyframe. */
export async function keyframesOf(store: ObjectStore, session: string): Promise<Set<number>> {
  const numbers = new Set<number>();
  for await (const { id } of everyVersion((page) => store.find({ session, type: "keyframe" }, page))) {
    numbers.add(Number(id.slice(id.lastIndexOf(":") + 1)));
  }
  return numbers;
}
