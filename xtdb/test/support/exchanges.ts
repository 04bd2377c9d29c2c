import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Answer, ask } from "./ask.ts";
import { canonicalEdn } from "./canonical-edn.ts";
import { canonicalJson } from "./canonical-json.ts";

/** A request to XTDB's own HTTP server and what it answered. */
export interface Exchange {
  readonly id: string;
  readonly about: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response: {
    readonly status: number;
    readonly contentType: string | null;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly compare: "json" | "edn" | "exact" | "status";
  /** The answer is this one only some time after the writes before it. */
  readonly lags?: true;
  /** What upstream does wrong here. */
  readonly fault?: string;
}

export function readExchanges(name: string): Exchange[] {
  const text = readFileSync(join(import.meta.dirname, "../fixtures/wire", name), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

export const send = (url: string, { request }: Exchange): Promise<Answer> => ask(url, request);

/** Fails unless an answer means what upstream's meant. */
export function expectSame({ compare, response }: Exchange, answer: Answer): void {
  expect(answer.status).toBe(response.status);
  if (compare === "status") return;
  expect(mediaType(answer.headers["content-type"])).toBe(mediaType(response.contentType));
  for (const name of ["last-modified", "location", "content-disposition"]) {
    expect(moment(answer.headers[name])).toBe(response.headers?.[name]);
  }
  const meaning = { json: canonicalJson, edn: canonicalEdn, exact: withoutClock }[compare];
  expect(meaning(answer.body)).toBe(meaning(response.body));
}

const mediaType = (header: string | null | undefined): string | undefined => header?.split(";")[0];

/** A date of a header; the clock's are `<time>` in the recordings. */
const moment = (header: string | string[] | undefined): string | undefined =>
  header?.toString().replace(/^.* 20[2-8]\d .*$/, "<time>");

const withoutClock = (transit: string): string =>
  transit.replace(/~m(\d+)/g, (all, ms: string) => (Number(ms) > Date.UTC(2020) ? "<time>" : all));
