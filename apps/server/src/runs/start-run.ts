import { contextToolName } from "@cm/context-tool";
import type { EnvironmentRequest, Lineage, Run } from "@cm/lineage";
import type { ObjectStore } from "@cm/object-model";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Preset } from "../presets/preset-schema.ts";
import type { Presets } from "../presets/read-presets.ts";
import { delegateToolName } from "../tools/delegate-tool.ts";
import { environmentOf } from "./environment.ts";
import { isEmptyInput } from "./run-input.ts";
import type { WantedKind, WantedRun } from "./run-requests.ts";
import { startForkWithFiles } from "./start-fork.ts";

interface Surroundings {
  readonly lineage: Lineage;
  readonly store: ObjectStore;
  /** Where forks get folders of their own. */
  readonly forks?: string | undefined;
  readonly presets: Presets;
  readonly roots: readonly string[];
}

/** Checks what is wanted, and then writes the run: what is refused leaves nothing behind. */
export async function startRun(kind: WantedKind, wanted: WantedRun, surroundings: Surroundings): Promise<Run> {
  const { lineage } = surroundings;
  const { input = "", answers, transport } = wanted;
  checkSaid(kind, wanted);
  const { presetId, preset } = await presetFor(kind, wanted, surroundings);
  checkTools(wanted, preset);
  const environment = environmentFor(kind, wanted, { preset, ...surroundings });
  const common = {
    ...{ input: typeof input === "string" ? input : input.map((part) => ({ ...part })), transport },
    ...(wanted.id === undefined ? {} : { id: wanted.id }),
    ...(presetId === undefined ? {} : { presetId }),
    ...(environment === undefined ? {} : { environment }),
  };
  const answered = answers === undefined ? {} : { answers };
  const labels = wanted.metadata === undefined ? {} : { metadata: wanted.metadata };
  switch (kind.kind) {
    case "root":
      return lineage.root({ ...common, ...labels });
    case "continue": {
      const { conversationId, parentId } = kind;
      return lineage.continue({
        ...common,
        ...answered,
        conversationId,
        ...(parentId === undefined ? {} : { parentId }),
        ...labels,
      });
    }
    case "fork": {
      const { conversationId, from } = kind;
      const request = { ...common, ...answered, ...labels, conversationId, ...(from === undefined ? {} : { from }) };
      const isOwn = wanted.files === "as_they_were";
      return isOwn ? startForkWithFiles(request, surroundings) : lineage.fork(request);
    }
    case "fire": {
      const { input: _input, ...rest } = common;
      const said =
        typeof input === "string"
          ? input
          : input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
      return lineage.fire({
        ...rest,
        ...answered,
        conversationId: kind.conversationId,
        ...(said === "" ? {} : { input: said }),
      });
    }
  }
}

/** A mailbox says something by itself; every other run needs an input. */
function checkSaid({ kind }: WantedKind, { input, answers, recovers }: WantedRun): void {
  if (kind === "fire" || recovers !== undefined) return;
  const isAnswered = Object.keys(answers?.approvals ?? {}).length + Object.keys(answers?.results ?? {}).length > 0;
  if (isAnswered && kind !== "root") return;
  if (input === undefined || isEmptyInput(input))
    throw serverError(
      "server/invalid-request",
      "The input is empty; say something, or bring results of calls that wait.",
    );
}

/** The name is looked up before anything is written, also where it is the conversation's own. */
async function presetFor(
  kind: WantedKind,
  { preset }: WantedRun,
  { lineage, presets }: Surroundings,
): Promise<{ readonly presetId: string | undefined; readonly preset: Preset }> {
  const isOpen = preset !== undefined || kind.kind === "root";
  const own = isOpen ? null : (await lineage.conversation(kind.conversationId)).default_preset_id;
  const found = presets.get(own ?? preset);
  return { presetId: own === null ? found.name : undefined, preset: found.preset };
}

/** Names of the caller's own tools: each once, and none that the run has already. */
function checkTools({ tools = [] }: WantedRun, preset: Preset): void {
  if (JSON.stringify(tools).length > limits.clientToolsCharsMax)
    throw serverError(
      "server/invalid-request",
      `The tools have more than ${limits.clientToolsCharsMax} characters together; bring fewer, or shorter ones.`,
    );
  const taken = new Set([delegateToolName, contextToolName]);
  for (const tool of preset.tools) taken.add(typeof tool === "string" ? tool : tool.name);
  for (const { name } of tools) {
    if (taken.has(name))
      throw serverError("server/invalid-request", `The run has a tool ${name} already; give yours another name.`);
    taken.add(name);
  }
}

/** Undefined: that of the run before. */
function environmentFor(
  { kind }: WantedKind,
  { workspace, folders, files }: WantedRun,
  { preset, presets, roots }: Surroundings & { readonly preset: Preset },
): EnvironmentRequest | undefined {
  if (files === "as_they_were" && (workspace !== undefined || folders !== undefined))
    throw serverError(
      "server/invalid-request",
      "A fork with its files as they were has folders of its own; name no others.",
    );
  if (workspace !== undefined && folders !== undefined)
    throw serverError("server/invalid-request", "Name a workspace or a list of projects, not both.");
  if (workspace !== undefined) {
    environmentOf(presets.workspace(workspace), roots);
    return { workspace };
  }
  if (folders !== undefined) return { projects: environmentOf(folders, roots).folders };
  if (kind !== "root") return undefined;
  return { projects: environmentOf(preset.folders ?? [], roots).folders };
}
