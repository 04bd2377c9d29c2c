// Verifies: SSOT 7.4: a thread that dies leaves no call without an answer, and says whether something may be written.

import { coreDocumentTypes, sealDocument } from "@cm/object-model";
import { expect, it } from "vitest";
import { StoreThread } from "../../src/thread/store-thread.ts";
import { ThreadedStore } from "../../src/thread/threaded-store.ts";
import { startWorker } from "../../src/thread/workers.ts";

const document = sealDocument(
  { type: "system_prompt", id: "system_prompt:demo" },
  { content: "text", session_ref: "session:demo" },
);

it("answers every open and later call when the thread dies, and closes", async () => {
  const thread = new StoreThread({ worker: startWorker(new URL("../support/dying-worker.ts", import.meta.url)) });
  const store = new ThreadedStore(thread, { path: "nowhere", types: coreDocumentTypes });
  expect(await store.history("any")).toEqual({ versions: [] });

  const open = [
    store.getMany(["any"]),
    store.commit([{ document, expect: "any" }]),
    store.erase(["any"], "not needed"),
    store.find({ type: "file" }),
  ];

  const codes = (await Promise.allSettled(open)).map((end) => (end.status === "rejected" ? end.reason.code : "none"));
  expect(codes).toEqual(["store/unavailable", "store/unknown-outcome", "store/unknown-outcome", "store/unavailable"]);
  const later = await store.commit([{ document, expect: "any" }]).catch((error: unknown) => error);
  expect(later).toMatchObject({ code: "store/unavailable" });
  await store.close();
  await expect(store.getMany(["any"])).rejects.toMatchObject({ code: "store/closed" });
});

it("says so when its file is not there", async () => {
  const thread = new StoreThread({ worker: startWorker(new URL("../support/no-such-worker.ts", import.meta.url)) });

  const opening = thread.ask("open", { path: ":memory:" });

  await expect(opening).rejects.toMatchObject({ code: "store/unavailable" });
});
