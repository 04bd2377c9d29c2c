import { posix } from "node:path";
import { discoveryLimits } from "../limits.ts";

/** Gives the path to the output's collector; `folder` is absolute, or undefined for one of the call's folders. */
export type Collect = (path: string, folder?: string) => void;

export type LineReader = (line: string) => void;

const longLine =
  /^([-dlbcpsD])[-rwxsStTl]{9}[.+@]?\s+(?:\d+\s+)?\S+\s+(?:\S+\s+)?[\d.,]+[kKMGT]?\s+(?:\w{3}\s+\d{1,2}\s+[\d:]{4,5}|\d{1,2}\s+\w{3}\s+[\d:]{4,5}|\d{4}-\d\d-\d\d\s+[\d:.]{5,18}(?:\s+[+-]\d{4})?)\s(.+)$/;
const tagged = /^\s{0,8}\[(FILE|DIR)\]\s(.+)$/;
const summary = /^(?:total \d+|Found \d+ .*|No (?:files|matches) .*|\(.*\)|\d+ (?:files|directories).*)$/;

const complaint = /^[\w.-]{1,40}: /;

/** Output of `ls`, `find`, glob tools: a name on each line, below the heading of its folder if there is one. */
export function namesReader(collect: Collect): LineReader {
  let heading: string | undefined;
  return (line) => {
    if (line === "" || summary.test(line) || complaint.test(line) || bullet.test(line)) return;
    const long = longLine.exec(line);
    if (long !== null) {
      const [, kind, name = ""] = long;
      if (kind !== "d") collect(plainName(kind === "l" ? name.replace(/ -> .*$/, "") : name), heading);
      return;
    }
    const tag = tagged.exec(line);
    if (tag !== null) {
      if (tag[1] === "FILE") collect(plainName(tag[2] ?? ""), heading);
      return;
    }
    if (line.endsWith(":") && /[\w.]/.test(line)) {
      heading = line.slice(0, -1);
      return;
    }
    if (line.endsWith("/")) return;
    collect(plainName(line.trim()), heading);
    // Columns of `ls -C`, or several names on one line.
    if (/\S\s{2,}\S|\t/.test(line)) for (const name of line.trim().split(/\s+/)) collect(plainName(name), heading);
  };
}

const branch = /^([│| \u00a0]{0,400})[├└`+]?[─-]{1,3}[ \u00a0](.{1,1024})$/u;
const treeUnit = 4;

/** Output of `tree`: a name on each line, its folders above it, the root first. */
export function treeReader(collect: Collect): LineReader {
  const stack: string[] = [];
  let root: string | undefined;
  return (line) => {
    const found = branch.exec(line);
    if (found === null) {
      if (line !== "" && !/^\d+ director/.test(line)) root = line.trim();
      stack.length = 0;
      return;
    }
    const [, lead = "", rest = ""] = found;
    push(
      stack,
      Math.round(lead.length / treeUnit),
      plainName(rest.replace(/ -> .*$/, "").replace(/^\[[^\]]*\]\s+/, "")),
    );
    if (!rest.endsWith("/")) collect(stack.join("/"), root);
  };
}

const bullet = /^( {0,200})- (.{1,1024})$/;
const bulletUnit = 2;

/** Output of tools that indent names below their folders, with a dash in front of each. */
export function bulletReader(collect: Collect): LineReader {
  const stack: string[] = [];
  return (line) => {
    const [, lead = "", name = ""] = bullet.exec(line) ?? [];
    if (name === "") return;
    push(stack, lead.length / bulletUnit, name);
    if (!name.endsWith("/")) collect(stack.join("/").replaceAll("//", "/"));
  };
}

/** The names above stay, those beside and below go. */
function push(stack: string[], depth: number, name: string): void {
  stack.length = Math.min(stack.length, Math.floor(depth), discoveryLimits.treeDepthMax);
  stack.push(name);
}

const matchLine = /^([^:\n]{1,1024}):/;
const contextLine = /^(.{1,1024}?)-\d{1,7}-/;
const counted = / \(\d+ match(?:es)?\)$/;

/** Output of `grep` and `rg`: a path in front of each line, or on a line of its own above them. */
export function matchesReader(collect: Collect): LineReader {
  return (line) => {
    if (line === "" || line === "--" || summary.test(line) || /^\s*\d+[:-]/.test(line)) return;
    const match = matchLine.exec(line)?.[1];
    const context = match === undefined ? contextLine.exec(line)?.[1] : undefined;
    const path = (match ?? context ?? line).replace(counted, "");
    if (!/^\s|[(){}<>;"`=|*?]|: /.test(path)) collect(path);
  };
}

const statusLine =
  /^\s{0,12}(?:(?:modified|new file|deleted|renamed|copied|typechange|both (?:modified|added)):\s{1,12}|(?:[MADRCUT?!][ MADRCUT?!]| [MADRCUT?!]|[MADRCUT]\d{0,3})[ \t])(.+)$/;
const headerLine = /^(?:---|\+\+\+) (?:[abciw]\/)?([^\t\n]+)/;

/** Output of git: status, names of files, statistics and headers of differences. */
export function gitReader(collect: Collect): LineReader {
  return (line) => {
    if (/^[+-](?![+-])/.test(line) || line.startsWith("@@")) return;
    const found = statusLine.exec(line)?.[1] ?? statistic(line) ?? headerLine.exec(line)?.[1] ?? plainLine(line);
    if (found === undefined) return;
    for (const path of found.split(/ -> |\t/)) collect(unquoted(path.trim()));
  };
}

/** A line that is one path, as of `git ls-files`, also behind mode and hash; sentences are none. */
function plainLine(line: string): string | undefined {
  const path = /^\d{6} /.test(line) ? line.slice(line.indexOf("\t") + 1) : line.startsWith("\t") ? line.slice(1) : line;
  return /^\s|^(?:diff|index|commit|Author:|Date:) /.test(path) || (path.includes(" ") && !path.includes("/"))
    ? undefined
    : path;
}

/** ` src/main.ts | 12 ++--` */
function statistic(line: string): string | undefined {
  const bar = line.lastIndexOf(" | ");
  return bar > 0 && line.startsWith(" ") && /^\s{0,8}(?:\d|Bin)/.test(line.slice(bar + 3))
    ? line.slice(1, bar).trim()
    : undefined;
}

/** Without the marks of `ls -F` and quotes. */
function plainName(name: string): string {
  return unquoted(name).replace(/[*@=|]$/, "");
}

function unquoted(name: string): string {
  return /^(['"]).*\1$/.test(name) ? name.slice(1, -1) : name;
}

/** A heading or root as an absolute folder: as it stands, or below each of the call's folders. */
export function headingFolders(heading: string, folders: readonly string[]): readonly string[] {
  return posix.isAbsolute(heading) ? [posix.resolve(heading)] : folders.map((folder) => posix.resolve(folder, heading));
}
