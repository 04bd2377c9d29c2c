import { execFileSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { sealDocument } from "@cm/object-model";
import { openXtdbStore } from "@cm/store-xtdb";
import { connectXtdb, type Operation, put, type XtdbClient } from "@cm/xtdb-client";
import type { XtdbNode } from "@cm/xtdb-node";
import { absolute, compared, type Figure } from "../figure.ts";
import { sampleText } from "../samples/sample-documents.ts";
import { withFolder, withNodesOn } from "./bench-nodes.ts";

const files = 2_000;
const chars = 50_000;
const perCommit = 50;
/** The second version of each file differs in a field beside its text. */
const versions = 2;

interface Weight {
  readonly diskMb: number;
  readonly heapMb: number;
}

/** 2,000 files of 50 KB in two versions: the text in every version's document, and once in a document of its own. */
export async function contentBench(): Promise<readonly Figure[]> {
  const inline = await weighed(writeInline);
  const blobs = await weighed(writeWithStore);
  const what = `${files} files of ${chars / 1000} KB, ${versions} versions each, text once, by store-xtdb`;
  const peer = "text in each version's document";
  return [
    compared({ id: "xtdb.disk", what: `disk: ${what}`, unit: "MB", goal: 1 }, blobs.diskMb, {
      what: peer,
      value: inline.diskMb,
    }),
    compared({ id: "xtdb.heap", what: `heap after collection: ${what}`, unit: "MB", goal: null }, blobs.heapMb, {
      what: peer,
      value: inline.heapMb,
    }),
    absolute({ id: "xtdb.disk.text", what: "the texts alone, not compressed", unit: "MB", goal: null }, [
      (files * chars) / 1e6,
    ]),
  ];
}

function weighed(write: (client: XtdbClient) => Promise<void>): Promise<Weight> {
  return withFolder(async (folder) => {
    const heapMb = await withNodesOn([folder], async (node) => {
      if (node === undefined) return Number.NaN;
      const client = connectXtdb({ urls: node.url });
      await write(client);
      await client.close();
      return usedHeapMb(node);
    });
    // The newest writes are in the database's log until the next start moves them into compressed tables.
    await withNodesOn([folder], async () => {});
    return { heapMb, diskMb: folderMb(folder) };
  });
}

async function writeInline(client: XtdbClient): Promise<void> {
  for (let version = 0; version < versions; version += 1) {
    for (let from = 0; from < files; from += perCommit) {
      const operations: Operation[] = Array.from({ length: perCommit }, (_, n) => {
        const { content, content_hash, identity_hash, type } = file(from + n, version);
        return put({ "xt/id": `file_${from + n}`, type, identity_hash, content_hash, content });
      });
      await client.submitAndConfirm(operations);
    }
  }
}

async function writeWithStore(client: XtdbClient): Promise<void> {
  const store = openXtdbStore({ client });
  for (let version = 0; version < versions; version += 1) {
    for (let from = 0; from < files; from += perCommit) {
      const writes = Array.from({ length: perCommit }, (_, n) => ({
        document: file(from + n, version),
        expect: "any" as const,
      }));
      await store.commit(writes);
    }
  }
}

function file(number: number, version: number) {
  return sealDocument(
    { type: "toolcall", id: `file_${number}` },
    {
      content: sampleText(number, chars),
      tool: "read",
      args: { path: `src/${number}.ts` },
      status: "ok",
      chat_ref: `chat:${version}`,
    },
  );
}

/** After a full collection, by the JDK's own tool. */
function usedHeapMb({ pid }: XtdbNode): number {
  execFileSync("jcmd", [String(pid), "GC.run"]);
  const info = execFileSync("jcmd", [String(pid), "GC.heap_info"], { encoding: "utf8" });
  const used = [...info.matchAll(/^ (?!.*Metaspace|.*class space).*used (\d+)K/gm)].map(([, kib]) => Number(kib));
  return used.reduce((sum, kib) => sum + kib, 0) / 1024;
}

function folderMb(folder: string): number {
  const files = globSync("**/*", { cwd: folder }).map((path) => statSync(join(folder, path)));
  return files.filter((each) => each.isFile()).reduce((sum, { size }) => sum + size, 0) / 1e6;
}
