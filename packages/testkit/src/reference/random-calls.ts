import { type AsOf, type Basis, defined, type Filter, type Page, type Write } from "@cm/object-model";
import type { Random } from "../random/random.ts";
import type { ComparedStore } from "./compared-store.ts";
import { drawnDocument, filterParts, knownIds } from "./documents.ts";

/** One call, drawn once and made on both stores. Tokens, bases and cursors are drawn by number. */
export interface RandomCall {
  readonly name: string;
  readonly call: (side: ComparedStore) => Promise<unknown>;
}

export function randomCall(random: Random, timeMs: number): RandomCall {
  const dice = random.below(100);
  if (dice < 45) return randomCommit(random, timeMs);
  if (dice < 65) return randomGet(random, timeMs);
  if (dice < 80) return randomHistory(random);
  return dice < 97 ? randomFind(random) : randomErase(random);
}

function randomCommit(random: Random, timeMs: number): RandomCall {
  const drawn = Array.from({ length: random.below(4) }, () => ({
    document: random.chance(0.03) ? { ...drawnDocument(random), content_hash: "wrong" } : drawnDocument(random),
    expect: random.pick(["any", "any", "any", "absent", random.below(50), random.below(50)]),
  }));
  const options = {
    ...(random.chance(0.15) ? { requestId: random.pick(["", "r1", "\ud800", "\ufffd"]) } : {}),
    ...(random.chance(0.3) ? { validTime: randomTime(random, timeMs) } : {}),
  };
  return {
    name: `commit of ${drawn.map(({ document }) => document["xt/id"])}`,
    call: (side) =>
      side.store.commit(
        drawn.map(({ document, expect }) => writeOf(side, document, expect)),
        options,
      ),
  };
}

function writeOf(side: ComparedStore, document: Write["document"], expect: string | number): Write {
  return { document, expect: typeof expect === "string" ? expect : named(side.tokens, expect, "no token") };
}

function randomGet(random: Random, timeMs: number): RandomCall {
  const ids = [...knownIds, ...knownIds.slice(0, 2)].sort(() => random.fraction() - 0.5);
  const basis = random.chance(0.6) ? random.below(60) : undefined;
  const validTime = random.chance(0.4) ? { validTime: randomTime(random, timeMs) } : {};
  const plain = random.chance(0.3);
  return {
    name: `getMany at basis ${basis}`,
    call: (side) => side.store.getMany(ids, atOf(side, { basis, plain }, validTime)),
  };
}

function atOf(
  side: ComparedStore,
  { basis, plain }: { basis: number | undefined; plain: boolean },
  validTime: { validTime?: Date },
): Basis | AsOf | undefined {
  const token = basis === undefined ? undefined : named(side.bases, basis, "no basis");
  if (plain) return token;
  return { ...validTime, ...defined({ basis: token }) };
}

function randomHistory(random: Random): RandomCall {
  const id = knownIds[random.below(knownIds.length)] ?? "";
  const page = randomPage(random);
  return { name: `history of ${id}`, call: (side) => side.store.history(id, pageOf(side.cursors, page)) };
}

function randomFind(random: Random): RandomCall {
  const filter = randomFilter(random);
  const page = {
    ...randomPage(random),
    ...(random.chance(0.5) ? { cursor: knownIds[random.below(knownIds.length)] } : {}),
  };
  return { name: `find ${JSON.stringify(filter)}`, call: (side) => side.find(filter, pageOf(side.findCursors, page)) };
}

function randomFilter(random: Random): Filter {
  const part = (name: keyof typeof filterParts, probability: number) =>
    random.chance(probability) ? filterParts[name][random.below(filterParts[name].length)] : undefined;
  const parts = {
    type: part("type", 0.4),
    session: part("session", 0.3),
    tool: part("tool", 0.2),
    path: part("path", 0.2),
  };
  const type = part("sourceType", 0.4);
  const details = { namespace: part("namespace", 0.3), pathPrefix: part("pathPrefix", 0.5) };
  return { ...defined(parts), ...defined({ source: type === undefined ? undefined : { type, ...defined(details) } }) };
}

function randomErase(random: Random): RandomCall {
  const ids = Array.from({ length: random.below(3) }, () => knownIds[random.below(knownIds.length)] ?? "");
  const reason = random.pick(["leaked", "leaked \u{1f600}", "half \ud83d", " "]);
  return { name: `erase ${ids}`, call: (side) => side.store.erase(ids, reason) };
}

interface DrawnPage {
  readonly limit?: number;
  readonly documents?: boolean;
  readonly cursor?: string | number | undefined;
}

function randomPage(random: Random): DrawnPage {
  return {
    ...(random.chance(0.6) ? { limit: random.pick([1, 2, 3, 5, 1_000, 0, 1_001]) } : {}),
    ...(random.chance(0.5) ? { documents: random.chance(0.8) } : {}),
    ...(random.chance(0.4) ? { cursor: random.below(40) } : {}),
  };
}

function pageOf(cursors: readonly string[], { cursor, ...page }: DrawnPage): Page {
  if (cursor === undefined) return page;
  return { ...page, cursor: typeof cursor === "number" ? named(cursors, cursor, "no cursor") : cursor };
}

function randomTime(random: Random, timeMs: number): Date {
  return new Date(random.chance(0.02) ? Number.NaN : timeMs + random.below(200) - 100);
}

function named(known: readonly string[], number: number, otherwise: string): string {
  return known[number] ?? otherwise;
}
