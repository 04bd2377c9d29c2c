import { reasons, Trouble } from "../reasons.ts";

/** A folder's entry of one name. */
export interface TreeEntry {
  readonly kind: "file" | "folder" | "symbolic-link" | "submodule";
  readonly id: string;
}

/** By name, as `nameKey` writes it. */
export type Tree = ReadonlyMap<string, TreeEntry>;

const space = 0x20;
const modeBytesMax = 6;

/** Names in git are bytes, not text: one character for each byte. */
export function nameKey(component: string): string {
  return Buffer.from(component, "utf8").toString("latin1");
}

/**
 * Reads a folder from the bytes that git stores: mode, space, name, NUL and the id in binary, one after the other.
 * @throws Trouble where the bytes are anything else
 */
export function parseTree(bytes: Buffer, idBytes: number): Tree {
  const tree = new Map<string, TreeEntry>();
  for (let at = 0; at < bytes.length; ) {
    const nameAt = bytes.indexOf(space, at) + 1;
    const idAt = bytes.indexOf(0, nameAt) + 1;
    const next = idAt + idBytes;
    if (nameAt === 0 || idAt === 0 || nameAt - at - 1 > modeBytesMax || next > bytes.length) throw damaged();
    const name = bytes.toString("latin1", nameAt, idAt - 1);
    if (name === "") throw damaged();
    // If two entries have one name, which no git writes, the first one is found.
    if (!tree.has(name)) {
      tree.set(name, { kind: kindOf(bytes.toString("latin1", at, nameAt - 1)), id: bytes.toString("hex", idAt, next) });
    }
    at = next;
  }
  return tree;
}

/** The share of a folder in the cache of folders; an empty one counts, too. */
export function weightOf(tree: Tree): number {
  return tree.size + 1;
}

function kindOf(mode: string): TreeEntry["kind"] {
  if (!/^[0-7]{5,6}$/.test(mode)) throw damaged();
  switch (Number.parseInt(mode, 8) & 0o170000) {
    case 0o100000:
      return "file";
    case 0o040000:
      return "folder";
    case 0o120000:
      return "symbolic-link";
    case 0o160000:
      return "submodule";
    default:
      throw damaged();
  }
}

function damaged(): Trouble {
  return new Trouble(reasons.damagedObject);
}
