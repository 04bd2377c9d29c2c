import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCmError } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { FileSessionStorage, MemorySessionStorage, SessionManager } from "../src/index.ts";
import { assistant, optionsIn, tempFolder, user } from "./support/places.ts";

const linesOf = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("a session's file", () => {
  it("is written with everything at the first answer, and line by line from then on", async () => {
    const session = SessionManager.create("/projects/pi", undefined, optionsIn(tempFolder()));
    const path = session.getSessionFile() as string;
    session.appendMessage(user("one"));
    await session.flush();
    const before = existsSync(path);

    session.appendMessage(assistant("two"));
    session.appendMessage(user("three"));
    await session.flush();

    expect(before).toBe(false);
    expect(path).toContain(join("sessions", "--projects-pi--"));
    expect(linesOf(path).map(({ type, message }) => message?.content[0].text ?? type)).toEqual([
      "session",
      "one",
      "two",
      "three",
    ]);
    await session.close();
  });

  it("is there at once where a caller cannot wait", async () => {
    const session = SessionManager.create("/projects/pi", undefined, optionsIn(tempFolder()));
    session.appendMessage(user("one"));

    await session.ensureOnDisk();
    session.appendMessage(user("two"));
    await session.close();

    expect(linesOf(session.getSessionFile() as string)).toHaveLength(3);
  });

  it("comes back as it was, with the last line as leaf", async () => {
    const options = optionsIn(tempFolder());
    const session = SessionManager.create("/projects/pi", undefined, options);
    const first = session.appendMessage(user("one"));
    session.appendMessage(assistant("two"));
    session.branch(first);
    const last = session.appendMessage(assistant("other"));
    await session.close();

    const again = await SessionManager.open(session.getSessionFile() as string, undefined, options);

    expect(again.getEntries()).toEqual(session.getEntries());
    expect(again.getLeafId()).toBe(last);
    expect(again.getSessionId()).toBe(session.getSessionId());
    expect(again.getCwd()).toBe("/projects/pi");
  });

  it("begins at exactly the path that was asked for", async () => {
    const folder = tempFolder();
    const path = join(folder, "sub", "own.jsonl");

    const session = await SessionManager.open(path, undefined, optionsIn(folder));

    expect(linesOf(path)).toEqual([session.getHeader()]);
    expect(session.getHeader()).toMatchObject({ type: "session", version: 3 });
  });

  it("loses no line of another process that writes it, too", async () => {
    const options = optionsIn(tempFolder());
    const one = SessionManager.create("/projects/pi", undefined, options);
    one.appendMessage(user("one"));
    one.appendMessage(assistant("two"));
    await one.flush();
    const path = one.getSessionFile() as string;
    const other = await SessionManager.open(path, undefined, options);

    await Promise.all(
      [one, other].map(async (session, writer) => {
        for (let round = 0; round < 20; round += 1) {
          session.appendMessage(user(`${writer}-${round}`));
          if (round % 5 === 0) await session.setSessionName(`named ${writer}-${round}`);
        }
        await session.close();
      }),
    );

    const texts = linesOf(path).flatMap(({ message }) => message?.content[0].text ?? []);
    expect(texts).toHaveLength(42);
    expect(new Set(texts).size).toBe(42);
  });

  it("keeps the name that another process gave, also where both rewrite", async () => {
    const options = optionsIn(tempFolder());
    const one = SessionManager.create("/projects/pi", undefined, options);
    const id = one.appendMessage(assistant("one"));
    await one.flush();
    const path = one.getSessionFile() as string;
    const other = await SessionManager.open(path, undefined, options);

    await other.setSessionName("theirs");
    one.appendLabelChange(id, "label");
    await one.rewriteEntries();
    const afterOurs = one.getSessionName();
    await one.setSessionName("ours");
    await other.rewriteEntries();
    await Promise.all([one.close(), other.close()]);

    expect(afterOurs).toBe("theirs");
    expect(linesOf(path)[0].title).toBe("ours");
    expect(other.getSessionName()).toBe("ours");
    expect(other.getLabel(id)).toBe("label");
  });

  it("is not written, and says so from then on, where an image cannot be put away", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "blobs"), "a file in the way");
    const session = SessionManager.create("/projects/pi", undefined, optionsIn(folder));
    session.appendMessage(assistant("one"));
    await session.flush();
    const before = readFileSync(session.getSessionFile() as string, "utf8");
    session.appendMessage({
      role: "user",
      content: [{ type: "image", data: "A".repeat(4000), mimeType: "image/png" }],
    });

    const error = await session.flush().catch((thrown) => thrown);

    expect(isCmError(error, "journal/write-failed")).toBe(true);
    expect(() => session.appendMessage(user("two"))).toThrow(error);
    expect(readFileSync(session.getSessionFile() as string, "utf8")).toBe(before);
  });

  it("is written again where it was taken away", async () => {
    const session = SessionManager.create("/projects/pi", undefined, optionsIn(tempFolder()));
    session.appendMessage(assistant("one"));
    await session.flush();
    const path = session.getSessionFile() as string;
    await new FileSessionStorage().unlink(path);

    session.appendMessage(user("two"));
    session.appendMessage(user("three"));
    await session.close();

    expect(linesOf(path)).toHaveLength(4);
  });

  it("ends half a line that a killed process left, before its own", async () => {
    const options = optionsIn(tempFolder());
    const session = SessionManager.create("/projects/pi", undefined, options);
    session.appendMessage(assistant("one"));
    await session.close();
    const path = session.getSessionFile() as string;
    writeFileSync(path, '{"type":"mess', { flag: "a" });

    const again = await SessionManager.open(path, undefined, options);
    again.appendMessage(user("two"));
    await again.close();

    const loaded = await SessionManager.open(path, undefined, options);
    expect(loaded.buildSessionContext().messages.map(({ role }) => role)).toEqual(["assistant", "user"]);
  });
});

