// Verifies: what the format's documentation says line by line, where no other test of this package says it already.
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isCmError } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { newEntryId } from "../src/format/ids.ts";
import {
  BlobStore,
  buildSessionContext,
  defaultAgentDir,
  defaultSessionDir,
  FileSessionStorage,
  findMostRecentSession,
  getRecentSessions,
  limits,
  listSessions,
  loadEntriesFromFile,
  MemorySessionStorage,
  migrateSessionEntries,
  type OpenWriterOptions,
  parseJsonlLenient,
  prepareForPersistence,
  SessionManager,
  type SessionStorageWriter,
  truncationNotice,
  writeBreadcrumb,
} from "../src/index.ts";
import { HistoryStorage } from "../src/prompt-history.ts";
import { header, jsonl } from "./session-text.ts";
import { assistant, optionsIn, tempFolder, user } from "./support/places.ts";

const { timestamp } = header;
const said = (id: string, parentId: string | null, message: object) => ({
  ...{ type: "message", id, parentId, timestamp, message },
});

/** A storage in memory that notes what is called, in order. */
class NotedStorage extends MemorySessionStorage {
  readonly calls: string[] = [];
  fails: string | undefined;

  override async readText(path: string): Promise<string> {
    this.calls.push("readText");
    return super.readText(path);
  }

  override async readTextPrefix(path: string, maxBytes: number): Promise<string> {
    this.calls.push(`readTextPrefix ${maxBytes}`);
    return super.readTextPrefix(path, maxBytes);
  }

  override async rename(path: string, nextPath: string): Promise<void> {
    this.calls.push(`rename ${nextPath}`);
    await super.rename(path, nextPath);
  }

  override openWriter(path: string, options?: OpenWriterOptions): SessionStorageWriter {
    this.calls.push(`open ${options?.flags} ${path.endsWith(".tmp") ? "beside" : path}`);
    const writer = super.openWriter(path, options);
    const noted =
      <Args extends unknown[]>(name: keyof SessionStorageWriter, call: (...args: Args) => Promise<void>) =>
      async (...args: Args): Promise<void> => {
        this.calls.push(name);
        if (this.fails === name) throw Object.assign(new Error("no"), { code: "EIO" });
        await call(...args);
      };
    return {
      writeLine: noted("writeLine", (line: string) => writer.writeLine(line)),
      flush: noted("flush", () => writer.flush()),
      fsync: noted("fsync", () => writer.fsync()),
      close: noted("close", () => writer.close()),
      getError: () => writer.getError(),
    };
  }
}

const inStorage = (storage: MemorySessionStorage) => optionsIn("/nowhere", { storage });
const textOf = (session: SessionManager, storage: MemorySessionStorage) =>
  storage.readText(session.getSessionFile() as string);

