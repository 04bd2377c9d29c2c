import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serverCredentials } from "./credentials.ts";
import { jar, prepareServer } from "./prepare.ts";

/** A running S3Proxy on loopback. It keeps everything in memory and knows versions. */
export interface S3Server {
  /** A path-style endpoint such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Ends the server; resolves when the process is gone. */
  stop(): Promise<void>;
}

const startMs = 60_000;
const stopMs = 10_000;
const java = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", jar, "--properties"];
/** The end of its own input ends the server, so that tests that die in whatever way leave no Java behind. */
const script = 'java "$@" </dev/null & server=$!; cat >/dev/null; kill $server; wait $server';

export interface S3ServerOptions {
  /** Takes requests without credentials, and with any. Default: only `serverCredentials` are taken. */
  readonly anonymous?: boolean;
  /** Reports long operations to people. */
  readonly say?: (line: string) => void;
}

/** Starts a server of its own on a free port, and fetches it first where it is not there yet. */
export async function startS3Server({ anonymous = false, say }: S3ServerOptions = {}): Promise<S3Server> {
  await prepareServer(say);
  const folder = await mkdtemp(join(tmpdir(), "cm-s3-server-"));
  const configuration = join(folder, "s3proxy.conf");
  await writeFile(configuration, settings(anonymous));
  // In a group of its own: Ctrl-C in a terminal would reach it together with us.
  const child = spawn("sh", ["-c", script, "sh", ...java, configuration], { detached: true });
  child.stdin.on("error", () => {});
  const gone = new Promise<void>((resolve) => {
    child.on("error", () => resolve());
    child.on("close", () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.stdin.end();
    const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), stopMs);
    await gone;
    clearTimeout(timer);
  };
  try {
    return { url: `http://127.0.0.1:${await portOf(child, gone)}`, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    // Read by now, so that nothing is left behind whatever becomes of us.
    await rm(folder, { recursive: true, force: true });
  }
}

const settings = (anonymous: boolean): string => `s3proxy.endpoint=http://127.0.0.1:0
s3proxy.authorization=${anonymous ? "none" : "aws-v2-or-v4"}
s3proxy.identity=${serverCredentials.accessKeyId}
s3proxy.credential=${serverCredentials.secretAccessKey}
jclouds.provider=transient
`;

function portOf(child: ChildProcessWithoutNullStreams, gone: Promise<void>): Promise<number> {
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`S3Proxy ${why}. Its last words:\n${output}`));
    const timer = setTimeout(fail, startMs, `did not listen within ${startMs / 1_000} s`);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-4_000);
        const [, port] = /Started .*ServerConnector.*\{127\.0\.0\.1:(\d+)\}/.exec(output) ?? [];
        if (port === undefined) return;
        clearTimeout(timer);
        resolve(Number(port));
      });
    }
    gone.then(() => {
      clearTimeout(timer);
      fail("ended before it listened");
    });
  });
}
