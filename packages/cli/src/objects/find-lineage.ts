import { type LineageReader, type Run, readLineage } from "@cm/lineage";
import { everyVersion, isCmError, type ObjectStore } from "@cm/object-model";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { severalMatch } from "./several-match.ts";

/**
 * The id of a conversation or a run that the user named, whole or by a start that only one has.
 * @throws CmError `cli/not-found`, `cli/ambiguous`
 */
export async function findRecord(store: ObjectStore, type: "conversation" | "run", text: string): Promise<string> {
  const prefix = `${type}:`;
  const matches: string[] = [];
  for await (const { id } of everyVersion((page) => store.find({ type }, page))) {
    const found = id.slice(prefix.length);
    if (found === text) return text;
    if (text !== "" && found.startsWith(text) && matches.length <= limits.matchesMax) matches.push(found);
  }
  const [only, ...others] = matches;
  if (only === undefined)
    throw cliError("cli/not-found", `There is no ${type} ${text}; \`cm ${type}s\` lists those there are.`, {
      [type]: text,
    });
  if (others.length === 0) return only;
  throw severalMatch(
    `${type}s begin with ${text}; name one of them`,
    matches.map((id) => ({ id, line: id })),
  );
}

/** What became of a run, for people. */
export const statusWords = {
  created: "running",
  awaiting_tool_results: "waiting",
  committed: "committed",
  failed: "failed",
  archived: "archived",
} as const satisfies Record<Run["status"], string>;

/** Every run that a filter lets through, newest first, up to a number. */
export async function runsOf(
  lineage: LineageReader,
  filter: Parameters<LineageReader["runs"]>[0] = {},
  most: number = limits.runsMax,
): Promise<readonly Run[]> {
  const found: Run[] = [];
  for (let cursor: string | undefined; ; ) {
    const limit = Math.min(limits.runsPerPage, most - found.length);
    const { runs, next } = await lineage.runs({ ...filter, limit, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...runs);
    if (next === undefined || found.length >= most) return found;
    cursor = next;
  }
}

/** The step of a run's snapshot, where a run of that name is in the store. @throws CmError `cli/refused`, `cli/ambiguous` */
export async function stepOfRun(store: ObjectStore, text: string) {
  let id: string;
  try {
    id = await findRecord(store, "run", text);
  } catch (error) {
    if (isCmError(error, "cli/not-found")) return undefined;
    throw error;
  }
  const { state, status } = await readLineage({ store }).run(id);
  if (typeof state === "object" && state !== null) return state.step;
  const why = state === null ? `is ${statusWords[status]} and has no snapshot` : "is none of a session";
  throw cliError("cli/refused", `The run ${id} ${why}; \`cm runs\` lists those that can be continued.`, { id });
}
