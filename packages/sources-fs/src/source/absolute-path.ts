import { CmError } from "@cm/object-model";
import { fileLimits as limits } from "../limits.ts";
import { isAbsolutePath, normalPath } from "../mounts/normal-path.ts";

/**
 * A path from outside as an absolute and normal one; a relative one counts from `folder`.
 *
 * @throws CmError `source/invalid-path`
 */
export function absolutePath(path: string, folder?: string): string {
  const whole = isAbsolutePath(path) || folder === undefined ? path : `${folder}/${path}`;
  if (whole.length > limits.pathCharsMax || !whole.isWellFormed()) {
    throw new CmError(
      "source/invalid-path",
      `A path must be well-formed and have at most ${limits.pathCharsMax} characters.`,
    );
  }
  return normalPath(whole);
}
