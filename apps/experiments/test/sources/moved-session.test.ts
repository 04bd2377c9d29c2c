// @module-tag process
// Verifies: SSOT 2.4, 3.6, 4.1, 5.3: over real files, a session that was moved names them by today's paths, and keeps whose they are.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RenderedPrompt } from "@cm/context-log";
import { runContextTool } from "@cm/context-tool";
import { createMemoryStore, objectIdOf } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { type OpenSessionOptions, openSession, rebuildPrompts, type Session } from "@cm/session";
import { createFilesystemSource, type FilesystemSourceOptions } from "@cm/sources-fs";
import { openSqliteStore } from "@cm/store-sqlite";
import { describe, expect, it } from "vitest";
import { inFolder } from "../support/command.ts";

const bothLayouts = ["log", "ssot"] as const;
const stores = ["memory", "SQLite"] as const;

describe.each(stores)("over %s, a session", (kind) => {
  it.each(bothLayouts)(
    "that is resumed where the folder is mounted elsewhere names all files there, under %s",
    async (layout) => {
      await inWorld(kind, async ({ a, open, told, isRebuilt }) => {
        a.write("src/changed.ts", "one\n");
        a.write("src/same.ts", "same\n");
        const left = await open({ ...a.machine, layout: layouts[layout] });
        await left.read(join(a.root, "src/changed.ts"), "one\n");
        await left.read(join(a.root, "src/same.ts"), "same\n");
        await left.session.close();
        a.write("src/changed.ts", "two\n");

        const sandbox = {
          filesystemId: "box",
          mappings: [{ agentPrefix: "/ws", canonicalPrefix: a.root, filesystemId: "A" }],
        };
        const { session, read } = await open({ ...a.machine, sandbox, layout: layouts[layout] });
        const prompt = await session.assemble();
        await session.record({ answer: { role: "assistant", text: "on" } });

        expect(await told(session)).toEqual(["/ws/src/changed.ts", "/ws/src/same.ts"]);
        expect(ours(prompt)).toContain(
          layout === "log"
            ? `[cm: files below ${a.root}/src are now below /ws/src]`
            : `moved was=${a.root}/src now=/ws/src`,
        );
        expect((await runContextTool(session, { action: "list" })).text).toContain("/ws/src/same.ts");
        expect((await runContextTool(session, { action: "show", ids: ["/ws/src/same.ts"] })).text).toContain("same");
        await read("/ws/src/same.ts", "same\n");
        expect(await told(session)).toEqual(["/ws/src/changed.ts", "/ws/src/same.ts"]);
        await isRebuilt();
      });
    },
  );

  it.each(bothLayouts)(
    "that goes on upon another machine shows no path of the first, and no text of it as new, under %s",
    async (layout) => {
      await inWorld(kind, async ({ a, b, open, told, textsOf, isRebuilt }) => {
        for (const machine of [a, b]) machine.write("same.ts", "same\n");
        a.write("differs.ts", "of A\n");
        b.write("differs.ts", "of B\n");
        const left = await open({ ...a.machine, layout: layouts[layout] });
        await left.read(join(a.root, "same.ts"), "same\n");
        await left.read(join(a.root, "differs.ts"), "of A\n");
        await left.session.close();

        const { session, read } = await open({ ...b.machine, layout: layouts[layout] });
        const prompt = await session.assemble();
        await session.record({ answer: { role: "assistant", text: "on" } });

        expect(await told(session)).toEqual([join(b.root, "differs.ts"), join(b.root, "same.ts")]);
        const moved = ours(prompt).filter((line) => line.includes(a.root));
        expect(moved).toEqual([
          layout === "log"
            ? `[cm: files below ${a.root} are now below ${b.root}]`
            : `moved was=${a.root} now=${b.root}`,
        ]);
        expect(JSON.stringify(prompt)).toContain("+of B");
        await read(join(b.root, "differs.ts"), "of B\n");
        await read(join(b.root, "same.ts"), "same\n");
        expect(await told(session)).toHaveLength(2);
        expect([await textsOf("A", join(a.root, "differs.ts")), await textsOf("A", join(a.root, "same.ts"))]).toEqual([
          ["of A\n"],
          ["same\n"],
        ]);
        expect([await textsOf("B", join(b.root, "differs.ts")), await textsOf("B", join(b.root, "same.ts"))]).toEqual([
          ["of B\n"],
          ["same\n"],
        ]);
        const shown = await runContextTool(session, { action: "show", ids: ["f2"] });
        expect(shown.text).toContain("of B");
        await isRebuilt();
      });
    },
  );

  it("of another machine that takes over a file leaves its history alone", async () => {
    await inWorld(kind, async ({ a, b, open, told, textsOf }) => {
      a.write("f.ts", "of A\n");
      b.write("f.ts", "of B\n");
      const left = await open({ ...a.machine, session: "of-a" });
      await left.read(join(a.root, "f.ts"), "of A\n");
      await left.session.close();

      const { session } = await open({ ...b.machine, session: "of-b", discover: [{ type: "filesystem" }] });
      await session.adopt(objectIdOf({ type: "file", source: a.at("f.ts") }));
      await session.assemble();
      await session.record({ answer: { role: "assistant", text: "on" } });

      expect(await textsOf("A", join(a.root, "f.ts"))).toEqual(["of A\n"]);
      expect(await textsOf("B", join(b.root, "f.ts"))).toEqual(["of B\n"]);
      expect(await told(session)).toEqual([join(b.root, "f.ts")]);
    });
  });

  it("whose relocation is only the way into the sandbox goes on with the sandbox's own files", async () => {
    await inWorld(kind, async ({ a, open, told, textsOf }) => {
      a.write("inner.txt", "one\n");
      const way = {
        roots: [a.root],
        environment: { filesystemId: "A", mappings: [], findings: [] },
        sandbox: { filesystemId: "box", mappings: [] },
        relocations: [{ filesystemId: "box", canonicalPrefix: "/root", localPrefix: a.root }],
      };
      const { session, read } = await open({ files: way });
      await read("/root/inner.txt", "one\n");
      a.write("inner.txt", "two\n");
      await session.assemble();
      await session.record({ answer: { role: "assistant", text: "on" } });

      expect(await textsOf("box", "/root/inner.txt")).toEqual(["two\n", "one\n"]);
      expect(await told(session)).toEqual(["/root/inner.txt"]);
    });
  });
});

