import { CmError, isCmError, type ObjectStore, type Write } from "@cm/object-model";
import { altered, type PlantedBug } from "./planted-bug.ts";

/** Every refusal of a commit, made worse. */
function refusing(
  inner: ObjectStore,
  refusal: (error: CmError, writes: readonly Write[]) => Error,
): Partial<ObjectStore> {
  return {
    async commit(writes, options) {
      try {
        return await inner.commit(writes, options);
      } catch (error) {
        throw isCmError(error) ? refusal(error, writes) : error;
      }
    },
  };
}

export const bugsOfErrors: readonly PlantedBug[] = [
  altered("Error messages quote the text.", ["OS-140"], (inner) =>
    refusing(
      inner,
      ({ code, message, data }, writes) => new CmError(code, `${message} ${writes[0]?.document.content}`, data),
    ),
  ),
  altered("Error data quotes the arguments.", ["OS-140"], (inner) =>
    refusing(
      inner,
      ({ code, message, data }, [write]) =>
        new CmError(code, message, { ...data, args: Object.keys(write?.document.args ?? {}) }),
    ),
  ),
  altered("The cause of an error quotes the text.", ["OS-140"], (inner) =>
    refusing(
      inner,
      ({ code, message, data }, [write]) =>
        new CmError(code, message, data, { cause: new Error(`${write?.document.content}`) }),
    ),
  ),
  altered("Refusals are plain errors.", ["OS-141", "OS-010"], (inner) =>
    refusing(inner, ({ message }) => new Error(message)),
  ),
  altered("Refusals have a code of another area.", ["OS-141"], (inner) =>
    refusing(inner, ({ message, data }) => new CmError("database/failed", message, data)),
  ),
  altered("A conflict does not say which objects it is about.", ["OS-010", "OS-014"], (inner) =>
    refusing(inner, ({ code, message }) => new CmError(code, message)),
  ),
  altered("A closed store goes on.", ["OS-142"], () => ({ close: async () => undefined })),
  altered("Closing twice is a fault.", ["OS-142"], (inner) => {
    let closed = false;
    return {
      async close() {
        if (closed) throw new CmError("store/closed", "The store is closed.");
        closed = true;
        await inner.close?.();
      },
    };
  }),
  altered("Too many keys end the process's patience.", ["OS-126"], (inner) => ({
    async commit(writes, options) {
      if (writes.some(({ document }) => Object.keys(Object(document.args)).length > 500_000))
        throw new RangeError("Too many.");
      return inner.commit(writes, options);
    },
  })),
  altered("A single id is read as if it were a list of one.", ["OS-144"], (inner) => ({
    getMany: (ids, at, options) => inner.getMany(typeof ids === "string" ? [ids] : ids, at, options),
  })),
  altered("A tool call may take the id of infrastructure.", ["OS-139"], (inner) => ({
    async commit(writes, options) {
      try {
        return await inner.commit(writes, options);
      } catch (error) {
        if (writes.some(({ document }) => document["xt/id"] === "chat:s1")) return inner.commit([], options);
        throw error;
      }
    },
  })),
];
