import type { SetCommand } from "@cm/object-model";
import type { ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { Static } from "typebox";
import { givenArguments } from "./given-arguments.ts";
import { objectNames } from "./object-names.ts";
import { runCommands } from "./run-commands.ts";
import { managedOf, type ToolHost } from "./tool-host.ts";
import { textResult } from "./tool-result.ts";

/** Plain JSON Schema: Pi has the builders, but Node does not find them from the folder where Pi installs packages. */
const parameters = { type: "object", required: ["id"], properties: { id: { type: "string" } } } as const;

type SetTool = ToolDefinition<typeof parameters, undefined>;
type Action = Exclude<SetCommand["action"], "show" | "hide">;

/**
 * What the model must know of references, in the rules of the system prompt. It stands with a tool so that it comes and
 * goes with the tools.
 */
export const operatingRules: readonly string[] = [
  "`id=f3` names a file and `id=t7` a tool output; a `toolcall_ref` line or a `ref` argument stands for text that was folded to save context and is kept",
  "To read folded text again call activate with its id (one or more, such as `t7` or `f3 f4`) rather than repeating the call; pin what you need for long",
  "`same_as=t3` and `diff_from=t3` point to the output that shows the text; never write such lines or `ref` arguments yourself",
];

/** The four tools that move objects between the sets (SSOT 3.3). They share state, so none runs beside another. */
export function setTools(host: ToolHost): readonly SetTool[] {
  const tool = (action: Action, description: string, promptSnippet: string): SetTool => ({
    name: action,
    label: action,
    description,
    promptSnippet,
    parameters,
    executionMode: "sequential",
    prepareArguments: named,
    execute: async (_callId, { id }) => textResult(await runCommands(managedOf(host), action, objectNames(id))),
  });
  return [
    {
      ...tool(
        "activate",
        "Bring kept text back: of a file as it is now, of an output as it was.",
        "Bring folded text back by id",
      ),
      promptGuidelines: [...operatingRules],
    },
    tool("deactivate", "Let text you are done with be folded. It stays kept.", "Fold text you are done with"),
    tool("pin", "Keep an object's text from being folded.", "Keep text from being folded"),
    tool("unpin", "Undo pin.", "Undo pin"),
  ];
}

/** Models that want several objects at once write lists, or call them `ids`. */
function named(value: unknown): Static<typeof parameters> {
  const { text } = givenArguments(value);
  return { id: text("id") ?? text("ids") ?? "" };
}
