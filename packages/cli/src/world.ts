import type { Readable, Writable } from "node:stream";

/** A stream to write to, with what a terminal adds. */
export interface Surface extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}

/** All that a command touches beside files and stores. */
export interface World {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Surface;
  readonly stderr: Surface;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths are meant from here. */
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The process's own. `npm run cm` runs in the workspace's root and says where the user stood. */
export function processWorld(): World {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.env.CM_CALLER_FOLDER ?? process.cwd(),
    now: Date.now,
  };
}
