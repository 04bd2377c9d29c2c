import { CmError, type ObjectStore } from "@cm/object-model";
import { nodeUrls } from "@cm/store-place";
import { openXtdbStore } from "@cm/store-xtdb";
import { connectXtdb, type XtdbClient } from "@cm/xtdb-client";

/** A node to replay into, for all runs of one command. */
export interface XtdbServer {
  /** A database of its own on the node, as far as names keep things apart. */
  store(namespace: string): ObjectStore & { close(): Promise<void> };
  /** A note for the reader of the results. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

const sharedNotes = [
  "Kept on a shared XTDB node: isolation is weak. Session ids are unique, but every client of the node can read and  " +
    "change what they hold, and the times include waiting for others.",
];

/**
 * The node that `CM_XTDB_URL` names (several of one database: with commas), with the token of `CM_XTDB_TOKEN`; else one
 * in memory that ends with the command, or when this process dies.
 *
 * @throws CmError `replay/xtdb`, with what is missing or wrong
 */
export async function openXtdbServer(): Promise<XtdbServer> {
  const urls = nodeUrls(process.env.CM_XTDB_URL ?? "");
  try {
    return urls.length > 0 ? await sharedNode(urls) : await ownNode();
  } catch (error) {
    const what = urls.length > 0 ? "The XTDB node cannot be used." : "No XTDB node could be started.";
    const reason = error instanceof Error ? error.message : "";
    throw new CmError("replay/xtdb", `${what} ${reason}`, {}, { cause: error });
  }
}

async function sharedNode(urls: readonly string[]): Promise<XtdbServer> {
  const client = connectXtdb({ urls, token: process.env.CM_XTDB_TOKEN });
  return answering(client, sharedNotes, () => client.close());
}

/** The launcher is loaded only here: all else works without Java. */
async function ownNode(): Promise<XtdbServer> {
  const { prepare, startNode } = await import("@cm/xtdb-node");
  await prepare({ progress: (line) => process.stderr.write(`${line} ...\n`) });
  const node = await startNode();
  const client = connectXtdb({ urls: node.url });
  return answering(client, [], async () => {
    await client.close();
    await node.stop();
  });
}

async function answering(
  client: XtdbClient,
  notes: readonly string[],
  close: () => Promise<void>,
): Promise<XtdbServer> {
  try {
    await client.status();
  } catch (error) {
    await close();
    throw error;
  }
  return { notes, close, store: (namespace) => openXtdbStore({ client, namespace }) };
}
