import { z } from "zod";

/** What `--json` prints, command by command: the README's promise to programs. Unknown members are a change of it. */
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const moment = z.iso.datetime();
const address = z.strictObject({ session: z.string(), n: z.int().min(0) });
const sets = z.strictObject({ index: z.int(), pool: z.int(), active: z.int(), pinned: z.int() });
const writer = z.strictObject({ owner: z.string(), acquiredAt: moment, expiresAt: moment, expired: z.boolean() });
const erasure = z.strictObject({ reason: z.string(), at: moment });
const level = z.enum(["active", "inactive", "indexed"]);

export const session = z.strictObject({
  session: z.string(),
  status: z.enum(["active", "paused", "erased", "damaged"]),
  steps: z.int(),
  turns: z.int(),
  toolcalls: z.int(),
  objects: sets,
  head: address.nullable(),
  lastActivity: moment.nullable(),
  writer: writer.nullable(),
  forkedFrom: address.nullable(),
});

/** A message that no step has yet, as a step would have it. */
const waiting = z.array(z.looseObject({ role: z.enum(["user", "assistant", "tool"]) }));

export const shownSession = session.extend({ kind: z.literal("session"), waiting });

export const listedObject = z.strictObject({
  kind: z.literal("object"),
  id: z.string(),
  alias: z.string(),
  type: z.enum(["file", "toolcall"]),
  level,
  pinned: z.boolean(),
  path: z.string().nullable(),
  fileType: z.string().nullable(),
  tool: z.string().nullable(),
  status: z.enum(["ok", "fail"]).nullable(),
  args: z.string().nullable(),
  redactions: z.int(),
  chars: z.int().nullable(),
  textless: z.string().nullable(),
});

export const shownObject = listedObject.extend({
  contentHash: hash,
  validTime: moment,
  transactionTime: moment,
  erased: erasure.nullable(),
  text: z.string().nullable(),
  document: z.record(z.string(), z.unknown()).nullable(),
});

export const version = z.strictObject({
  id: z.string(),
  version: z.int().min(1),
  contentHash: hash,
  validTime: moment,
  transactionTime: moment,
  chars: z.int().nullable(),
  textless: z.string().nullable(),
  erased: erasure.nullable(),
});

const side = z.union([
  z.strictObject({ version: z.int(), contentHash: hash }),
  z.strictObject({ session: z.string(), n: z.int(), contentHash: hash }),
]);
export const diff = z.strictObject({ id: z.string(), from: side, to: side, changed: z.boolean(), diff: z.string() });

export const erasedRequest = z.strictObject({ request: z.int().min(0), step: address, erased: z.literal("step") });
export const request = z.strictObject({
  request: z.int().min(0),
  step: address,
  erased: z.literal("texts").nullable(),
  turn: z.int(),
  at: moment,
  recordedAt: moment,
  model: z.string().nullable(),
  layout: z.string(),
  chars: z.int(),
  keptChars: z.int(),
  servedChars: z.int(),
  cache: z.enum(["warm", "cold"]),
  plainChars: z.int(),
  billed: z.number(),
  plainBilled: z.number(),
  usage: z.strictObject({ input: z.int(), output: z.int(), cacheRead: z.int(), cacheWrite: z.int() }).nullable(),
  fold: z.strictObject({ cut: z.int().nullable(), cause: z.string().nullable(), parts: z.int() }).nullable(),
  reasons: z.record(z.string(), z.int()),
  recalls: z.array(z.string()),
  releases: z.array(z.string()),
  omitted: z.int(),
  calls: z.int(),
  amended: z.int(),
  redactions: z.int(),
  resumed: z.boolean(),
});

const place = z.strictObject({ request: z.int().min(0), step: address, at: moment.nullable() });
export const life = z.strictObject({
  session: z.string(),
  id: z.string(),
  alias: z.string(),
  type: z.enum(["file", "toolcall"]),
  path: z.string().nullable(),
  tool: z.string().nullable(),
  level,
  pinned: z.boolean(),
  chars: z.int().nullable(),
  textless: z.string().nullable(),
  complete: z.boolean(),
  met: place,
  versions: z.array(
    z.strictObject({ version: z.int().nullable(), contentHash: hash, written: moment.nullable(), from: place }),
  ),
  texts: z.array(
    z.strictObject({
      part: z.string(),
      kind: z.enum(["output", "arguments", "brought back", "active set"]),
      chars: z.int(),
      call: z.strictObject({ id: z.string(), alias: z.string(), tool: z.string() }).nullable(),
      lines: z.strictObject({ start: z.int(), end: z.int().nullable() }).nullable(),
      runs: z.array(
        z.strictObject({
          standing: z.enum(["in full", "shortened", "reference", "left out", "erased", "missing"]),
          reason: z.string().nullable(),
          from: place,
          to: place,
        }),
      ),
    }),
  ),
  levels: z.array(z.strictObject({ level, pinned: z.boolean(), from: place })),
});

export const pastSession = z.strictObject({
  kind: z.literal("session"),
  session: z.string(),
  step: z.int(),
  turns: z.int(),
  toolcalls: z.int(),
  objects: sets,
  complete: z.boolean(),
  missing: z.array(z.string()),
  systemPrompt: z.string().nullable(),
  request: z.union([request, erasedRequest]).nullable(),
});

