import {
  attachmentId,
  type CoreType,
  chatId,
  coreDocumentTypes,
  erasedObjectId,
  fileTypeOf,
  type Identity,
  journalId,
  journalPartId,
  keyframeId,
  leaseId,
  type ObjectDocument,
  sealDocument,
  sessionObjectId,
  sha256,
  standingId,
  stepId,
  systemPromptId,
} from "../../src/index.ts";
import { randomObject, randomText } from "./json.ts";
import type { Random } from "./random.ts";

/** What a document is sealed from, as plain data. */
export interface Material {
  readonly identity: Identity;
  readonly payload: Readonly<Record<string, unknown>>;
}

export const coreTypes: readonly CoreType[] = [
  "file",
  "toolcall",
  "chat",
  "session",
  "system_prompt",
  "step",
  "keyframe",
  "lease",
  "journal",
  "journal_part",
  "attachment",
  "standing",
];

export function seal({ identity, payload }: Material): ObjectDocument {
  return sealDocument(identity, payload, coreDocumentTypes);
}

/** Material for a valid document of a type, with some of its optional fields. */
export function randomMaterial(random: Random, type: CoreType = random.pick(coreTypes)): Material {
  return makers[type](random);
}

const sessionOf = (random: Random): string => random.pick(["s1", "2026-11-22.a", "A_b-c"]);
const hashOf = (random: Random): string => sha256(randomText(random));
const callId = (random: Random): string => `call_${random.below(1_000)}${randomText(random, 4)}`;
const addressOf = (random: Random) => ({ session: sessionOf(random), n: random.below(100) });
const attachmentOf = (random: Random) => ({ sha256: hashOf(random), mime: "image/png", bytes: random.below(5_000) });
const sometimes = (random: Random, fields: () => object): object => (random.below(2) === 0 ? {} : fields());

function file(random: Random): Material {
  const path = `/w/${randomText(random)}/${random.pick(["a.ts", "Makefile", ".env", "b.tar.gz"])}`;
  const source = random.pick([
    { type: "filesystem", filesystemId: "fs-1", path },
    { type: "git", repo: "host/repo", ref: "main", path },
    { type: "s3", bucket: "bucket", key: path },
    { type: "wiki", space: "team", path },
  ]);
  const content = random.below(5) === 0 ? null : randomText(random, 60);
  return {
    identity: { type: "file", source },
    payload: {
      content,
      file_type: fileTypeOf(path),
      char_count: content?.length ?? 0,
      ...(content === null ? { null_reason: random.pick(["unread", "deleted", "binary", "too_large"]) } : {}),
      ...sometimes(random, () => ({ source_hash: hashOf(random) })),
      ...sometimes(random, () => ({ redactions: random.below(9) })),
    },
  };
}

function toolcall(random: Random): Material {
  const session = sessionOf(random);
  const span = () => ({ file: hashOf(random), start_line: 1 + random.below(9), content_hash: hashOf(random) });
  return {
    identity: { type: "toolcall", id: callId(random) },
    payload: {
      content: random.below(9) === 0 ? null : randomText(random, 60),
      tool: random.pick(["bash", "read", "edit"]),
      args: randomObject(random),
      status: random.pick(["ok", "fail"]),
      chat_ref: chatId(session),
      ...sometimes(random, () => ({ args_display: randomText(random) })),
      ...sometimes(random, () => ({ file_refs: random.some(3, () => hashOf(random)), spans: random.some(3, span) })),
      ...sometimes(random, () => ({ attachments: [attachmentOf(random)] })),
    },
  };
}

function chat(random: Random): Material {
  const session = sessionOf(random);
  return {
    identity: { type: "chat", id: chatId(session) },
    payload: {
      content: null,
      session_ref: sessionObjectId(session),
      turn_count: random.below(99),
      step_count: random.below(999),
      toolcall_count: random.below(999),
      chain: hashOf(random),
      head: random.below(3) === 0 ? null : addressOf(random),
    },
  };
}

function session(random: Random): Material {
  const id = sessionOf(random);
  return {
    identity: { type: "session", id: sessionObjectId(id) },
    payload: {
      content: null,
      chat_ref: chatId(id),
      system_prompt_ref: systemPromptId(id),
      status: random.pick(["active", "paused"]),
      next_step: random.below(99),
      head: random.below(3) === 0 ? null : addressOf(random),
      chain: hashOf(random),
      index_count: 9,
      pool_count: random.below(9),
      active_count: random.below(9),
      pinned_count: random.below(9),
      ...sometimes(random, () => ({ keyframe: keyframeId(addressOf(random)), forked_from: addressOf(random) })),
    },
  };
}

