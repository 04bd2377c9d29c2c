import {
  type CommitReceipt,
  defined,
  isCmError,
  type ObjectDocument,
  type ObjectStore,
  payloadOf,
  sealDocument,
  type Write,
} from "@cm/object-model";
import type { StoreSetting } from "../object-store/store-case.ts";
import { altered, type PlantedBug } from "./planted-bug.ts";

const anyway = ({ document }: Write): Write => ({ document, expect: "any" });
const withDocument = ({ expect }: Write, document: ObjectDocument): Write => ({ document, expect });

/** Writes one after the other: the receipt looks right, the commit is not one. */
async function oneByOne(inner: ObjectStore, writes: readonly Write[], options?: Parameters<ObjectStore["commit"]>[1]) {
  const receipts: CommitReceipt[] = [await inner.commit([], options)];
  for (const write of writes) receipts.push(await inner.commit([write], options));
  const last = receipts.at(-1);
  if (last === undefined) throw new RangeError("There is no receipt.");
  return { ...last, results: receipts.flatMap(({ results }) => results) };
}

/** Makes hashes hold again, so that a forged document passes. */
function resealed(document: ObjectDocument, { types }: StoreSetting): ObjectDocument {
  const { type, source } = document;
  const identity = source === null ? { type, id: document["xt/id"] } : { type, source };
  return sealDocument(identity, payloadOf(document), types);
}

