import { posix } from "node:path";
import type { SourceSettings } from "../settings/source-setting.ts";
import { fileTouchLimits as limits } from "./file-limits.ts";
import type { CallPlace, RecordedTouch, ToolCall } from "./recorded-touch.ts";

/** A file of a commit, or an object in a bucket, as a call names it. Its text form stands where paths stand. */
export type Address =
  | { readonly kind: "git"; readonly folder: string; readonly ref: string; readonly path: string }
  | { readonly kind: "s3"; readonly bucket: string; readonly key: string; readonly endpoint?: string };

const s3Address = /\bs3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([^\s'"`<>|;&()]+)/g;
const gitShown =
  /\bgit\s+(?:-C\s+(?:"([^"]+)"|'([^']+)'|([^\s'"]+))\s+)?(?:--no-pager\s+)?(?:show|cat-file\s+(?:-p|blob))\s+(?:"([^"]+)"|'([^']+)'|([^\s'"|;&<>]+))/g;

/**
 * Files of commits and objects in buckets that a call names: `git show REF:PATH` in a repository of the settings, and
 * `s3://BUCKET/KEY`. Where the settings name no such place, nothing is looked for.
 */
export function addressed(call: ToolCall, place: CallPlace, { git, s3 }: SourceSettings): readonly RecordedTouch[] {
  if (git.length + s3.length === 0 || call.failed) return [];
  const texts = Object.values(call.args).filter((value) => typeof value === "string");
  const found = texts
    .map((text) => text.slice(0, limits.commandCharsMax))
    .flatMap((text) => [...(git.length > 0 ? inCommits(text, place, git) : []), ...inBuckets(text, s3)]);
  return found.slice(0, limits.touchesPerCallMax);
}

function inCommits(text: string, { cwd }: CallPlace, git: SourceSettings["git"]): readonly RecordedTouch[] {
  return [...text.matchAll(gitShown)].flatMap(([, a, b, c, d, e, f]): readonly RecordedTouch[] => {
    const folder = posix.resolve(cwd, a ?? b ?? c ?? "");
    const object = d ?? e ?? f ?? "";
    const colon = object.indexOf(":");
    const repository = git.find((one) => folder === one.folder || folder.startsWith(`${one.folder}/`));
    if (colon <= 0 || repository === undefined) return [];
    const [ref, named] = [object.slice(0, colon), object.slice(colon + 1)];
    // Git counts from the top of the work tree, but for `./` and `../`.
    const path = /^\.\.?\//.test(named) ? posix.relative(repository.folder, posix.resolve(folder, named)) : named;
    return [{ path: addressText({ kind: "git", folder: repository.folder, ref, path }), as: "read" }];
  });
}

function inBuckets(text: string, s3: SourceSettings["s3"]): readonly RecordedTouch[] {
  if (s3.length === 0) return [];
  const named = /--endpoint-url(?:=|\s+)["']?([^\s"']+)/.exec(text)?.[1];
  // A command that names no other is meant for the first of the settings.
  const endpoint = named ?? s3[0]?.endpoint;
  const as = /\bs3\s+(?:ls|presign)\b/.test(text) ? "discovered" : /\bs3\s+(?:rm|mv)\b/.test(text) ? "edited" : "read";
  return [...text.matchAll(s3Address)].flatMap(([, bucket = "", key = ""]): readonly RecordedTouch[] => {
    if (key.endsWith("/")) return [];
    return [{ path: addressText({ kind: "s3", bucket, key, ...(endpoint === undefined ? {} : { endpoint }) }), as }];
  });
}

/** No path: those begin with a slash. */
const addressText = (address: Address): string => `cm-address:${JSON.stringify(address)}`;

export function parseAddress(text: string): Address | undefined {
  return text.startsWith("cm-address:") ? JSON.parse(text.slice("cm-address:".length)) : undefined;
}
