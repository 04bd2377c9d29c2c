import { rmSync } from "node:fs";
import { basename } from "node:path";
import { counted, visiblePath } from "@cm/terminal-text";
import { piError } from "../../errors.ts";
import { keepPrivate, openToOthers } from "../../own-files/keep-private.ts";
import { moveAside } from "../../own-files/move-aside.ts";
import { leftovers, ownFiles, stateCacheFile } from "../../own-files/own-files.ts";
import { firstBytesOf } from "../../own-files/sqlite-header.ts";
import type { CommandHost } from "../command-host.ts";
import { commandLimits } from "../command-limits.ts";
import { isBadCache } from "./check-rights.ts";

const shown = (path: string) => visiblePath(path, commandLimits.noteCharsMax);

/** Mends what loses nothing: rights, the cache of file states, leftovers. Says what it did, a line for each. */
export async function fixFiles(host: CommandHost): Promise<string> {
  const done = [...fixRights(host), ...(await fixCache(host)), ...fixLeftovers(host)];
  if (isDamaged(host)) done.push("The database is damaged. /cm doctor fix store moves it aside and begins a new one.");
  return done.length === 0 ? "Nothing to mend." : done.join("\n");
}

/**
 * Moves a damaged database aside, so that a new one is made and filled from Pi's session file. Deletes nothing.
 * @throws CmError `pi/invalid-input` where it is not damaged, or cannot be moved
 */
export async function fixStore(host: CommandHost): Promise<string> {
  const { store } = host.settings();
  if (store.kind !== "sqlite" || !isDamaged(host)) {
    throw piError(
      "pi/invalid-input",
      "The database is not damaged, so it stays where it is. /cm doctor says what is wrong.",
    );
  }
  const aside = await movedAside(host, store.path, "damaged");
  return `The damaged database was moved to ${shown(aside)}; nothing was deleted. A new one is made in its place and gets this session from Pi's own file. Sessions of the past are filled in when you resume them.`;
}

function isDamaged(host: CommandHost): boolean {
  const { store } = host.settings();
  if (store.kind !== "sqlite") return false;
  return host.managed()?.health.state === "damaged" || firstBytesOf(store.path) === "other";
}

function fixRights(host: CommandHost): readonly string[] {
  const files = ownFiles(host.settings());
  const open = openToOthers(files);
  const left = keepPrivate(files);
  const closed = open.filter(({ path }) => left.every((other) => other.path !== path));
  return [
    ...(closed.length === 0 ? [] : [`Closed to other users: ${closed.map(({ path }) => basename(path)).join(", ")}.`]),
    ...left.map(({ path }) => `${shown(path)} could not be closed to other users; its file system may have no modes.`),
  ];
}

async function fixCache(host: CommandHost): Promise<readonly string[]> {
  const { store } = host.settings();
  if (store.kind !== "sqlite") return [];
  const path = stateCacheFile(store.path);
  if (!isBadCache(path)) return [];
  return [`${shown(path)} was moved to ${shown(await movedAside(host, path, "aside"))}; a new one is made.`];
}

async function movedAside(host: CommandHost, path: string, why: string): Promise<string> {
  let aside = path;
  try {
    await host.apart(() => {
      aside = moveAside(path, why);
    });
  } catch (cause) {
    throw piError("pi/invalid-input", `${shown(path)} cannot be moved; look at its owner and modes.`, {}, { cause });
  }
  return aside;
}

function fixLeftovers(host: CommandHost): readonly string[] {
  const paths = leftovers(host.settings());
  let gone = 0;
  for (const path of paths) {
    try {
      rmSync(path);
      gone += 1;
    } catch {
      // The doctor goes on naming it.
    }
  }
  return gone === 0 ? [] : [`Deleted: ${counted(gone, "file")} that nothing needs any more.`];
}