describe("the layout on a disk", () => {
  it("is below ~/.omp/agent: sessions by folder and by time and id, blobs by hash, a breadcrumb of two lines", async () => {
    const agentDir = tempFolder();
    const session = SessionManager.create("/work/a:b\\c", undefined, { ...optionsIn(agentDir), terminalId: "pts-7" });
    const data = Buffer.alloc(800, 1).toString("base64");
    session.appendMessage({ ...assistant("x"), content: [{ type: "image", data, mimeType: "image/png" }] });
    await session.close();

    const { id, timestamp: begun } = session.getHeader();
    const path = join(agentDir, "sessions", "--work-a-b-c--", `${begun.replace(/[:.]/g, "-")}_${id}.jsonl`);
    expect(session.getSessionFile()).toBe(path);
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    const ref = /blob:sha256:([0-9a-f]{64})/.exec(readFileSync(path, "utf8"))?.[1] ?? "";
    expect(existsSync(join(agentDir, "blobs", ref))).toBe(true);
    expect(readFileSync(join(agentDir, "terminal-sessions", "pts-7"), "utf8")).toBe(`/work/a:b\\c\n${path}\n`);
    expect(defaultAgentDir()).toBe(join(homedir(), ".omp", "agent"));
    expect(defaultSessionDir("/work/pi")).toBe(join(homedir(), ".omp", "agent", "sessions", "--work-pi--"));
  });

  it("has the header on line 1 and one entry on each further line, the place of each before its body", async () => {
    const storage = new MemorySessionStorage();
    const session = SessionManager.create("/work", "/s", inStorage(storage));
    session.appendMessage(assistant("one\ntwo"));
    session.appendModeChange("plan", { planFile: "/tmp/plan.md" });
    await session.close();

    const lines = (await textOf(session, storage)).split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBe("");
    expect(Object.keys(JSON.parse(lines[0] ?? ""))).toEqual(["type", "version", "id", "timestamp", "cwd"]);
    expect(Object.keys(JSON.parse(lines[2] ?? ""))).toEqual(["type", "id", "parentId", "timestamp", "mode", "data"]);
  });

  it("writes a compaction, a branch summary, a model change and the others with the documented fields", () => {
    const session = SessionManager.inMemory("/work", optionsIn("/nowhere"));
    const first = session.appendMessage(user("one"));
    session.appendModelChange("openai/gpt-4o", "default");
    const model = session.getLeafEntry();
    session.appendCompaction(
      "sum",
      { firstKeptEntryId: first, tokensBefore: 42000 },
      {
        ...{ shortSummary: "short", details: { readFiles: ["a"] }, preserveData: { hookState: true } },
        fromExtension: false,
      },
    );
    const compaction = session.getLeafEntry();
    session.appendSessionInit({ systemPrompt: "s", task: "t", tools: ["read"], outputSchema: { type: "object" } });
    const init = session.getLeafEntry();
    session.appendCustomMessageEntry("ext", "Injected", { display: true, details: { debug: false } });
    const custom = session.getLeafEntry();

    const place = { id: expect.any(String), parentId: expect.any(String), timestamp: expect.any(String) };
    expect(model).toEqual({ type: "model_change", ...place, model: "openai/gpt-4o", role: "default" });
    expect(compaction).toEqual({
      ...{ type: "compaction", ...place, summary: "sum", shortSummary: "short", firstKeptEntryId: first },
      ...{
        tokensBefore: 42000,
        details: { readFiles: ["a"] },
        preserveData: { hookState: true },
        fromExtension: false,
      },
    });
    const schema = { outputSchema: { type: "object" } };
    expect(init).toEqual({ type: "session_init", ...place, systemPrompt: "s", task: "t", tools: ["read"], ...schema });
    expect(custom).toEqual({
      ...{ type: "custom_message", ...place, customType: "ext", content: "Injected" },
      ...{ display: true, details: { debug: false } },
    });
  });
});

describe("migration", () => {
  it("of version 1 counts the header, chains in file order whatever stands between, and is written at once", async () => {
    const storage = new MemorySessionStorage();
    const { version: _none, ...first } = header;
    const bodies = [
      { type: "message", timestamp, message: { role: "hookMessage", content: "h" } },
      { type: "custom_message", timestamp, customType: "hookMessage", content: "stays" },
      { type: "compaction", timestamp, summary: "s", firstKeptEntryIndex: 1, tokensBefore: 1 },
      { type: "compaction", timestamp, summary: "s", firstKeptEntryIndex: 99, tokensBefore: 1 },
    ];
    storage.writeTextSync("/s/a.jsonl", jsonl(first, ...bodies));

    const session = await SessionManager.open("/s/a.jsonl", undefined, inStorage(storage));

    const entries = session.getEntries();
    expect(entries.map(({ parentId }) => parentId)).toEqual([null, ...entries.slice(0, 3).map(({ id }) => id)]);
    expect(entries[0]).toMatchObject({ message: { role: "custom" } });
    expect(entries[1]).toMatchObject({ customType: "hookMessage" });
    expect(entries[2]).toMatchObject({ firstKeptEntryId: entries[0]?.id });
    for (const entry of entries) expect(entry).not.toHaveProperty("firstKeptEntryIndex");
    expect(await storage.readText("/s/a.jsonl")).toBe(jsonl({ ...first, version: 3 }, ...entries));
    expect(session.getHeader().version).toBe(3);
  });

  it("says whether anything was older, in place, and never downgrades", () => {
    const old = [{ ...header, version: 2 }, said("a", null, { role: "hookMessage" })] as never[];
    const newer = [{ ...header, version: 4 }, said("a", null, { role: "hookMessage" })] as never[];

    expect([migrateSessionEntries(old), migrateSessionEntries(newer)]).toEqual([true, false]);
    expect(old[0]).toMatchObject({ version: 3 });
    expect(newer).toEqual([{ ...header, version: 4 }, said("a", null, { role: "hookMessage" })]);
  });
});

