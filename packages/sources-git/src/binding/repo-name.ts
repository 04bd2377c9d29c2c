import { resolve } from "node:path";
import { limits as modelLimits } from "@cm/object-model";

const defaultPorts: Readonly<Record<string, string>> = {
  ssh: "22",
  "git+ssh": "22",
  "ssh+git": "22",
  git: "9418",
  http: "80",
  https: "443",
  ftp: "21",
  ftps: "990",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f\u007f]/;

/** A name as `repoNameOf` makes it: nothing of an address that could be a secret. */
export function isRepoName(text: string): boolean {
  if (text.length > modelLimits.sourceFieldCharsMax) return false;
  return text.isWellFormed() && !control.test(text) && !text.includes("://") && /^[^/@\s]+\/(?:.*[^/])?$/su.test(text);
}

/**
 * SSOT 2.3: the address of a remote without scheme and credentials, `host/path` or `host:port/path`, so that all ways
 * to one repository give one name. A remote that is a folder is named by file system id and path, since a path alone
 * means something else on each machine. `undefined`: an address that this cannot read.
 */
export function repoNameOf(
  address: string,
  { filesystemId, folder }: { readonly filesystemId: string; readonly folder: string },
): string | undefined {
  const place = placeOf(address);
  if (place === undefined) return undefined;
  const name = "path" in place ? folderName(filesystemId, resolve(folder, place.path)) : place.repo;
  return isRepoName(name) ? name : undefined;
}

/** The name of a repository that has no remote. `path` is canonical. */
export function folderName(filesystemId: string, path: string): string {
  return `${filesystemId}:${path.replaceAll("\\", "/")}`;
}

type Place = { readonly repo: string } | { readonly path: string };

function placeOf(address: string): Place | undefined {
  if (address === "" || control.test(address)) return undefined;
  const url = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(address);
  if (url !== null) return placeOfUrl((url[1] ?? "").toLowerCase(), url[2] ?? "");
  // `transport::address` names a program.
  if (/^[a-z0-9+.-]+::/i.test(address)) return undefined;
  const remote = /^(?:[^/]*@)?(\[[^\]/]+\]|[^:/[\]]+):(.*)$/s.exec(address);
  if (remote === null || /^[a-z]:[\\/]/i.test(address)) return { path: address };
  return network(hostOf(remote[1] ?? "", "ssh"), remote[2] ?? "");
}

function placeOfUrl(scheme: string, rest: string): Place | undefined {
  const slash = rest.indexOf("/");
  if (slash < 0) return undefined;
  if (scheme === "file") return { path: decoded(rest.slice(slash)) };
  if (!(scheme in defaultPorts)) return undefined;
  const authority = rest.slice(0, slash);
  const path = scheme.startsWith("http") ? rest.slice(slash).replace(/[?#].*$/s, "") : rest.slice(slash);
  return network(hostOf(authority.slice(authority.lastIndexOf("@") + 1), scheme), decoded(path));
}

/** Lower case, without the port that the scheme has anyway; `[host:port]` is how scp-like addresses write a port. */
function hostOf(written: string, scheme: string): string | undefined {
  const bracketed = /^\[([^:\]]+:\d+)\]$/.exec(written)?.[1] ?? written;
  const parts = /^(\[[0-9a-f:.]+\]|[^:[\]\s/@]+)(?::(\d*))?$/i.exec(bracketed);
  if (parts === null) return undefined;
  const [, host = "", port = ""] = parts;
  return port === "" || port === defaultPorts[scheme] ? host.toLowerCase() : `${host.toLowerCase()}:${Number(port)}`;
}

function network(host: string | undefined, written: string): Place | undefined {
  const path = written
    .replaceAll(/\/{2,}/g, "/")
    .replace(/^\//, "")
    .replace(/\/$/, "");
  const bare = path.replace(/\.git$/, "").replace(/\/$/, "") || path;
  return host === undefined || bare === "" ? undefined : { repo: `${host}/${bare}` };
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