describe("an error of writing", () => {
  class FailingStorage extends MemorySessionStorage {
    fails = false;
    override async rename(path: string, nextPath: string): Promise<void> {
      if (this.fails) throw Object.assign(new Error("full"), { code: "ENOSPC" });
      await super.rename(path, nextPath);
    }
  }

  it("is told once, stays, and leaves the file and no scraps", async () => {
    const storage = new FailingStorage();
    const told: string[] = [];
    const options = optionsIn(tempFolder(), { storage, onError: ({ message }) => told.push(message) });
    const session = SessionManager.create("/projects/pi", "/sessions", options);
    session.appendMessage(assistant("one"));
    await session.flush();
    const path = session.getSessionFile() as string;
    const before = await storage.readText(path);
    storage.fails = true;

    const naming = await session.setSessionName("name").catch((error) => error);
    const flushing = await session.flush().catch((error) => error);

    expect(isCmError(naming, "journal/write-failed")).toBe(true);
    expect(flushing).toBe(naming);
    expect(() => session.appendMessage(user("two"))).toThrow(naming);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("ENOSPC");
    expect(storage.listFilesSync("/sessions", "*")).toEqual([path]);
    expect(await storage.readText(path)).toBe(before);

    storage.fails = false;
    await session.newSession();
    session.appendMessage(assistant("again"));
    await session.close();
    expect(storage.listFilesSync("/sessions", "*.jsonl")).toHaveLength(2);
  });

  it("leaves no temporary file on a disk", async () => {
    const folder = tempFolder();
    const session = SessionManager.create("/projects/pi", folder, optionsIn(folder));
    session.appendMessage(assistant("one"));
    await session.setSessionName("a name");
    await session.close();

    expect(readdirSync(folder)).toHaveLength(1);
    expect(linesOf(session.getSessionFile() as string)[0].title).toBe("a name");
  });
});
