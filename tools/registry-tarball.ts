import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { runNpm, runProgram } from "./run-program.ts";

export interface PinnedTarball {
  /** `name@version`. */
  readonly spec: string;
  /** SHA-512 of the tarball, in base64. */
  readonly sha512: string;
  /** The file that contains the pin. */
  readonly pinnedIn: string;
  /** The folder of the tarball that is unpacked; all of it without. */
  readonly only?: string;
}

/**
 * Fetches a package into an empty folder, with the registry that npm is configured to use, and unpacks it there.
 * @param missing makes the error of what could not be done
 * @throws its error without a way to the registry; Error for another tarball than the pinned one
 */
export async function fetchTarball(
  { spec, sha512, pinnedIn, only }: PinnedTarball,
  folder: string,
  missing: (message: string) => Error,
): Promise<void> {
  await must(`fetch ${spec}`, runNpm(["pack", spec, "--ignore-scripts", "--prefer-offline"], folder), missing);
  const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  const hash = createHash("sha512")
    .update(await readFile(join(folder, tarball)))
    .digest("base64");
  if (hash !== sha512)
    throw new Error(`The tarball of ${spec} is not the one that ${pinnedIn} names; nothing was run of it.`);
  await must(
    `unpack ${spec}`,
    runProgram("tar", ["-xzf", tarball, ...(only === undefined ? [] : [only])], folder),
    missing,
  );
  await rm(join(folder, tarball));
}

/** Waits for a program to end well. */
export async function must(
  what: string,
  running: ReturnType<typeof runProgram>,
  missing: (message: string) => Error,
): Promise<void> {
  const { code, output } = await running;
  if (code === 0) return;
  throw missing(
    `Could not ${what}. The first run needs npm's registry, later ones do not: check the connection and ` +
      `\`npm config get registry\`, then run the same command again.\n${output.trim()}`,
  );
}