export const prompt = z.strictObject({
  session: z.string(),
  step: z.int(),
  layout: z.string(),
  system: z.string(),
  messages: z.array(z.looseObject({ id: z.string(), role: z.enum(["user", "assistant", "tool"]), text: z.string() })),
  chars: z.int(),
  kept: z.strictObject({ messages: z.int(), chars: z.int() }),
  hash,
  recordedHash: hash.nullable(),
  holds: z.boolean(),
  complete: z.boolean(),
  missing: z.array(z.string()),
});

export const file = z.strictObject({
  id: hash,
  source: z.string().nullable(),
  place: z.string().nullable(),
  path: z.string().nullable(),
  contentHash: hash,
  chars: z.int().nullable(),
  textless: z.string().nullable(),
  sessions: z.array(z.strictObject({ session: z.string(), alias: z.string(), level, pinned: z.boolean() })).optional(),
});

export const exported = z.strictObject({ session: z.string(), file: z.string(), bytes: z.int() });
export const imported = z.strictObject({
  session: z.string(),
  outcome: z.enum(["imported", "extended", "unchanged"]),
  digest: hash,
  replacedSteps: z.array(z.string()),
  written: z.int(),
  commits: z.int(),
});
export const forked = z.strictObject({ session: z.string(), from: address });
export const erased = z.strictObject({
  erased: z.array(z.string()),
  shared: z.array(z.string()),
  unknown: z.array(z.string()),
  at: moment,
  basis: z.string(),
});
export const finding = z.strictObject({
  kind: z.literal("finding"),
  damage: z.boolean(),
  id: z.string(),
  type: z.string().optional(),
  problem: z.string(),
  detail: z.string(),
});
export const verified = z.strictObject({
  kind: z.literal("summary"),
  checked: z.int(),
  damaged: z.int(),
  erased: z.int(),
  replaced: z.int(),
  unfinished: z.int(),
});
export const check = z.strictObject({
  check: z.string(),
  status: z.enum(["ok", "warn", "fail"]),
  text: z.string(),
  next: z.string().nullable(),
});
export const compacted = z.strictObject({ store: z.string(), bytesBefore: z.int(), bytesAfter: z.int() });
export const failure = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    exit: z.int(),
    data: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** One line for each session file of an import. */
export const importedFile = z.union([
  z.strictObject({
    file: z.string(),
    session: z.string(),
    agent: z.string(),
    outcome: z.enum(["imported", "extended", "unchanged", "empty", "recorded"]),
    steps: z.int(),
    entries: z.int(),
    redactions: z.int(),
    warnings: z.array(z.string()),
  }),
  z.strictObject({ file: z.string(), session: z.string().optional(), outcome: z.literal("empty") }),
  z.strictObject({
    file: z.string(),
    session: z.string().optional(),
    outcome: z.literal("failed"),
    error: z.strictObject({ code: z.string(), message: z.string() }),
  }),
]);

const reportFigures = {
  requests: z.int(),
  tokens: z
    .strictObject({
      ...{ requests: z.int(), shortened: z.int() },
      ...{ input: z.number(), cacheRead: z.number(), cacheWrite: z.number(), output: z.number() },
    })
    .nullable(),
  cost: z.strictObject({ input: z.number(), output: z.number(), total: z.number() }).nullable(),
  use: z.strictObject({
    ...{ sentChars: z.int(), outputChars: z.int(), unusedChars: z.int(), outputs: z.int(), neverUsed: z.int() },
  }),
  billedChars: z.strictObject({ plain: z.number(), withLog: z.number() }),
  edits: z.strictObject({ needed: z.int(), inView: z.int() }),
};

/** One line for each file of a report, and one for all of them. */
export const reportLine = z.discriminatedUnion("kind", [
  z.strictObject({
    ...{ kind: z.literal("session"), file: z.string(), session: z.string() },
    agent: z.enum(["pi", "claude-code", "codex", "opencode", "swe-agent"]),
    folder: z.string().nullable(),
    startedAt: moment.nullable(),
    ...reportFigures,
    costWithLog: reportFigures.cost,
    heaviest: z.array(
      z.strictObject({
        ...{ tool: z.string().nullable(), target: z.string().nullable(), chars: z.int(), requests: z.int() },
      }),
    ),
    warnings: z.array(z.string()),
  }),
  z.strictObject({
    ...{ kind: z.literal("failed"), file: z.string(), session: z.string().optional() },
    error: z.strictObject({ code: z.string(), message: z.string() }),
  }),
  z.strictObject({
    ...{ kind: z.literal("summary"), sessions: z.int(), failed: z.int(), empty: z.int() },
    leftOut: z.array(z.string()),
    prices: z.strictObject({ name: z.string(), read: z.number(), write: z.number() }),
    perMillion: z.strictObject({ input: z.number(), output: z.number() }).nullable(),
    ...reportFigures,
    compared: z.strictObject({ sessions: z.int(), cost: z.number(), costWithLog: z.number() }).nullable(),
  }),
]);
