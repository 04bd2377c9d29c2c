import type { LeveledObject, ListQuery, ObjectList } from "@cm/object-model";
import type { ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { Static } from "typebox";
import type { Managed } from "../managed/managed.ts";
import { givenArguments } from "./given-arguments.ts";
import { objectNames } from "./object-names.ts";
import { foreignRow, objectRow } from "./object-row.ts";
import { runCommands } from "./run-commands.ts";
import { faultText, managedOf, type ToolHost } from "./tool-host.ts";
import { toolLimits } from "./tool-limits.ts";
import { textResult } from "./tool-result.ts";

const kinds = ["file", "toolcall"] satisfies LeveledObject["kind"][];
const levels = ["active", "inactive", "indexed"] satisfies LeveledObject["level"][];
const text = { type: "string" } as const;

/** Providers differ in what they take for a choice; a string with `enum` is understood by all. */
const parameters = {
  type: "object",
  properties: {
    kind: { type: "string", enum: kinds },
    level: { type: "string", enum: levels },
    pinned: { type: "boolean" },
    path: text,
    fileType: text,
    tool: text,
    text,
    cursor: text,
    show: text,
    hide: text,
  },
} as const;

type Asked = Static<typeof parameters>;

/** The list of what the session met, with the two commands that move objects in and out of the pool. */
export function listTool(host: ToolHost): ToolDefinition<typeof parameters, undefined> {
  return {
    name: "list_objects",
    label: "list_objects",
    description:
      "List known files and outputs. path and text match a part. show and hide take ids: what is hidden stays kept but unlisted in context.",
    promptSnippet: "Find known files and outputs",
    parameters,
    executionMode: "sequential",
    prepareArguments: asked,
    execute: async (_callId, query, _signal, _onUpdate, { cwd }) =>
      textResult(await answer(managedOf(host), query, cwd)),
  };
}

async function answer(managed: Managed, { show, hide, ...rest }: Asked, cwd: string): Promise<string> {
  const [shown, hidden] = [show, hide].map((names) => (names === undefined ? undefined : objectNames(names)));
  const done: string[] = [];
  if (shown !== undefined) done.push(await runCommands(managed, "show", shown));
  if (hidden !== undefined) done.push(await runCommands(managed, "hide", hidden));
  const query = queryOf(rest);
  // Whoever only shows or hides did not ask for a list.
  if (done.length > 0 && Object.keys(query).length === 0) return done.join("\n");
  try {
    return [...done, ...listLines(await managed.list({ ...query, limit: toolLimits.rowsPerPage }), cwd)].join("\n");
  } catch (error) {
    throw new Error([...done, faultText(error)].join("\n"), { cause: error });
  }
}

/** Names that the schema gives; a value that it does not know is left for its check to name. */
function asked(value: unknown): Asked {
  const { text, flag } = givenArguments(value);
  const pairs = Object.keys(parameters.properties).map((name) => [name, name === "pinned" ? flag(name) : text(name)]);
  return Object.fromEntries(pairs.filter(([, given]) => given !== undefined));
}

function queryOf({ kind, level, ...rest }: Omit<Asked, "show" | "hide">): ListQuery {
  const ofKind = kinds.find((one) => one === kind);
  const atLevel = levels.find((one) => one === level);
  return {
    ...rest,
    ...(ofKind === undefined ? {} : { kind: ofKind }),
    ...(atLevel === undefined ? {} : { level: atLevel }),
  };
}

function listLines({ objects, foreign = [], next }: ObjectList, cwd: string): readonly string[] {
  const rows = [
    ...objects.map((object) => objectRow(object, cwd)),
    ...foreign.slice(0, toolLimits.rowsPerPage).map(foreignRow),
  ];
  if (next !== undefined) return [...rows, `more with cursor=${next}`];
  return rows.length === 0 ? ["nothing matches"] : rows;
}
