// @module-tag process
// Verifies: SSOT 5.2, 5.3, 5.4: the example of SSOT 5.3 with two agents, one of them in a real mount namespace.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileTouch, RenderedPrompt } from "@cm/context-log";
import { createMemoryStore, type FilesystemBinding, type ObjectStore, type Source } from "@cm/object-model";
import { layouts } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import {
  type ClientEnvironment,
  containerFilesystemId,
  createFilesystemSource,
  detectEnvironment,
  detectMountView,
  type FilesystemSource,
  type MountMapping,
  mappingsFromMountinfo,
} from "@cm/sources-fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { canUnshare, type MountSandbox, openMountSandbox } from "./support/mount-sandbox.ts";

const withNamespaces = requirement("root, and unshare, nsenter, mount and chroot on the PATH", canUnshare);

const container = containerFilesystemId("6f1c9c04d1c1e0f6a84c1a7a3ab0c2f4a7be95c1d3f86f2b4a7e90d2c5b81e37");

interface Agent {
  readonly source: FilesystemSource;
  readonly session: Session;
}

withNamespaces("two agents, one of them in a mount namespace", () => {
  let sandbox: MountSandbox;
  let environment: ClientEnvironment;
  let mappings: readonly MountMapping[];
  const opened: Agent[] = [];

  beforeAll(async () => {
    sandbox = await openMountSandbox();
    environment = detectEnvironment();
    mappings = mappingsFromMountinfo(sandbox.mountinfo, {
      filesystemId: container,
      container: true,
      outer: detectMountView(),
    });
  });

  afterAll(async () => {
    for (const { session, source } of opened) await Promise.all([session.close(), source.close()]);
    await sandbox?.close();
  });

  async function agent(store: ObjectStore, name: "host" | "sandboxed"): Promise<Agent> {
    const source = createFilesystemSource({
      roots: [sandbox.folder],
      environment,
      ...(name === "host" ? {} : { sandbox: { filesystemId: container, mappings } }),
    });
    const session = await openSession({
      store,
      layout: layouts.ssot,
      sources: [source as Source],
      session: name,
      systemPrompt: "You are a test.",
    });
    opened.push({ source, session });
    return { source, session };
  }

  it("have one object with one history of a file, each under the path it knows", async () => {
    const store = createMemoryStore();
    const [host, sandboxed] = [await agent(store, "host"), await agent(store, "sandboxed")];
    const hostPath = join(sandbox.project, "src/main.ts");
    const binding = await host.source.bind(hostPath);

    const inside = await sandboxed.source.bind("/workspace/src/../src//main.ts");
    await reads(host, binding);
    writeFileSync(hostPath, "export const changed = true;\n");
    await reads(sandboxed, inside);
    const prompts = [await host.session.assemble(), await sandboxed.session.assemble()];

    expect(binding).toEqual({ type: "filesystem", filesystemId: environment.filesystemId, path: hostPath });
    expect(inside).toEqual(binding);
    const ids = [...(await fileIds(host)), ...(await fileIds(sandboxed))];
    expect(new Set(ids).size).toBe(1);
    const history = await store.history(ids[0] ?? "");
    expect(history.versions).toHaveLength(2);
    expect(prompts.map(pathsOf)).toEqual([[hostPath], ["/workspace/src/main.ts"]]);
    expect(prompts.every((prompt) => textOf(prompt).includes("export const changed = true;"))).toBe(true);
  });

  it("see the canonical path where no mapping leads to a file", async () => {
    const store = createMemoryStore();
    const [host, sandboxed] = [await agent(store, "host"), await agent(store, "sandboxed")];
    const notes = join(sandbox.folder, "home/ada/notes.md");
    const binding = await host.source.bind(notes);

    await reads(sandboxed, binding);

    const prompt = await sandboxed.session.assemble();
    expect(pathsOf(prompt)).toEqual([notes]);
    expect(textOf(prompt)).toContain("not in the sandbox");
  });

  it("have the container's id for a path without a mapping, with the newest part that its agent saw", async () => {
    const { source, session } = await agent(createMemoryStore(), "sandboxed");
    const binding = await source.bind("/note.txt");

    await reads({ source, session }, binding, { text: "an older part", span: { startLine: 9, endLine: 9 } });
    await reads({ source, session }, binding, { text: "only here", span: { startLine: 1, endLine: 1 } });

    expect(binding).toEqual({ type: "filesystem", filesystemId: container, path: "/note.txt" });
    const [observation] = await source.observe([{ binding }], { contentBytesMax: 1_000, deadlineMs: 60_000 });
    expect(observation).toMatchObject({ kind: "unreachable" });
    const prompt = await session.assemble();
    const [id] = await fileIds({ source, session });
    expect(pathsOf(prompt)).toEqual(["/note.txt"]);
    expect(prompt.messages.map(({ text }) => text)).toContain(`ACTIVE_CONTENT id=${id} [unread]\nonly here`);
  });

  it("have the same binding, found by a client outside and by one inside the namespace", async () => {
    const { source } = await agent(createMemoryStore(), "host");
    const hostPath = join(sandbox.project, "src/main.ts");
    const client = new URL("fixtures/mounts/client.mjs", import.meta.url);

    const inside = sandbox.run(client, "/workspace/src/main.ts", "/workspace");

    const text = readFileSync(hostPath, "utf8");
    expect(inside).toMatchObject({
      binding: await source.bind(hostPath),
      observation: { kind: "present", content: { text } },
    });
  });
});

/** One step in which an agent reads a file. */
async function reads(
  { session }: Agent,
  binding: FilesystemBinding,
  seen: { readonly text: string; readonly span?: NonNullable<FileTouch["span"]> } = { text: "..." },
): Promise<void> {
  const { text, span = { startLine: 1 } } = seen;
  const callId = `read ${text}`;
  await session.receive([{ role: "user", text: "Read it." }]);
  await session.assemble();
  await session.record({
    answer: { role: "assistant", text: "", calls: [{ callId, tool: "read", args: {} }] },
    results: [{ role: "tool", callId, text, failed: false, files: [{ binding, as: "read", span }] }],
  });
}

async function fileIds({ session }: Agent): Promise<readonly string[]> {
  return (await session.objects()).filter(({ kind }) => kind === "file").map(({ id }) => id);
}

function textOf({ messages }: RenderedPrompt): string {
  return messages.map(({ text }) => text).join("\n");
}

/** The paths of the pool's lines. */
function pathsOf(prompt: RenderedPrompt): readonly string[] {
  return Array.from(textOf(prompt).matchAll(/^id=\S+ type=file path=(\S+)/gm), ([, path]) => path ?? "");
}
