import { defined } from "@cm/object-model";
import { limits } from "./limits.ts";

/** A file of a commit or an object in a bucket, as a command or an argument names it. */
export type SourceAddress =
  | {
      readonly kind: "git";
      /** What `-C` names; undefined for the folder that the command runs in. */
      readonly folder?: string;
      readonly ref: string;
      /** From the top of the work tree; from the folder where it begins with `./` or `../`. */
      readonly path: string;
    }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      readonly key: string;
      /** What `--endpoint-url` names. */
      readonly endpoint?: string;
      readonly does: "read" | "edit" | "list";
    };

const word = `"([^"]+)"|'([^']+)'|([^\\s'"|;&<>()]+)`;
const gitShown = new RegExp(
  `\\bgit\\s+(?:-C\\s+(?:${word})\\s+)?(?:--no-pager\\s+)?(?:show|cat-file\\s+(?:-p|blob))\\s+(?:${word})`,
  "g",
);
const s3Address = /\bs3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([^\s'"`<>|;&()]+)/g;
const s3Endpoint = /--endpoint-url(?:=|\s+)["']?([^\s"']+)/;

/**
 * The addresses in a command or an argument: `git show REF:PATH`, `git cat-file -p REF:PATH`, `s3://BUCKET/KEY`. Whether
 * there is such a repository, bucket or file is for a source to say. Keys that end in a slash stand for many objects.
 */
export function sourceAddresses(text: string): readonly SourceAddress[] {
  const searched = text.slice(0, limits.addressCharsMax);
  return [...inCommits(searched), ...inBuckets(searched)];
}

function inCommits(text: string): readonly SourceAddress[] {
  return [...text.matchAll(gitShown)].flatMap(([, a, b, c, d, e, f]): readonly SourceAddress[] => {
    const folder = a ?? b ?? c;
    const object = d ?? e ?? f ?? "";
    const colon = object.indexOf(":");
    const [ref, path] = [object.slice(0, colon), object.slice(colon + 1)];
    if (colon <= 0 || path === "") return [];
    return [{ kind: "git", ref, path, ...defined({ folder }) }];
  });
}

function inBuckets(text: string): readonly SourceAddress[] {
  const endpoint = s3Endpoint.exec(text)?.[1];
  const does = /\bs3\s+(?:ls|presign)\b/.test(text) ? "list" : /\bs3\s+(?:rm|mv)\b/.test(text) ? "edit" : "read";
  return [...text.matchAll(s3Address)].flatMap(([, bucket = "", key = ""]): readonly SourceAddress[] =>
    key.endsWith("/") ? [] : [{ kind: "s3", bucket, key, does, ...defined({ endpoint }) }],
  );
}