describe("loading", () => {
  it("lets the first parsed object decide, and reads JSON lines leniently", async () => {
    const storage = new MemorySessionStorage();
    storage.writeTextSync("/s/a.jsonl", `{"broken\n\n${jsonl(said("a", null, user("x")), header)}`);

    expect(await loadEntriesFromFile("/s/a.jsonl", storage)).toEqual([]);
    expect(await loadEntriesFromFile("/s/none.jsonl", storage)).toEqual([]);
    expect(parseJsonlLenient('{"a":1}\n{"b"\n\n{"c":2}')).toEqual([{ a: 1 }, { c: 2 }]);
  });

  it.each([
    ["an empty file", ""],
    ["a file without a header", jsonl(said("a", null, user("x")))],
    ["no file", undefined],
  ])("makes a new session of %s, at that path, with the leaf null", async (_what, text) => {
    const storage = new MemorySessionStorage();
    if (text !== undefined) storage.writeTextSync("/s/a.jsonl", text);

    const session = await SessionManager.open("/s/a.jsonl", undefined, inStorage(storage));

    expect(session.getSessionFile()).toBe("/s/a.jsonl");
    expect(await loadEntriesFromFile("/s/a.jsonl", storage)).toEqual([session.getHeader()]);
    expect([session.getEntries(), session.getLeafId()]).toEqual([[], null]);
    expect(session.buildSessionContext()).toMatchObject({ messages: [], thinkingLevel: "off", mode: "none" });
  });

  it("resolves references of all images that were taken out, and leaves text that looks like one", async () => {
    const folder = tempFolder();
    const bytes = Buffer.alloc(900, 3);
    const { ref } = await new BlobStore(join(folder, "blobs")).put(bytes);
    const content = [
      { type: "image", data: ref, mimeType: "image/png" },
      { type: "text", text: ref },
    ];
    const path = join(folder, "s.jsonl");
    const custom = {
      type: "custom_message",
      id: "b",
      parentId: "a",
      timestamp,
      customType: "x",
      content,
      display: true,
    };
    const state = { type: "custom", id: "c", parentId: "b", timestamp, customType: "x", data: { content } };
    writeFileSync(path, jsonl(header, said("a", null, { role: "user", content }), custom, state));

    const session = await SessionManager.open(path, undefined, optionsIn(folder));

    const whole = [{ ...content[0], data: bytes.toString("base64") }, content[1]];
    expect(session.buildSessionContext().messages.map((message) => message.content)).toEqual([whole, whole]);
    expect(session.getEntry("c")).toEqual({ ...state, data: { content: whole } });
  });
});

