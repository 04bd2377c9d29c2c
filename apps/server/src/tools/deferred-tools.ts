import type { JsonObject } from "@cm/object-model";
import type { AgentTool } from "@earendil-works/pi-agent-core";

/** A tool without a body: a call of it ends the run as awaiting, and the next run brings its result. */
export interface DeferredTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
}

/** Those of a preset's tools that have none. */
export const deferredOf = (tools: readonly (string | DeferredTool)[]): readonly DeferredTool[] =>
  tools.filter((tool) => typeof tool !== "string");

export const deferredTool = ({ name, description, parameters }: DeferredTool): AgentTool =>
  ({
    ...{ name, description, parameters, label: name },
    execute: () => Promise.reject(new Error("It runs outside of this server.")),
  }) as unknown as AgentTool;
