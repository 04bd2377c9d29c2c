import type { DisplayEvent } from "../display/fold-display.ts";
import { checkId } from "../documents/ids.ts";
import { fault, invalid, overLimit } from "../errors.ts";
import { lineageLimits } from "../limits.ts";
import type { RunState, StateStore } from "./contract.ts";

/** Where bytes are kept by key: a folder, a bucket. */
export interface Blobs {
  /** All of it or nothing, also beside other writers. */
  put(key: string, text: string): Promise<void>;
  /** Undefined where there is none. */
  get(key: string, bytesMax: number): Promise<string | undefined>;
  /** Also where there is none. */
  remove(keys: readonly string[]): Promise<void>;
  close?(): Promise<void>;
}

/** The seed's storage layout over any place for bytes. */
export function stateStoreOver(blobs: Blobs, prefix = ""): StateStore {
  const folder = `${checkPrefix(prefix)}sessions/`;
  const keyOf = (id: string, name: string) => `${folder}${checkId("id", id)}/${name}`;
  const stateKey = (id: string) => keyOf(id, "state.json");
  const displayKey = (id: string) => keyOf(id, "display_messages.json");
  return {
    contract: "state-store/1",
    writeState: (id, state) => written(id, blobs, { key: stateKey(id), value: state, limit: "stateBytesMax" }),
    writeDisplay: (id, events) => written(id, blobs, { key: displayKey(id), value: events, limit: "displayBytesMax" }),
    async readState(id) {
      const value = await readJson(id, blobs, { key: stateKey(id), limit: "stateBytesMax" });
      if (value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value))) {
        return value as RunState | undefined;
      }
      throw unreadable(id);
    },
    async readDisplay(id) {
      const value = await readJson(id, blobs, { key: displayKey(id), limit: "displayBytesMax" });
      if (value === undefined || Array.isArray(value)) return value as readonly DisplayEvent[] | undefined;
      throw unreadable(id);
    },
    async deleteRun(id) {
      try {
        // The state last: what is left of an interrupted deletion is still whole.
        await blobs.remove([displayKey(id), stateKey(id)]);
      } catch (error) {
        throw fault(
          "lineage/state-unwritten",
          `The state of the run ${id} could not be deleted; repeat it.`,
          { id },
          error,
        );
      }
    },
    ...(blobs.close === undefined ? {} : { close: () => blobs.close?.() ?? Promise.resolve() }),
  };
}

interface Place {
  readonly key: string;
  readonly limit: "stateBytesMax" | "displayBytesMax";
}

async function written(
  id: string,
  blobs: Blobs,
  { key, value, limit }: Place & { readonly value: unknown },
): Promise<void> {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (bytes > lineageLimits[limit]) throw overLimit(limit, bytes);
  try {
    await blobs.put(key, text);
  } catch (error) {
    throw fault(
      "lineage/state-unwritten",
      `The state of the run ${id} could not be written; look at its cause.`,
      { id },
      error,
    );
  }
}

async function readJson(id: string, blobs: Blobs, { key, limit }: Place): Promise<unknown> {
  try {
    const text = await blobs.get(key, lineageLimits[limit]);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    // A parser quotes what it read.
    throw unreadable(id, error instanceof SyntaxError ? undefined : error);
  }
}

const unreadable = (id: string, cause?: unknown) =>
  fault(
    "lineage/state-unreadable",
    `The state of the run ${id} could not be read; look at the state store.`,
    { id },
    cause,
  );

/** Folders, none of them hidden or above. @throws CmError `lineage/invalid` */
function checkPrefix(prefix: string): string {
  if (prefix === "") return "";
  const names = prefix.replace(/\/$/, "").split("/");
  for (const name of names) {
    if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(name)) {
      throw invalid(
        "prefix",
        "A prefix is names of letters, digits, dots, underscores and hyphens with slashes between.",
      );
    }
  }
  // The folder of another store's states.
  if (names.includes("sessions")) throw invalid("prefix", "A prefix has no folder called sessions; name it otherwise.");
  return `${names.join("/")}/`;
}