describe("the tree", () => {
  it("gives every entry an id that no other has, also where chance repeats itself", () => {
    let asked = 0;
    const id = newEntryId({
      has: () => {
        asked += 1;
        return true;
      },
    });

    expect(asked).toBe(100);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it("gives out copies of its lists, keeps entries that were left, and forgets a leaf that nothing was appended to", async () => {
    const storage = new MemorySessionStorage();
    const session = SessionManager.create("/work", "/s", inStorage(storage));
    const first = session.appendMessage(user("one"));
    const last = session.appendMessage(assistant("two"));
    session.getEntries().pop();
    session.branch(first);
    await session.close();

    const again = await SessionManager.open(session.getSessionFile() as string, undefined, inStorage(storage));

    expect(session.getLeafId()).toBe(first);
    expect(session.getEntries()).toHaveLength(2);
    expect(again.getLeafId()).toBe(last);
    session.resetLeaf();
    expect(session.getBranch()).toEqual([]);
    expect(session.buildSessionContext().messages).toEqual([]);
  });

  it("labels what is there alone; the label is a node that later entries hang below", () => {
    const session = SessionManager.inMemory("/work", optionsIn("/nowhere"));
    const first = session.appendMessage(user("one"));
    const label = session.appendLabelChange(first, "checkpoint");
    const next = session.appendMessage(assistant("two"));

    expect(session.getEntry(next)?.parentId).toBe(label);
    expect(session.getTree()[0]?.label).toBe("checkpoint");
    expect(() => session.appendLabelChange("f".repeat(8), "x")).toThrow("no entry");
    expect(session.getEntries()).toHaveLength(3);
  });
});

describe("the context", () => {
  const at = (id: string, parentId: string | null, body: object) => ({ id, parentId, timestamp, ...body }) as never;

  it("is that of the named leaf, of the last entry where it is unknown, and of nothing for null", () => {
    const entries = [
      at("a", null, { type: "message", message: user("a") }),
      at("b", null, { type: "message", message: user("b") }),
    ];

    const of = (leaf?: string | null) => buildSessionContext(entries, leaf).messages;
    expect([of("a"), of("gone"), of(), of(null)]).toEqual([[user("a")], [user("b")], [user("b")], []]);
    expect(buildSessionContext([]).messages).toEqual([]);
  });

  it("takes the default model of answers only where none was chosen for that role", () => {
    const answer = { type: "message", message: assistant("x") };
    const small = at("a", null, { type: "model_change", model: "openai/small", role: "smol" });
    const chosen = at("c", "b", { type: "model_change", model: "openai/big" });

    const fallback = buildSessionContext([small, at("b", "a", answer)]).models;
    const explicit = buildSessionContext([small, at("b", "a", answer), chosen, at("d", "c", answer)]).models;

    expect(fallback).toEqual({ smol: "openai/small", default: "anthropic/claude-sonnet-4-5" });
    expect(explicit).toEqual({ smol: "openai/small", default: "openai/big" });
  });

  it("does not keep from an entry that stands behind the compaction or beside its path", () => {
    const message = (id: string, parentId: string | null) => at(id, parentId, { type: "message", message: user(id) });
    const compaction = (kept: string) =>
      at("c", "b", { type: "compaction", summary: "s", firstKeptEntryId: kept, tokensBefore: 1 });
    const roles = (kept: string) =>
      buildSessionContext([
        message("a", null),
        message("b", "a"),
        message("x", "a"),
        compaction(kept),
        message("d", "c"),
      ]).messages.map(({ role, content }) => (content as { text: string }[] | undefined)?.[0]?.text ?? role);

    expect(roles("b")).toEqual(["compactionSummary", "b", "d"]);
    for (const kept of ["x", "d", "c", "gone", ""]) expect(roles(kept)).toEqual(["compactionSummary", "d"]);
  });
});

describe("writing", () => {
  it("of a new session without an answer makes no file at all, and of one in memory never", async () => {
    const storage = new NotedStorage();
    const session = SessionManager.create("/work", "/s", inStorage(storage));
    session.appendMessage(user("one"));
    session.appendThinkingLevelChange("high");
    await session.setSessionName("name");
    await session.flush();
    await session.close();
    const own = SessionManager.inMemory("/work", inStorage(storage));
    own.appendMessage(assistant("x"));
    await own.flush();
    await own.close();

    expect(storage.listFilesSync("/s", "*")).toEqual([]);
    expect(storage.calls).toEqual([]);
    expect([session.isPersisted(), own.isPersisted(), own.getSessionFile()]).toEqual([true, false, undefined]);
    expect([own.createBranchedSession(own.getLeafId() ?? ""), await own.fork()]).toEqual([undefined, undefined]);
  });

  it("is put off again for a file that was opened without an answer, and gives the name with the first one", async () => {
    const storage = new MemorySessionStorage();
    const text = jsonl(header, said("a", null, user("one")));
    storage.writeTextSync("/s/a.jsonl", text);
    const session = await SessionManager.open("/s/a.jsonl", undefined, inStorage(storage));
    session.appendMessage(user("two"));
    await session.flush();
    const before = await storage.readText("/s/a.jsonl");

    session.appendMessage(assistant("three"));
    await session.close();

    expect(before).toBe(text);
    expect(await storage.readText("/s/a.jsonl")).toBe(jsonl(header, ...session.getEntries()));
  });

  it("appends one line for each entry, syncs at a flush, and rewrites beside the file before it renames", async () => {
    const storage = new NotedStorage();
    const session = SessionManager.create("/work", "/s", inStorage(storage));
    const path = session.getSessionFile() as string;
    session.appendMessage(assistant("one"));
    await session.flush();
    const first = storage.calls.splice(0);
    session.appendMessage(user("two"));
    session.appendMessage(user("three"));
    await session.flush();
    const lines = storage.calls.splice(0);
    await session.setSessionName("name");
    const rewrite = storage.calls.splice(0).filter((call) => call !== "readText");
    await session.close();

    const beside = ["open w beside", "writeLine", "flush", "fsync", "close", `rename ${path}`];
    expect(first.slice(0, 6)).toEqual(beside);
    expect(lines).toEqual([`open a ${path}`, "writeLine", "writeLine", "flush", "fsync"]);
    expect(rewrite).toEqual(["close", ...beside]);
    expect(JSON.parse((await storage.readText(path)).split("\n")[0] ?? "")).toMatchObject({ title: "name" });
  });

  it.each(["setSessionFile", "newSession"] as const)(
    "that failed is thrown by all that would write, until %s",
    async (way) => {
      const storage = new NotedStorage();
      const told: Error[] = [];
      const session = SessionManager.create("/work", "/s", {
        ...inStorage(storage),
        onError: (error) => told.push(error),
      });
      const path = session.getSessionFile() as string;
      session.appendMessage(assistant("one"));
      await session.flush();
      storage.fails = "writeLine";
      const lost = session.appendMessage(user("two"));
      const error = await session.flush().catch((thrown) => thrown);
      const later = await Promise.all(
        [
          () => session.flush(),
          () => session.rewriteEntries(),
          () => session.setSessionName("x"),
          () => session.ensureOnDisk(),
          () => session.close(),
        ].map((call) => call().catch((thrown) => thrown)),
      );

      expect(isCmError(error, "journal/write-failed")).toBe(true);
      expect(new Set([error, ...later])).toEqual(new Set([error]));
      expect(() => session.appendMessage(user("three"))).toThrow(error);
      expect(() => session.branchWithSummary(null, "s")).toThrow(error);
      expect(session.getEntry(lost)).toBeDefined();
      expect(told).toEqual([error]);

      storage.fails = undefined;
      if (way === "newSession") await session.newSession({ parentSession: "opaque/../text" });
      else await session.setSessionFile(path);
      session.appendMessage(assistant("again"));
      await session.close();
      const text = await textOf(session, storage);
      expect(text).toContain("again");
      expect(text).not.toContain("two");
      expect(session.getHeader().parentSession).toBe(way === "newSession" ? "opaque/../text" : undefined);
    },
  );

  it("keeps memory whole, and cuts a string by exactly what is over 500,000 characters with the notice", async () => {
    const storage = new MemorySessionStorage();
    const session = SessionManager.create("/work", "/s", inStorage(storage));
    const [fits, over] = ["x".repeat(500_000), `${"y".repeat(499_952)}${"😀".repeat(25)}`];
    session.appendMessage(assistant("one"));
    session.appendCustomEntry("ext", {
      fits,
      over,
      deep: [{ partialJson: "{", jsonlEvents: [1], content: "ok", lineCount: 9 }],
    });
    await session.close();

    const { data } = JSON.parse((await textOf(session, storage)).split("\n")[2] ?? "");
    expect(over).toHaveLength(500_002);
    expect(data.fits).toBe(fits);
    // The pair that the bound would split goes as a whole.
    expect(data.over).toBe(`${"y".repeat(499_952)}${truncationNotice}`);
    expect(data.deep).toEqual([{ content: "ok", lineCount: 9 }]);
    expect(session.getLeafEntry()).toMatchObject({ data: { over } });
    expect(truncationNotice.trim()).toBe("[Session persistence truncated large content]");
    const cut = prepareForPersistence({ text: "z".repeat(500_001) }, () => "");
    expect(cut.text).toBe(`${"z".repeat(500_000 - truncationNotice.length)}${truncationNotice}`);
  });

  it("takes an image out of a list called content from 1,024 characters on, at any depth", () => {
    const image = (length: number) => ({ type: "image", mimeType: "image/png", data: "A".repeat(length) });
    const put: Uint8Array[] = [];
    const prepared = prepareForPersistence(
      {
        message: { content: [image(1020), image(1024)] },
        details: { content: [[image(1024)], { content: [image(1024)] }] },
      },
      (bytes) => `blob:sha256:${put.push(bytes)}`,
    );

    expect(limits.blobBase64CharsMin).toBe(1024);
    expect(prepared.message.content.map(({ data }) => data.length > 100)).toEqual([true, false]);
    expect(put.map(({ length }) => length)).toEqual([768, 768, 768]);
  });
});

describe("finding sessions", () => {
  it("reads 4,096 bytes of each file, and orders by the time of the file alone", async () => {
    const storage = new NotedStorage();
    const long = said("a", null, user("first prompt"));
    storage.writeTextSync("/s/a.jsonl", jsonl({ ...header, id: "one" }, long, said("b", "a", user("x".repeat(9000)))));
    storage.writeTextSync("/s/b.jsonl", jsonl({ ...header, id: "two", timestamp: "1999-01-01T00:00:00.000Z" }));
    storage.writeTextSync("/s/note.txt", "no session");

    const recent = await getRecentSessions("/s", 10, storage);
    const [two, one] = await listSessions("/unused", "/s", { storage });

    expect(recent.map(({ path, name }) => [path, name])).toEqual([
      ["/s/b.jsonl", "two"],
      ["/s/a.jsonl", "first prompt"],
    ]);
    expect(await getRecentSessions("/s", 0, storage)).toEqual([]);
    expect(await findMostRecentSession("/s", storage)).toBe("/s/b.jsonl");
    expect(new Set(storage.calls)).toEqual(new Set(["readTextPrefix 4096"]));
    expect(two).toMatchObject({ id: "two", firstMessage: "(no messages)", messageCount: 0, allMessagesText: "" });
    expect(two?.created.toISOString()).toBe("1999-01-01T00:00:00.000Z");
    expect(one).toMatchObject({ id: "one", firstMessage: "first prompt", messageCount: 1, cwd: header.cwd });
    expect(one?.modified).toEqual(storage.statSync("/s/a.jsonl").mtime);
  });

  it("finds those of one folder and of all, wherever files are kept", async () => {
    const agentDir = tempFolder();
    for (const storage of [new MemorySessionStorage(), new FileSessionStorage()]) {
      const options = { ...optionsIn(agentDir), storage };
      for (const cwd of ["/work/a", "/work/b"]) {
        const session = SessionManager.create(cwd, undefined, options);
        session.appendMessage(assistant(cwd));
        await session.setSessionName(`in ${cwd}`);
        await session.close();
      }

      const [one] = await SessionManager.list("/work/a", undefined, options);
      const all = await SessionManager.listAll(options);

      expect(one).toMatchObject({
        cwd: "/work/a",
        title: "in /work/a",
        messageCount: 1,
        firstMessage: "(no messages)",
      });
      expect(all.map(({ title }) => title).sort()).toEqual(["in /work/a", "in /work/b"]);
      expect([...all].sort((a, b) => b.modified.getTime() - a.modified.getTime())).toEqual(all);
    }
  });

  it("goes on with the newest by the time of its file, and past a breadcrumb whose file is gone or whose lines are odd", async () => {
    const agentDir = tempFolder();
    const dir = defaultSessionDir("/work", agentDir);
    mkdirSync(dir, { recursive: true });
    for (const [name, seconds] of [
      ["old", 10],
      ["new", 20],
    ] as const) {
      writeFileSync(
        join(dir, `${name}.jsonl`),
        jsonl({ ...header, id: name, cwd: "/work" }, said("a", null, assistant("x"))),
      );
      utimesSync(join(dir, `${name}.jsonl`), seconds, seconds);
    }
    const options = optionsIn(agentDir, { terminalId: "t" });
    const crumb = join(agentDir, "terminal-sessions", "t");
    await writeBreadcrumb({ agentDir, terminalId: "t" }, "/work", join(dir, "gone.jsonl"));
    const ids: string[] = [];
    for (const text of [
      readFileSync(crumb, "utf8"),
      "",
      "/work\n",
      "\n\n",
      `/work\n${join(dir, "old.jsonl")}\nfresh\n`,
    ]) {
      writeFileSync(crumb, text);
      const session = await SessionManager.continueRecent("/work", undefined, options);
      ids.push(session.getSessionId());
      await session.close();
    }

    expect(ids).toEqual(["new", "new", "new", "new", "old"]);
    expect(statSync(join(dir, "old.jsonl")).mtimeMs).toBe(10_000);
  });
});

describe("forks", () => {
  it("are not made of what is no session", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "notes.jsonl"), "my notes\n");

    for (const name of ["notes.jsonl", "gone.jsonl"]) {
      const error = await SessionManager.forkFrom(join(folder, name), "/work", optionsIn(folder)).catch(
        (thrown) => thrown,
      );
      expect(isCmError(error, "journal/not-a-session")).toBe(true);
    }
    expect(existsSync(join(folder, "sessions"))).toBe(false);
    expect(readFileSync(join(folder, "notes.jsonl"), "utf8")).toBe("my notes\n");
  });

  it("have images of their own, unknown kinds and fields, and can be forked again", async () => {
    const folder = tempFolder();
    const options = optionsIn(folder);
    const data = Buffer.alloc(900, 5).toString("base64");
    const session = SessionManager.create("/work", undefined, options);
    session.appendMessage({ ...assistant("x"), content: [{ type: "image", data, mimeType: "image/png" }] });
    session.appendEntry({ type: "of_tomorrow", some: { thing: [1] } });
    await session.close();

    const fork = await SessionManager.forkFrom(session.getSessionFile() as string, "/other", options);
    const again = await SessionManager.forkFrom(fork.getSessionFile() as string, "/third", options);

    expect(again.getEntries()).toEqual(session.getEntries());
    expect(again.getHeader()).toMatchObject({ cwd: "/third", parentSession: fork.getSessionId() });
    expect(readFileSync(again.getSessionFile() as string, "utf8")).not.toContain(data);
    await Promise.all([fork.close(), again.close()]);
  });
});

