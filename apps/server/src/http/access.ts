import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";

/** Who may ask: tokens by the hash of each, so that a reader of this memory or its file has none. */
export interface Access {
  /** False: no token is needed, which a server on loopback alone may say. */
  readonly isClosed: boolean;
  /** The name of the token in an `Authorization` header; undefined for none that is known. */
  nameOf(authorization: string | undefined): string | undefined;
}

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

export function accessOf(tokens: readonly { readonly name: string; readonly sha256: Buffer }[]): Access {
  return {
    isClosed: tokens.length > 0,
    nameOf(authorization) {
      const given = /^Bearer +(\S{1,1000})$/i.exec(authorization ?? "")?.[1];
      if (given === undefined) return undefined;
      const hash = sha256(given);
      // All are looked at, so that the time says nothing of which one is near.
      return tokens.filter((token) => timingSafeEqual(token.sha256, hash))[0]?.name;
    },
  };
}

/**
 * `CM_SERVER_TOKEN`, which is a token itself, and the lines of a file: a name and `sha256:` with the hash of a token.
 * @throws CmError `server/usage`
 */
export function readAccess(file: string | undefined, env: NodeJS.ProcessEnv): Access {
  const own = env.CM_SERVER_TOKEN;
  const fromEnvironment = own === undefined || own === "" ? [] : [{ name: "CM_SERVER_TOKEN", sha256: sha256(own) }];
  const tokens = [...fromEnvironment, ...(file === undefined ? [] : tokensIn(file))];
  if (tokens.length > limits.tokensMax)
    throw serverError("server/usage", `There are more than ${limits.tokensMax} tokens.`);
  return accessOf(tokens);
}

function tokensIn(file: string) {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw serverError("server/usage", `The file of tokens ${file} cannot be read.`, { file }, { cause: error });
  }
  const lines = text.split("\n").map((line) => line.trim());
  return lines.flatMap((line, place) => {
    if (line === "" || line.startsWith("#")) return [];
    const [, name, hex] = /^(\S+)\s+sha256:([0-9a-f]{64})$/.exec(line) ?? [];
    if (name !== undefined && hex !== undefined) return [{ name, sha256: Buffer.from(hex, "hex") }];
    throw serverError(
      "server/usage",
      `Line ${place + 1} of ${file} is no token: write a name, and sha256: with 64 digits.`,
    );
  });
}

const loopbackNames = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)(:\d+)?$/i;

export const isLoopback = (host: string): boolean => loopbackNames.test(host);

/**
 * Whether a request without a token may be meant for us: a page in a browser reaches loopback too, under a name of its
 * own, or says where it is from.
 */
export function isFromHere(host: string | undefined, origin: string | undefined): boolean {
  if (host === undefined || !isLoopback(host)) return false;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
