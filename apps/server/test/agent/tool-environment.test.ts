import { expect, it } from "vitest";
import { toolEnvironment } from "../../src/tools/tool-environment.ts";

it("hands on what commands need, and nothing that gives access to anything", () => {
  const secrets = {
    ...{ ANTHROPIC_API_KEY: "x", GITHUB_TOKEN: "x", CM_SERVER_TOKEN: "x", CM_XTDB_URL: "x", DB_PASSWORD: "x" },
    ...{ AWS_ACCESS_KEY_ID: "x", client_secret: "x", PGPASSFILE: "x", GOOGLE_APPLICATION_CREDENTIALS: "x" },
  };

  expect(toolEnvironment({ PATH: "/bin", HOME: "/home/me", LANG: "C", ...secrets })).toEqual({
    ...{ PATH: "/bin", HOME: "/home/me", LANG: "C" },
  });
});