function systemPrompt(random: Random): Material {
  const id = sessionOf(random);
  return {
    identity: { type: "system_prompt", id: systemPromptId(id) },
    payload: { content: randomText(random, 60), session_ref: sessionObjectId(id) },
  };
}

function step(random: Random): Material {
  const address = addressOf(random);
  const call = { call_id: callId(random), tool: "bash", object: callId(random) };
  return {
    identity: { type: "step", id: stepId(address) },
    payload: {
      content: null,
      session_ref: sessionObjectId(address.session),
      n: address.n,
      parent: address.n === 0 ? null : { session: address.session, n: address.n - 1 },
      messages: [
        { role: "user", text: randomText(random, 60), attachments: random.some(2, () => attachmentOf(random)) },
        {
          role: "assistant",
          text: randomText(random),
          thinking: [{ text: randomText(random), signature: "c2ln" }],
          calls: [call],
        },
        { role: "tool", call_id: call.call_id, object: call.object },
      ],
      turn: random.below(9),
      changes: {
        index: { added: [call.object] },
        active: { added: [call.object], removed: random.some(2, () => callId(random)) },
      },
      layout: "log/1",
      decision: randomObject(random),
      basis: `b${random.below(99)}`,
      prompt_hash: hashOf(random),
      prompt_chars: random.below(99_999),
      kept_chars: random.below(9_999),
      ...sometimes(random, () => ({ usage: { input: 1, output: 2, cache_read: 3, cache_write: random.below(9) } })),
      recorded_at: 1_767_225_600_000 + random.below(99_999),
    },
  };
}

function keyframe(random: Random): Material {
  const address = addressOf(random);
  const ids = () => random.some(4, () => callId(random));
  const sets = { index: ids(), pool: ids(), active: ids(), pinned: ids(), dismissed: ids(), requested: ids() };
  return {
    identity: { type: "keyframe", id: keyframeId(address) },
    payload: { content: null, session_ref: sessionObjectId(address.session), n: address.n, ...sets },
  };
}

function standing(random: Random): Material {
  const address = addressOf(random);
  return {
    identity: { type: "standing", id: standingId(address) },
    payload: {
      content: null,
      session_ref: sessionObjectId(address.session),
      n: address.n,
      standing: Buffer.from(randomText(random, 60)).toString("base64"),
    },
  };
}

function lease(random: Random): Material {
  const id = sessionOf(random);
  return {
    identity: { type: "lease", id: leaseId(id) },
    payload: {
      content: null,
      session_ref: sessionObjectId(id),
      owner: randomText(random),
      acquired_at: random.below(99_999),
      expires_at: random.below(99_999),
    },
  };
}

function journal(random: Random): Material {
  const id = sessionOf(random);
  return {
    identity: { type: "journal", id: journalId(id) },
    payload: {
      content: random.below(3) === 0 ? null : JSON.stringify(randomObject(random)),
      session_ref: sessionObjectId(id),
      agent: random.pick(["pi", "claude-code"]),
      entry_count: random.below(999),
      source_sum: hashOf(random),
      part_count: random.below(9),
      next_step: random.below(99),
      head: random.below(3) === 0 ? null : addressOf(random),
      ...sometimes(random, () => ({ redactions: random.below(9) })),
    },
  };
}

function journalPart(random: Random): Material {
  const id = sessionOf(random);
  const n = random.below(9);
  const entries = random.some(3, () => JSON.stringify([randomObject(random), random.below(99)]));
  return {
    identity: { type: "journal_part", id: journalPartId(id, n) },
    payload: { content: entries.join("\n"), session_ref: sessionObjectId(id), n, entry_count: entries.length },
  };
}

function attachment(random: Random): Material {
  const bytes = Buffer.from(randomText(random, 60));
  return {
    identity: { type: "attachment", id: attachmentId(sha256(bytes)) },
    payload: { content: bytes.toString("base64"), byte_count: bytes.length },
  };
}

function erasedObject(random: Random): Material {
  return {
    identity: { type: "erased_object", id: erasedObjectId(hashOf(random)) },
    payload: { content: null, content_hashes: random.some(3, () => hashOf(random)) },
  };
}

const makers: Record<CoreType, (random: Random) => Material> = {
  file,
  toolcall,
  chat,
  session,
  system_prompt: systemPrompt,
  step,
  keyframe,
  standing,
  lease,
  journal,
  journal_part: journalPart,
  attachment,
  erased_object: erasedObject,
};
