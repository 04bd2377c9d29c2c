import { join } from "node:path";
import { checkoutLimits as limits } from "../limits.ts";
import { readBounded } from "../rules/rule-file.ts";

/** The address of `origin` without credentials and ending: what clones of one repository on all machines share. */
export function remoteOf(common: string): string | undefined {
  const config = readBounded(join(common, "config"), limits.gitFileBytesMax) ?? "";
  const [, section] = /^\[remote "origin"\]([^[]*)/m.exec(config) ?? [];
  const [, url] = /^[ \t]*url[ \t]*=[ \t]*"?([^\s"]{1,4096})"?[ \t]*$/m.exec(section ?? "") ?? [];
  return url === undefined ? undefined : addressOf(url);
}

function addressOf(url: string): string | undefined {
  const bare = url
    .replace(/^[a-z+]+:\/\//, "")
    .replace(/^[^/@]*@/, "")
    .replace(/(\.git)?\/*$/, "");
  // `host:path` of a shell address names the same place as `host/path`.
  const address = url.includes("://") ? bare : bare.replace(/^([^/:]+):(?!\/\/)/, "$1/");
  return address === "" ? undefined : address.slice(0, limits.nameCharsMax);
}
