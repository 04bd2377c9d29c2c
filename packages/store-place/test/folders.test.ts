// Verifies: the default store is the Pi extension's, wherever its folder is.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { agentFolder, storeFileIn } from "../src/index.ts";

const [home, cwd] = [resolve("/home/me"), resolve("/work")];

it.each([
  [undefined, join(home, ".pi", "agent")],
  ["", join(home, ".pi", "agent")],
  ["~", home],
  ["~/p", join(home, "p")],
  ["p", join(cwd, "p")],
  [resolve("/agent"), resolve("/agent")],
])("lies below the agent's folder, with PI_CODING_AGENT_DIR %j", (named, folder) => {
  const agentDir = agentFolder({ PI_CODING_AGENT_DIR: named }, { home, cwd });

  expect(agentDir).toBe(folder);
  expect(storeFileIn(agentDir)).toBe(join(folder, "context-manager", "objects.sqlite"));
});

it("takes the user's home where none is given", () => {
  expect(agentFolder({}, { cwd })).toBe(join(homedir(), ".pi", "agent"));
});
