import { isCmError, type ObjectStore } from "@cm/object-model";
import { altered, type PlantedBug } from "./planted-bug.ts";

type Hint = NonNullable<ObjectStore["changed"]>;

/** The memory store has hints. */
const changed = async (inner: ObjectStore, ...args: Parameters<Hint>): Promise<void> => inner.changed?.(...args);

export const bugsOfChanges: readonly PlantedBug[] = [
  altered("A hint knows the newest transaction only.", ["OS-180"], (inner) => ({
    async changed(since, signal) {
      const { basis } = await inner.find({ type: "toolcall" });
      return changed(inner, since === basis ? since : "no basis", signal);
    },
  })),
  altered("Every hint comes at once.", ["OS-181"], () => ({
    async changed() {},
  })),
  altered("A hint that is not waited for any more is an error.", ["OS-182"], (inner) => ({
    async changed(since, signal) {
      await changed(inner, since, signal);
      signal?.throwIfAborted();
    },
  })),
  altered("A hint of a closed store comes like any other.", ["OS-183"], (inner) => ({
    async changed(since, signal) {
      try {
        await changed(inner, since, signal);
      } catch (error) {
        if (!isCmError(error, "store/closed")) throw error;
      }
    },
  })),
];
