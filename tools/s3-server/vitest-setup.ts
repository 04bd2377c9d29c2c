import type { TestProject } from "vitest/node";
import { sharedByRun } from "../shared-by-run.ts";
import { MissingTool } from "./prepare.ts";
import { type S3Server, startS3Server } from "./start-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the S3 server of this run answers; empty where this machine cannot run one. */
    readonly s3Url: string;
  }
}

/**
 * A `globalSetup` for vitest: one server for all projects of a run; each test has a bucket of its own. With CM_S3_URL it is the
 * one there.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.CM_S3_URL;
  if (given !== undefined) {
    project.provide("s3Url", given);
    return undefined;
  }
  const { value: server, leave } = await sharedByRun("s3", started, async (shared) => shared?.stop());
  project.provide("s3Url", server?.url ?? "");
  return leave;
}

async function started(): Promise<S3Server | undefined> {
  try {
    return await startS3Server({ say: (line) => console.error(`S3: ${line}`) });
  } catch (error) {
    if (!(error instanceof MissingTool) || process.env.CM_REQUIRE_ALL === "1") throw error;
    console.error(`WARNING: TESTS ON A REAL S3 SERVER ARE SKIPPED. ${error.message}`);
    return undefined;
  }
}
