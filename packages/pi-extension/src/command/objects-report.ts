import type { ListQuery } from "@cm/context-log";
import type { CommandHost } from "./command-host.ts";
import { commandLimits } from "./command-limits.ts";
import { foreignRow, objectRow } from "./object-row.ts";
import { requireManaged } from "./require-managed.ts";

const exact: Readonly<Record<string, ListQuery>> = {
  file: { kind: "file" },
  files: { kind: "file" },
  call: { kind: "toolcall" },
  calls: { kind: "toolcall" },
  toolcall: { kind: "toolcall" },
  shown: { level: "active" },
  hidden: { level: "inactive" },
  pinned: { pinned: true },
};

const keyed: Readonly<Record<string, keyof ListQuery>> = {
  tool: "tool",
  type: "fileType",
  text: "text",
  path: "path",
  after: "cursor",
};

/** Words that `objects` understands, for proposals and help. */
export const filterWords: readonly string[] = [
  "files",
  "calls",
  "shown",
  "hidden",
  "pinned",
  ...Object.keys(keyed)
    .filter((key) => key !== "after")
    .map((key) => `${key}:`),
];

/**
 * `files shown src/`: kinds, whether the context has their text in full, `tool:bash`, `type:typescript`, `text:word`;
 * any other words are a part of a path.
 */
function objectsFilter(argument: string): ListQuery {
  const query: Record<string, unknown> = {};
  const path: string[] = [];
  for (const word of argument.split(/\s+/).filter((one) => one !== "")) {
    const [, key = "", value = ""] = /^([a-z]+):(.+)$/.exec(word) ?? [];
    const name = Object.hasOwn(keyed, key) ? keyed[key] : undefined;
    if (name !== undefined) query[name] = value;
    else if (Object.hasOwn(exact, word)) Object.assign(query, exact[word]);
    else path.push(word);
  }
  return { ...(path.length > 0 ? { path: path.join(" ") } : {}), ...query };
}

export async function objectsReport(host: CommandHost, argument: string, cwd: string): Promise<string> {
  const {
    objects,
    foreign = [],
    next,
  } = await requireManaged(host).list({
    ...objectsFilter(argument),
    limit: commandLimits.rowsPerPage,
  });
  const rows = [
    ...objects.map((object) => objectRow(object, cwd)),
    ...foreign.slice(0, commandLimits.rowsPerPage).map(foreignRow),
  ];
  if (rows.length === 0) return argument === "" ? "This session has met no files and outputs yet." : "Nothing matches.";
  if (next === undefined) return rows.join("\n");
  const asked = argument.replace(/\s*\bafter:\S*/g, "").trim();
  return [...rows, `more: /cm objects ${asked === "" ? "" : `${asked} `}after:${next}`].join("\n");
}
