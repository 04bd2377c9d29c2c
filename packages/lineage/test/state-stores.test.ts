// @module-tag process
// Verifies: seed conversation-and-session, Storage Layout; reference lineage, Stores.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EventType } from "@ag-ui/core";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, describe, expect, inject, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { serverCredentials } from "../../../tools/s3-server/credentials.ts";
import { createFileStateStore, createMemoryStateStore, type DisplayEvent, type StateStore } from "../src/index.ts";
import { createS3StateStore } from "../src/s3.ts";
import { refused } from "./support/world.ts";

const state = { context_state: { deep: [1, null, "é\u{1f600}"] }, message_history: [], environment_state: null };
const display: readonly DisplayEvent[] = [{ type: EventType.CUSTOM, name: "note", value: 1 }];

/** A place for states: stores with a prefix in it, and its text at a key. */
interface Place {
  open(prefix?: string): StateStore;
  textAt(key: string): Promise<string | undefined>;
  put(key: string, text: string): Promise<void>;
}

function stateStoreLaws(fresh: () => Promise<Place>): void {
  it("keeps both documents under the seed's keys, and gives them back as they were", async () => {
    const place = await fresh();
    const store = place.open();

    await store.writeState("run-1", state);
    await store.writeDisplay("run-1", display);

    expect(await store.readState("run-1")).toEqual(state);
    expect(await store.readDisplay("run-1")).toEqual(display);
    expect(JSON.parse((await place.textAt("sessions/run-1/state.json")) ?? "")).toEqual(state);
    expect(JSON.parse((await place.textAt("sessions/run-1/display_messages.json")) ?? "")).toEqual(display);
    await store.writeState("run-1", { context_state: 2 });
    expect(await store.readState("run-1")).toEqual({ context_state: 2 });
    await store.close?.();
  });

  it("has nothing of a run that was never written, and after a deletion, which may be repeated", async () => {
    const store = (await fresh()).open();
    await store.writeState("run-1", state);
    await store.writeState("run-2", state);
    await store.writeDisplay("run-1", display);

    expect([await store.readState("other"), await store.readDisplay("run-2")]).toEqual([undefined, undefined]);
    await store.deleteRun("run-1");
    await store.deleteRun("run-1");

    expect([await store.readState("run-1"), await store.readDisplay("run-1")]).toEqual([undefined, undefined]);
    expect(await store.readState("run-2")).toEqual(state);
    await store.close?.();
  });

  it("keeps prefixes apart, one within another too", async () => {
    const place = await fresh();
    const stores = ["", "team", "team/project", "other"].map((prefix) => place.open(prefix));

    for (const [n, store] of stores.entries()) await store.writeState("run-1", { context_state: n });
    await stores[1]?.deleteRun("run-1");

    const found = await Promise.all(stores.map((store) => store.readState("run-1")));
    expect(found.map((one) => one?.context_state)).toEqual([0, undefined, 2, 3]);
    expect(await place.textAt("team/project/sessions/run-1/state.json")).toContain("2");
    for (const prefix of ["..", "a/../b", "/a", "a//b", ".hidden", "sessions", "a/sessions", "a\\b", "a b"]) {
      await refused(() => place.open(prefix), "lineage/invalid");
    }
    for (const id of ["..", "a/b", "", ".x"]) {
      await refused(async () => stores[0]?.writeState(id, state), "lineage/invalid");
    }
    for (const store of stores) await store.close?.();
  });

  it("says what is there and cannot be read, without its text", async () => {
    const place = await fresh();
    const store = place.open();
    await place.put("sessions/run-1/state.json", '{"context_state": "a secret');
    await place.put("sessions/run-2/state.json", "[1]");

    const error = await refused(store.readState("run-1"), "lineage/state-unreadable");
    await refused(store.readState("run-2"), "lineage/state-unreadable");

    expect(`${error.message} ${error.cause}`).not.toContain("secret");
    await store.close?.();
  });

  it("shows a reader one whole document or another while two write", async () => {
    const store = (await fresh()).open();
    const states = ["a", "b"].map((letter) => ({ context_state: letter.repeat(200_000) }));
    await store.writeState("run-1", states[0] ?? {});

    const writing = Promise.all(states.map((one) => store.writeState("run-1", one)));
    const seen = await Promise.all(Array.from({ length: 8 }, () => store.readState("run-1")));
    await writing;

    for (const one of seen) expect(states).toContainEqual(one);
    await store.close?.();
  });
}

describe("states in memory", () => {
  it("are kept, deleted and bounded as elsewhere", async () => {
    const store = createMemoryStateStore();
    await store.writeState("run-1", state);
    expect(await store.readState("run-1")).toEqual(state);
    await store.deleteRun("run-1");
    expect(await store.readState("run-1")).toBeUndefined();
  });
});

describe("states in files", () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));
  const fresh = async () => {
    const folder = await mkdtemp(join(tmpdir(), "cm-states-"));
    folders.push(folder);
    const put = async (key: string, text: string) => {
      await mkdir(join(folder, key, ".."), { recursive: true });
      await writeFile(join(folder, key), text);
    };
    const textAt = async (key: string) =>
      existsSync(join(folder, key)) ? readFile(join(folder, key), "utf8") : undefined;
    const open = (prefix = "") => createFileStateStore({ dataDir: join(folder), prefix });
    return { folder, open, textAt, put };
  };

  stateStoreLaws(fresh);

  it("are readable by their owner alone, and leave nothing beside them", async () => {
    const { folder, open } = await fresh();
    const store = open();

    await store.writeState("run-1", state);

    const run = join(folder, "sessions", "run-1");
    expect(await readdir(run)).toEqual(["state.json"]);
    if (process.platform !== "win32") expect((await stat(join(run, "state.json"))).mode & 0o777).toBe(0o600);
    await store.deleteRun("run-1");
    expect(existsSync(run)).toBe(false);
  });

  it("that cannot be written are an error that names the run, and leave nothing", async () => {
    const { folder, open } = await fresh();
    await writeFile(join(folder, "sessions"), "a file where the folder would be");

    const error = await refused(open().writeState("run-1", state), "lineage/state-unwritten");

    expect(error.data).toEqual({ id: "run-1" });
    expect(await readdir(folder)).toEqual(["sessions"]);
  });
});

const s3Url = inject("s3Url");
requirement("Java and Maven", () => s3Url !== "")("states in a bucket", () => {
  const access = { endpoint: s3Url, region: "us-east-1", forcePathStyle: true, credentials: serverCredentials };
  const outside = new S3Client(access);
  afterAll(() => outside.destroy());
  const fresh = async (): Promise<Place> => {
    const bucket = `cm-${randomUUID().slice(0, 18)}`;
    await outside.send(new CreateBucketCommand({ Bucket: bucket }));
    return {
      open: (prefix = "") => createS3StateStore({ bucket, prefix, ...access }),
      async textAt(key) {
        const answer = await outside.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return answer.Body?.transformToString();
      },
      async put(key, text) {
        await outside.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: text }));
      },
    };
  };

  stateStoreLaws(fresh);

  it("that a missing bucket would hold are out of reach, not missing", async () => {
    const store = createS3StateStore({ bucket: "cm-never-made", ...access });

    await refused(store.readState("run-1"), "lineage/state-unreadable");
    await refused(store.writeState("run-1", state), "lineage/state-unwritten");
    await store.close?.();
  });
});
