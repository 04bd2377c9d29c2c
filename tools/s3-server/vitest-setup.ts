import type { TestProject } from "vitest/node";
import { MissingTool } from "./prepare.ts";
import { type S3Server, startS3Server } from "./start-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the S3 server of this run answers; empty where this machine cannot run one. */
    readonly s3Url: string;
  }
}

interface Shared {
  readonly server: Promise<S3Server | undefined>;
  users: number;
}

/** Every project of a run loads this file anew: what they share is kept by the process. */
const kept = globalThis as { cmSharedS3?: Shared };

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
  kept.cmSharedS3 ??= { server: started(), users: 0 };
  const shared = kept.cmSharedS3;
  shared.users += 1;
  project.provide("s3Url", (await shared.server)?.url ?? "");
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete kept.cmSharedS3;
    await (await shared.server)?.stop();
  };
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
