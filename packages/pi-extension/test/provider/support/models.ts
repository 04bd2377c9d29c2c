import type { PiModel } from "../../../src/pi/pi-types.ts";

/** A model as Pi's list has it. */
export function model(api: string, changes: Partial<PiModel> = {}): PiModel {
  return {
    id: "m",
    name: "m",
    api,
    provider: "p",
    baseUrl: "http://127.0.0.1",
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 200_000,
    maxTokens: 8_192,
    ...changes,
  };
}

/** Costs per million tokens. */
export const costs = (input: number, cacheRead: number, cacheWrite: number): PiModel["cost"] => ({
  input,
  output: 5 * input,
  cacheRead,
  cacheWrite,
});
