// Verifies: what a result shows whole is read from Pi's own file, of our tool alone, whatever stands there.
import { expect, it } from "vitest";
import type { ResultItem } from "../../src/branch/branch-item.ts";
import { incomingResult } from "../../src/messages/incoming.ts";
import type { PiToolResult } from "../../src/pi/pi-types.ts";

const result = (toolName: string, details: PiToolResult["details"], isError = false): ResultItem => ({
  kind: "result",
  entry: "e1",
  message: {
    ...{ role: "toolResult", toolCallId: "c1", toolName, isError, timestamp: 1 },
    ...(details === undefined ? {} : { details }),
    content: [{ type: "text", text: "text" }],
  },
});

it("is handed on with the result", () => {
  expect(incomingResult(result("cm_context", { cm: { shows: ["a", "b"] } }), []).shows).toEqual(["a", "b"]);
});

interface Case {
  readonly tool: string;
  readonly details?: PiToolResult["details"];
  readonly isError?: boolean;
}

it.each<Case>([
  { tool: "read", details: { cm: { shows: ["a"] } } },
  { tool: "cm_context", details: { cm: { shows: ["a"] } }, isError: true },
  { tool: "cm_context", details: { cm: { shows: [] } } },
  { tool: "cm_context", details: { cm: { shows: [1, {}] } } },
  { tool: "cm_context", details: { cm: { shows: "a" } } },
  { tool: "cm_context", details: { cm: null } },
  { tool: "cm_context" },
])("is nothing for %j", ({ tool, details, isError }) => {
  expect(incomingResult(result(tool, details, isError), [])).not.toHaveProperty("shows");
});
