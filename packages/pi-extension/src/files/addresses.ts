import { posix } from "node:path";
import { defined } from "@cm/object-model";
import { type SourceAddress, sourceAddresses } from "@cm/tool-calls";
import type { SourceSettings } from "../settings/source-setting.ts";
import { fileTouchLimits as limits } from "./file-limits.ts";
import type { CallPlace, RecordedTouch, ToolCall } from "./recorded-touch.ts";

/** A file of a commit in a repository of the settings, or an object in a bucket. Its text form stands where paths stand. */
export type Address =
  | { readonly kind: "git"; readonly folder: string; readonly ref: string; readonly path: string }
  | { readonly kind: "s3"; readonly bucket: string; readonly key: string; readonly endpoint?: string };

/** No path begins like it: paths begin with a slash. */
const prefix = "cm-address:";

/**
 * Files of commits and objects in buckets that a call names, as far as the settings name their repository or any bucket.
 * Where they name no such place, nothing is looked for.
 */
export function addressed(call: ToolCall, place: CallPlace, settings: SourceSettings): readonly RecordedTouch[] {
  if (settings.git.length + settings.s3.length === 0 || call.failed) return [];
  const texts = Object.values(call.args).filter((value) => typeof value === "string");
  return texts
    .flatMap(sourceAddresses)
    .flatMap((found) => touchOf(found, place, settings))
    .slice(0, limits.touchesPerCallMax);
}

export function parseAddress(text: string): Address | undefined {
  return text.startsWith(prefix) ? JSON.parse(text.slice(prefix.length)) : undefined;
}

function touchOf(found: SourceAddress, place: CallPlace, { git, s3 }: SourceSettings): readonly RecordedTouch[] {
  if (found.kind === "git") {
    const folder = posix.resolve(place.cwd, found.folder ?? "");
    const repository = git.find((one) => folder === one.folder || folder.startsWith(`${one.folder}/`));
    if (repository === undefined) return [];
    const isRelative = /^\.\.?\//.test(found.path);
    const path = isRelative ? posix.relative(repository.folder, posix.resolve(folder, found.path)) : found.path;
    return [{ path: textOf({ kind: "git", folder: repository.folder, ref: found.ref, path }), as: "read" }];
  }
  if (s3.length === 0) return [];
  const { kind, bucket, key, does } = found;
  // A command that names no server is meant for the first of the settings.
  const endpoint = found.endpoint ?? s3[0]?.endpoint;
  const address = { kind, bucket, key, ...defined({ endpoint }) };
  return [{ path: textOf(address), as: ({ read: "read", edit: "edited", list: "discovered" } as const)[does] }];
}

const textOf = (address: Address): string => prefix + JSON.stringify(address);
