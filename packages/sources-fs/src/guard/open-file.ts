import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { failureOf, reasons } from "../reasons.ts";

/** `again`: the path changed between two scans of it, by a save or by an attack. */
export type Opened =
  | { readonly fd: number; readonly stat: BigIntStats }
  | { readonly missing: true }
  | { readonly unreachable: string }
  | { readonly again: string };

// Not on every platform: without them the checks on the handle decide alone.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

/**
 * Opens the file that was seen at a canonical path, and no other. Everything after the opening is asked of the handle:
 * it must be that regular file, and it must lie where the path says. So a link that was put into any part of the path
 * in between gives a reason, never content. The caller closes the handle.
 */
export function openFile(path: string, seen: BigIntStats): Opened {
  let fd: number;
  try {
    // Not blocking: a FIFO put in place of the file must not hold us.
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  } catch (error) {
    const failure = failureOf(error);
    return "missing" in failure ? { again: reasons.changing } : failure;
  }
  let kept = false;
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (!stat.isFile()) return { unreachable: reasons.notRegular };
    if (stat.dev !== seen.dev || stat.ino !== seen.ino) return { again: reasons.changing };
    if (!liesAt(fd, path, stat)) return { again: reasons.link };
    kept = true;
    return { fd, stat };
  } catch (error) {
    const failure = failureOf(error);
    return "missing" in failure ? { again: reasons.changing } : failure;
  } finally {
    if (!kept) closeSync(fd);
  }
}

/** Whether an open handle lies at a canonical path now. */
export function liesAt(fd: number, path: string, stat: BigIntStats): boolean {
  const place = placeOf(fd);
  if (place !== undefined) return place === path;
  const { dev, ino } = lstatSync(path, { bigint: true });
  return dev === stat.dev && ino === stat.ino && realpathSync.native(path) === path;
}

/** The path of a handle as the kernel knows it; undefined where it cannot be asked. */
function placeOf(fd: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
