import type { TestProject } from "vitest/node";
import { MissingTool } from "../../../../tools/s3-server/prepare.ts";
import { startS3Server } from "../../../../tools/s3-server/start-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the S3 server of this run answers; empty where this machine cannot run one. */
    readonly s3Url: string;
  }
}

/** One server for all test files of a run. With CM_S3_URL it is the one there. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.CM_S3_URL;
  if (given !== undefined || process.env.CM_TESTS === "fast") {
    project.provide("s3Url", given ?? "");
    return undefined;
  }
  try {
    const server = await startS3Server({ say: (line) => console.error(`S3: ${line}`) });
    project.provide("s3Url", server.url);
    return () => server.stop();
  } catch (error) {
    if (!(error instanceof MissingTool) || process.env.CM_REQUIRE_ALL === "1") throw error;
    console.error(`WARNING: TESTS ON A REAL S3 SERVER ARE SKIPPED. ${error.message}`);
    project.provide("s3Url", "");
    return undefined;
  }
}