describe("the storages", () => {
  it("have the twelve operations, and writers of five", () => {
    const sync = ["ensureDirSync", "existsSync", "writeTextSync", "statSync", "listFilesSync"];
    const others = ["exists", "readText", "readTextPrefix", "writeText", "rename", "unlink", "openWriter"];
    for (const storage of [new FileSessionStorage(), new MemorySessionStorage()]) {
      for (const name of [...sync, ...others]) expect(storage).toHaveProperty(name, expect.any(Function));
      const writer = storage.openWriter(join(tempFolder(), "a"));
      for (const name of ["writeLine", "flush", "fsync", "close", "getError"])
        expect(writer).toHaveProperty(name, expect.any(Function));
    }
  });
});

describe("the prompt history", () => {
  it("is a table with an index of words that a trigger keeps, and gives 1,000 prompts at most", async () => {
    const path = join(tempFolder(), "history.db");
    const history = HistoryStorage.open(path);
    for (let n = 0; n < 1100; n += 1) history.add(`prompt ${n}`, "/work");
    await history.settled();

    expect(history.getRecent(5000)).toHaveLength(1000);
    expect(history.getRecent(2.9)).toHaveLength(2);
    expect(history.getRecent(1)).toEqual([
      { id: 1100, prompt: "prompt 1099", created_at: expect.any(Number), cwd: "/work" },
    ]);
    expect(history.search("1099 prom", 5000)).toHaveLength(1);
    expect(history.search("prompt", 5000)).toHaveLength(1000);
    await history.close();
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(path);
    const columns = database.prepare("SELECT name FROM pragma_table_info('history')").all();
    expect(columns.map(({ name }) => name)).toEqual(["id", "prompt", "created_at", "cwd"]);
    expect(database.prepare("SELECT count(*) AS n FROM history_fts").get()).toEqual({ n: 1100 });
    database.close();
  });

  it("stops no caller where it cannot write, and takes nothing once it is closed", async () => {
    const errors: Error[] = [];
    const history = HistoryStorage.open(join(tempFolder(), "history.db"), { onError: (error) => errors.push(error) });
    await history.close();
    history.add("late");
    await history.settled();

    expect(history.getRecent(5)).toEqual([]);
    expect(history.search("late", 5)).toEqual([]);
    expect(errors.length).toBeGreaterThan(0);
  });
});