interface Opening extends Partial<Omit<OpenSessionOptions, "store">> {
  readonly files?: FilesystemSourceOptions;
  readonly sandbox?: FilesystemSourceOptions["sandbox"];
}

/** Two machines with a folder each, over one store; on the second the first one's files are in its own folder. */
async function inWorld(kind: (typeof stores)[number], run: (world: ReturnType<typeof worldIn>) => Promise<void>) {
  await inFolder(async (folder) => {
    const closing: (() => Promise<void>)[] = [];
    try {
      await run(worldIn(folder, kind, closing));
    } finally {
      for (const close of closing.reverse()) await close();
    }
  });
}

function worldIn(folder: string, kind: (typeof stores)[number], closing: (() => Promise<void>)[]) {
  const store = kind === "memory" ? createMemoryStore() : openSqliteStore({ path: join(folder, "cm.sqlite") });
  closing.push(async () => store.close?.());
  const machineAt = (name: string, others: FilesystemSourceOptions["relocations"] = []) => {
    const root = join(folder, name);
    mkdirSync(join(root, "src"), { recursive: true });
    const environment = { filesystemId: name, mappings: [], findings: [] };
    return {
      root,
      machine: { files: { roots: [root], environment, relocations: others } },
      write: (path: string, text: string) => writeFileSync(join(root, path), text),
      at: (path: string) => ({ type: "filesystem", filesystemId: name, path: join(root, path) }) as const,
    };
  };
  const a = machineAt("A");
  const b = machineAt("B", [{ filesystemId: "A", canonicalPrefix: a.root, localPrefix: join(folder, "B") }]);

  async function open({ files = a.machine.files, sandbox, ...options }: Opening) {
    const source = createFilesystemSource({ ...files, ...(sandbox === undefined ? {} : { sandbox }) });
    closing.push(() => source.close());
    const session = await openSession({
      ...{ store, layout: layouts.log, rendererFor, session: "s", sources: [source] },
      ...options,
    });
    closing.push(() => session.abandon());
    return { session, read: async (path: string, text: string) => readIn(session, await source.bind(path), text) };
  }

  return {
    ...{ a, b, open },
    /** The paths of the session's files, sorted. */
    told: async (session: Session) => (await session.objects()).flatMap(({ path }) => path ?? []).sort(),
    textsOf: async (filesystemId: string, path: string) => {
      const id = objectIdOf({ type: "file", source: { type: "filesystem", filesystemId, path } });
      const { versions } = await store.history(id, { documents: true });
      return versions.map(({ document }) => document?.content);
    },
    isRebuilt: async () => {
      for await (const { hash, recordedHash, complete } of rebuildPrompts(store, "s", rendererFor))
        expect([hash, complete]).toEqual([recordedHash, true]);
    },
  };
}

/** A call of the read tool that shows a whole file. */
async function readIn(
  session: Session,
  binding: Awaited<ReturnType<ReturnType<typeof createFilesystemSource>["bind"]>>,
  text: string,
): Promise<void> {
  const callId = `read ${session.chat().toolcall_refs.length + 1}`;
  await session.assemble();
  await session.record({
    answer: { role: "assistant", text: "", calls: [{ callId, tool: "read", args: {} }] },
    results: [{ role: "tool", callId, text, failed: false, files: [{ binding, as: "read", span: { startLine: 1 } }] }],
  });
}

/** What we say in a prompt, line by line. */
function ours({ messages }: RenderedPrompt): readonly string[] {
  return messages.flatMap(({ text }) => text.split("\n"));
}
