import { isCmError, type ObjectDocument, type ObjectStore, sealDocument } from "@cm/object-model";

export interface StoreWriting {
  /** Tells the writers of one store apart. */
  readonly name: string;
  /** `puts`: three documents a commit, one of them shared by all writers. `increments`: a counter that all share. */
  readonly how: "puts" | "increments";
  readonly commits: number;
  /** Called after each commit that the store acknowledged. */
  readonly onCommit: (n: number) => void;
}

/** What one of several processes does to a store that all of them share: the body of such a process. */
export async function writeToStore(store: ObjectStore, { name, how, commits, onCommit }: StoreWriting): Promise<void> {
  for (let n = 0; n < commits; n += 1) {
    await (how === "increments" ? increment(store) : put(store, name, n));
    onCommit(n);
  }
}

/** Three documents that belong together, one of them a version of an object that all writers share. */
async function put(store: ObjectStore, name: string, n: number): Promise<void> {
  const writes = [0, 1, 2].map((place) => ({
    document: note(place === 2 ? "shared" : `${name}-${n}-${place}`, `${name} ${n} `.repeat(100)),
    expect: "any" as const,
  }));
  await store.commit(writes, { requestId: `${name}-${n}` });
}

/** Adds one to the counter: reads, writes under the token it read, and begins anew when another was faster. */
async function increment(store: ObjectStore): Promise<void> {
  for (;;) {
    const held = (await store.getMany(["counter"])).get("counter");
    const document = note("counter", `${Number(held?.document?.content ?? 0) + 1}`);
    try {
      await store.commit([{ document, expect: held?.token ?? "absent" }]);
      return;
    } catch (error) {
      if (!isCmError(error, "store/conflict")) throw error;
    }
  }
}

function note(id: string, content: string): ObjectDocument {
  const fields = { tool: "bash", args: {}, status: "ok" as const, chat_ref: "chat:s1" };
  return sealDocument({ type: "toolcall", id }, { content, ...fields });
}
