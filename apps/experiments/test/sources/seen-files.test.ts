// @module-tag process
// Verifies: SSOT 3.3, 4.4, 5.6: over real files, what is read again is known, and what is gone is shown as it was seen.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RenderedPrompt } from "@cm/context-log";
import type { ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { createFilesystemSource, type FilesystemSource } from "@cm/sources-fs";
import { openSqliteStore } from "@cm/store-sqlite";
import { expect, it } from "vitest";
import { inFolder } from "../support/command.ts";

const lines = Array.from({ length: 60 }, (_, n) => `export const value${n} = "the ${n}th of many lines";`);

it("a file that is read again in the next process is the same, and changed it is what changed", async () => {
  await inWorld(async ({ path, write, process }) => {
    write(lines);
    await process((session) => readWhole(session, path, lines));

    const same = await process((session) => readWhole(session, path, lines));
    write(lines.with(30, "// another line"));
    const changed = await process((session) => readWhole(session, path, lines.with(30, "// another line")));

    expect(lastOf(same.prompt)).toBe("[cm: the same 60 lines of values.ts as 1 call above; cm_context show t2]");
    expect(lastOf(changed.prompt)).toMatch(
      /^\[cm: 60 lines of values\.ts left out; below is what changed since \d calls? above; .*\]\n/,
    );
    expect(lastOf(changed.prompt)).toContain("+// another line");
    expect(lastOf(changed.prompt)).not.toContain("value3 ");
    expect(changed.seen.map(({ toolcall, isCurrent }) => [toolcall, isCurrent])).toEqual([
      ["read 3", true],
      ["read 2", false],
      ["read 1", false],
    ]);
  });
});

it.each([
  ["deleted", "it is deleted", (path: string) => rmSync(path)],
  ["binary", "it is no text", (path: string) => writeFileSync(path, new Uint8Array([0xff, 0x00]))],
] as const)("a file that became %s is shown by what was seen of it last, marked so", async (_, why, become) => {
  await inWorld(async ({ path, write, process }) => {
    write(lines);
    await process(async (session) => {
      const read = await readWhole(session, path, lines.slice(0, 2));
      await session.command({ action: "hide", id: "f1" });
      await session.record({ answer: { role: "assistant", text: "done" } });
      return read;
    });
    become(path);

    const prompt = await process(async (session) => {
      const outcome = await session.command({ action: "activate", id: "f1" });
      expect(outcome).toMatchObject({ done: true, changed: true });
      return session.assemble();
    });

    const [line1, line2] = lines;
    const notice = `[cm: brought back here: file ${path}, 2 lines (f1), the part that was seen; ${why}]`;
    expect(prompt.messages[1]?.text).toBe(`${line1}\n${line2}\n${notice}\n${line1}\n${line2}`);
  });
});

it("a file that was listed and is gone is refused with the reason", async () => {
  await inWorld(async ({ path, write, process }) => {
    write(lines);
    await process((session, files) => list(session, files, path));
    rmSync(path);

    const outcome = await process((session) => session.command({ action: "activate", id: "f1" }));

    expect(outcome).toEqual({
      done: false,
      reason: "f1 cannot be shown: it was deleted, and no part of it was ever seen.",
    });
  });
});

interface World {
  readonly path: string;
  readonly write: (text: readonly string[]) => void;
  /** Runs in a session that is opened for it, as a process of its own would. */
  readonly process: <T>(run: (session: Session, files: FilesystemSource) => Promise<T>) => Promise<T>;
}

async function inWorld(run: (world: World) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, "values.ts");
    const store: ObjectStore = openSqliteStore({ path: join(folder, "cm.sqlite") });
    await run({
      path,
      write: (text) => writeFileSync(path, text.join("\n")),
      process: async (inside) => {
        const files = createFilesystemSource({ roots: [folder] });
        const options = { store, layout: layouts.log, rendererFor, sources: [files], session: "s", tellResumed: false };
        const session = await openSession(options);
        const done = await inside(session, files);
        await session.close();
        await files.close();
        return done;
      },
    });
    await store.close?.();
  });
}

/** A call of the read tool that shows these lines, the request after it, and what was seen by then. */
async function readWhole(session: Session, path: string, text: readonly string[]) {
  const binding = await createFilesystemSource({ roots: [join(path, "..")] }).bind(path);
  const callId = `read ${session.chat().toolcall_refs.length + 1}`;
  await session.assemble();
  await session.record({
    answer: { role: "assistant", text: "", calls: [{ callId, tool: "read", args: { path } }] },
    results: [
      {
        role: "tool",
        callId,
        text: text.join("\n"),
        failed: false,
        files: [{ binding, as: "read", span: { startLine: 1, endLine: text.length } }],
      },
    ],
  });
  return { prompt: await session.assemble(), seen: session.seen("f1") };
}

async function list(session: Session, files: FilesystemSource, path: string): Promise<void> {
  await session.assemble();
  await session.record({
    answer: { role: "assistant", text: "", calls: [{ callId: "list", tool: "bash", args: { command: "ls" } }] },
    results: [
      {
        role: "tool",
        callId: "list",
        text: "values.ts",
        failed: false,
        files: [{ binding: await files.bind(path), as: "discovered" }],
      },
    ],
  });
}

function lastOf({ messages }: RenderedPrompt): string {
  return messages.at(-1)?.text ?? "";
}