export const bugsOfCommits: readonly PlantedBug[] = [
  altered("Expectations are ignored.", ["OS-010", "OS-011", "OS-013", "OS-150", "OS-151"], (inner) => ({
    commit: (writes, options) => inner.commit(writes.map(anyway), options),
  })),
  altered("The last write of a commit is lost.", ["OS-016", "OS-002"], (inner) => ({
    async commit(writes, options) {
      const kept = writes.length > 1 ? writes.slice(0, -1) : writes;
      const receipt = await inner.commit(kept, options);
      const invented = writes
        .slice(kept.length)
        .map(({ document }) => ({ id: document["xt/id"], outcome: "written" as const, token: "v0" }));
      return { ...receipt, results: [...receipt.results, ...invented] };
    },
  })),
  altered("A commit is written one document after the other.", ["OS-014", "OS-015", "OS-155"], (inner) => ({
    commit: (writes, options) => oneByOne(inner, writes, options),
  })),
  altered("A commit past the bound is written in parts.", ["OS-121"], (inner) => ({
    async commit(writes, options) {
      if (writes.length <= 10_000) return inner.commit(writes, options);
      await inner.commit(writes.slice(0, 5_000), options);
      return inner.commit(writes.slice(5_000), options);
    },
  })),
  altered("Invalid documents are left out and the others written.", ["OS-015", "OS-022"], (inner) => ({
    async commit(writes, options) {
      try {
        return await inner.commit(writes, options);
      } catch (error) {
        if (!isCmError(error, "store/invalid-document")) throw error;
        return inner.commit(
          writes.filter(({ document }) => Object.isFrozen(document)),
          options,
        );
      }
    },
  })),
  altered("Results stand in the order of ids.", ["OS-016"], (inner) => ({
    async commit(writes, options) {
      const receipt = await inner.commit(writes, options);
      return { ...receipt, results: receipt.results.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
    },
  })),
  altered("Of an object that stands twice in a commit the last document wins.", ["OS-017"], (inner) => ({
    commit: (writes, options) =>
      inner.commit([...new Map(writes.map((write) => [write.document["xt/id"], write])).values()], options),
  })),
  altered("Forged documents get new hashes and pass.", ["OS-022"], (inner, setting) => ({
    commit: (writes, options) =>
      inner.commit(
        writes.map((write) => (Object.isFrozen(write.document) ? write : tolerant(write, setting))),
        options,
      ),
  })),
  altered("Unknown fields are dropped in silence.", ["OS-136"], (inner) => ({
    commit: (writes, options) =>
      inner.commit(
        writes.map((write) => withDocument(write, stripped(write.document))),
        options,
      ),
  })),
  altered("Lone surrogates become replacement characters.", ["OS-132"], (inner, setting) => ({
    commit: (writes, options) =>
      inner.commit(
        writes.map((write) => {
          const { content } = write.document;
          if (typeof content !== "string" || content.isWellFormed()) return write;
          return withDocument(write, resealed({ ...write.document, content: content.toWellFormed() }, setting));
        }),
        options,
      ),
  })),
  altered("A token is good for any object.", ["OS-013"], (inner) => ({
    async commit(writes, options) {
      try {
        return await inner.commit(writes, options);
      } catch (error) {
        const known = isCmError(error, "store/conflict") && writes.every(({ expect }) => /^v[1-9]/.test(expect));
        if (!known) throw error;
        return inner.commit(writes.map(anyway), options);
      }
    },
  })),
  altered("Expectations are checked, then time passes, then it is written.", ["OS-150", "OS-151"], (inner) => ({
    async commit(writes, options) {
      for (const { document, expect } of writes) {
        const [newest] = (await inner.history(document["xt/id"])).versions;
        if (expect !== "any" && (newest?.token ?? "absent") !== expect) return inner.commit(writes, options);
      }
      await new Promise(setImmediate);
      return inner.commit(writes.map(anyway), options);
    },
  })),
  altered("A valid time before 1970 becomes 1970.", ["OS-060"], (inner) => ({
    commit: (writes, { validTime, ...options } = {}) =>
      inner.commit(writes, {
        ...options,
        ...defined({
          validTime: validTime === undefined ? undefined : new Date(validTime.getTime() < 0 ? 0 : validTime),
        }),
      }),
  })),
  altered("A valid time that is no date counts as none.", ["OS-060"], (inner) => ({
    commit: (writes, { validTime, ...options } = {}) =>
      inner.commit(writes, {
        ...options,
        ...(validTime === undefined || Number.isNaN(validTime.getTime()) ? {} : { validTime }),
      }),
  })),
  altered("A write without a valid time holds from before its transaction.", ["OS-059"], (inner, { now }) => ({
    commit: (writes, options) => inner.commit(writes, { validTime: new Date(now() - 1), ...options }),
  })),
  altered("A text that the object had before counts as unchanged.", ["OS-020", "OS-108"], (inner) => ({
    async commit(writes, options) {
      const fresh: Write[] = [];
      for (const write of writes) {
        const { versions } = await inner.history(write.document["xt/id"]);
        if (!versions.some(({ contentHash }) => contentHash === write.document.content_hash)) fresh.push(write);
      }
      return inner.commit(fresh, options);
    },
  })),
  altered("Overlapping commits share the first one's basis.", ["OS-152"], (inner) => {
    let first: string | undefined;
    return {
      async commit(writes, options) {
        const receipt = await inner.commit(writes, options);
        const basis = first ?? receipt.basis;
        first = basis;
        setImmediate(() => {
          first = undefined;
        });
        return { ...receipt, basis };
      },
    };
  }),
  altered("An empty commit has no basis.", ["OS-023"], (inner) => ({
    async commit(writes, options) {
      const receipt = await inner.commit(writes, options);
      return writes.length === 0 ? { ...receipt, basis: "" } : receipt;
    },
  })),
  altered("Documents are serialised before they are checked.", ["OS-125"], (inner) => ({
    async commit(writes, options) {
      JSON.stringify(writes);
      return inner.commit(writes, options);
    },
  })),
];

function tolerant(write: Write, setting: StoreSetting): Write {
  try {
    return withDocument(write, resealed(write.document, setting));
  } catch {
    return write;
  }
}

const fieldsOfCalls = [
  "xt/id",
  "type",
  "source",
  "identity_hash",
  "content",
  "content_hash",
  "tool",
  "args",
  "status",
  "chat_ref",
];

function stripped(document: ObjectDocument): ObjectDocument {
  if (document.type !== "toolcall" || Object.isFrozen(document)) return document;
  const known = Object.entries(document).filter(([key]) => fieldsOfCalls.includes(key));
  return Object.fromEntries(known) as ObjectDocument;
}
