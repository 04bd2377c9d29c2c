import { CmError, type CommitReceipt, isCmError } from "@cm/object-model";
import { altered, type PlantedBug } from "./planted-bug.ts";

export const bugsOfRequests: readonly PlantedBug[] = [
  altered("Request ids are ignored.", ["OS-030", "OS-031", "OS-032", "OS-154"], (inner) => ({
    commit: (writes, { requestId: _ignored, ...options } = {}) => inner.commit(writes, options),
  })),
  altered("A request id that comes back is answered without a look at the writes.", ["OS-032", "OS-033"], (inner) => {
    const receipts = new Map<string, CommitReceipt>();
    return {
      async commit(writes, options = {}) {
        const { requestId = "" } = options;
        const earlier = receipts.get(requestId);
        if (earlier !== undefined) return earlier;
        const receipt = await inner.commit(writes, options);
        if (requestId !== "") receipts.set(requestId, receipt);
        return receipt;
      },
    };
  }),
  altered("Requests are told apart by their documents only.", ["OS-033"], (inner) => {
    const first = new Map<string, { readonly documents: string; readonly receipt: CommitReceipt }>();
    return {
      async commit(writes, options = {}) {
        const documents = writes.map(({ document }) => document.content_hash).join();
        const earlier = first.get(options.requestId ?? "");
        if (earlier?.documents === documents) return earlier.receipt;
        const receipt = await inner.commit(writes, options);
        if (options.requestId !== undefined) first.set(options.requestId, { documents, receipt });
        return receipt;
      },
    };
  }),
  altered("A refused commit uses up its request id.", ["OS-034"], (inner) => {
    const used = new Set<string>();
    return {
      async commit(writes, options = {}) {
        const { requestId = "" } = options;
        if (used.has(requestId)) throw new CmError("store/request-reused", "The request id was used before.");
        try {
          return await inner.commit(writes, options);
        } catch (error) {
          if (requestId !== "" && isCmError(error, "store/conflict")) used.add(requestId);
          throw error;
        }
      },
    };
  }),
  altered("A repeated request is looked up, then time passes, then it is written.", ["OS-154"], (inner) => {
    const receipts = new Map<string, CommitReceipt>();
    return {
      async commit(writes, { requestId = "", ...options } = {}) {
        const earlier = receipts.get(requestId);
        if (earlier !== undefined) return earlier;
        await new Promise(setImmediate);
        const receipt = await inner.commit(writes, options);
        if (requestId !== "") receipts.set(requestId, receipt);
        return receipt;
      },
    };
  }),
];
