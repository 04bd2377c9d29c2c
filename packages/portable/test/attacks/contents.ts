import { leaseId, sealDocument, sessionObjectId } from "@cm/object-model";
import { type AnyDocument, type AnyLine, counted, resealed } from "../support/lines.ts";
import { type Attack, documentAt, first, type Material, withDocument } from "./attack.ts";

const hash = "0".repeat(64);
const types = ["toolcall", "attachment", "file", "system_prompt", "step", "keyframe", "chat", "session"];

/** Documents that are what they say, and do not belong there: all hashes, sums and counts are right. */
export function contentAttacks({ lines }: Material): readonly Attack[] {
  const changed = (title: string, code: string, type: string, change: AnyDocument): Attack => ({
    title,
    code,
    bytes: () => counted(withDocument(lines(), type, (document) => ({ ...resealed(document, change) }))),
  });
  const added = (title: string, code: string, behind: string, make: (all: AnyLine[]) => AnyDocument): Attack => ({
    title,
    code,
    bytes: () => {
      const all = lines();
      const line = { at: 1_704_067_200_000, document: { ...make(all) }, kind: "version" };
      all.splice(first(all, behind) + 1, 0, line);
      return counted(all);
    },
  });
  const like = (type: string, change: AnyDocument) => (all: AnyLine[]) =>
    resealed(documentAt(all, first(all, type)), change) as AnyDocument;
  return [
    ...types.flatMap((type): Attack[] =>
      ["content_hash", "identity_hash"].map((field) => ({
        title: `a ${type} with another ${field}`,
        code: "bundle/invalid-document",
        bytes: () => counted(withDocument(lines(), type, (document) => ({ ...document, [field]: hash }))),
      })),
    ),
    ...types.map(
      (type): Attack => ({
        title: `a ${type} with an unknown field`,
        code: "bundle/invalid-document",
        bytes: () => counted(withDocument(lines(), type, (document) => ({ ...document, extra: 1 }))),
      }),
    ),
    added(
      "a lease",
      "bundle/foreign",
      "step",
      () =>
        sealDocument(
          { type: "lease", id: leaseId("s") },
          { content: null, session_ref: sessionObjectId("s"), owner: "x", acquired_at: 0, expires_at: 1e15 },
        ) as AnyDocument,
    ),
    added("the head of another session", "bundle/foreign", "chat", like("session", { "xt/id": "session:victim" })),
    added("the chat of another session", "bundle/foreign", "chat", like("chat", { "xt/id": "chat:victim" })),
    added("a system prompt of another session", "bundle/foreign", "step", (all) =>
      like("system_prompt", { "xt/id": "system_prompt:victim", session_ref: "session:victim" })(all),
    ),
    added("a tool call that no step names", "bundle/foreign", "toolcall", like("toolcall", { "xt/id": "planted" })),
    added("a file that no step saw", "bundle/foreign", "file", (all) =>
      like("file", { source: { type: "filesystem", filesystemId: "disk-1", path: "/etc/passwd" } })(all),
    ),
    added("a version of a file that no step saw", "bundle/foreign", "file", like("file", { file_type: "planted" })),
    changed("a step that continues itself", "bundle/missing-reference", "step", { parent: { session: "s", n: 0 } }),
    changed("a step that continues a later one", "bundle/missing-reference", "step", {
      parent: { session: "s", n: 3 },
    }),
    changed("a step that merges itself", "bundle/missing-reference", "step", { merged: { session: "s", n: 0 } }),
    changed("a step that merges what is not there", "bundle/missing-reference", "step", {
      merged: { session: "s", n: 77 },
    }),
    changed("a step that continues another session's", "bundle/missing-reference", "step", {
      parent: { session: "victim", n: 0 },
    }),
    changed("a step with another number", "bundle/invalid-document", "step", { n: 1 }),
    changed("a step that says something else", "bundle/bad-chain", "step", { turn: 7 }),
    changed("a step that names a call that is not there", "bundle/missing-reference", "step", {
      messages: [{ role: "tool", call_id: "x", object: "nowhere" }],
    }),
    changed("a step that saw a file that is not there", "bundle/missing-reference", "step", {
      observed: [{ file: hash, content_hash: hash }],
    }),
    changed("a step that was resumed with a file that is not there", "bundle/missing-reference", "step", {
      resumed: { observed: [{ file: hash, content_hash: hash }] },
    }),
    changed("a step that shows a picture that is not there", "bundle/missing-reference", "step", {
      messages: [{ role: "user", text: "", attachments: [{ sha256: hash, mime: "image/png", bytes: 1 }] }],
    }),
    changed("a step whose index has an object that is not there", "bundle/missing-reference", "step", {
      changes: { index: { added: ["nowhere"] } },
    }),
    changed("a call with a picture that is not there", "bundle/missing-reference", "toolcall", {
      attachments: [{ sha256: hash, mime: "image/png", bytes: 1 }],
    }),
    changed("a call of another session", "bundle/foreign", "toolcall", { chat_ref: "chat:victim" }),
    changed("an attachment with other bytes", "bundle/invalid-document", "attachment", { content: "AAAA" }),
    changed("an attachment with another length", "bundle/invalid-document", "attachment", { byte_count: 4 }),
    changed("a keyframe of another step", "bundle/invalid-document", "keyframe", { n: 1 }),
    changed("a system prompt of another session's", "bundle/invalid-document", "system_prompt", {
      session_ref: "session:victim",
    }),
    changed("a head with another chain", "bundle/bad-chain", "session", { chain: hash }),
    changed("a chat with another chain", "bundle/bad-chain", "chat", { chain: hash }),
    changed("a head at an earlier step", "bundle/bad-chain", "session", { head: { session: "s", n: 1 } }),
    changed("a head before the first step", "bundle/bad-chain", "session", { head: null }),
    changed("a chat before the first step", "bundle/bad-chain", "chat", { head: null }),
    changed("a head at a step that is not there", "bundle/missing-reference", "session", {
      head: { session: "s", n: 9 },
    }),
    changed("a chat at a step that is not there", "bundle/bad-chain", "chat", { head: { session: "s", n: 9 } }),
    changed("a head that takes a number again", "bundle/bad-chain", "session", { next_step: 2 }),
    changed("a head that is far ahead", "bundle/bad-chain", "session", { next_step: 1e15 }),
    changed("a chat of another length", "bundle/bad-chain", "chat", { step_count: 3 }),
    changed("a head with a keyframe that is not there", "bundle/missing-reference", "session", {
      keyframe: "keyframe:s:1",
    }),
    changed("a head that was forked from nowhere", "bundle/missing-reference", "session", {
      forked_from: { session: "victim", n: 0 },
    }),
    changed("a head with another chat", "bundle/foreign", "session", { chat_ref: "chat:victim" }),
    changed("a head with another system prompt", "bundle/foreign", "session", {
      system_prompt_ref: "system_prompt:victim",
    }),
    changed("a chat of another session's", "bundle/foreign", "chat", { session_ref: "session:victim" }),
    changed("a head that took in a result that is not there", "bundle/missing-reference", "session", {
      pending: { messages: [{ role: "tool", call_id: "x", object: "nowhere" }] },
    }),
    {
      title: "a step of another session that nothing continues",
      code: "bundle/foreign",
      bytes: () => {
        const all = lines();
        const session_ref = "session:victim";
        const prompt = resealed(documentAt(all, first(all, "system_prompt")), {
          "xt/id": "system_prompt:victim",
          session_ref,
        });
        const step = resealed(documentAt(all, first(all, "step")), { "xt/id": "step:victim:42", session_ref, n: 42 });
        const at = 1_704_067_200_000;
        all.splice(
          first(all, "chat"),
          0,
          { at, document: { ...prompt }, kind: "version" },
          { at, document: { ...step }, kind: "version" },
        );
        return counted(all);
      },
    },
    {
      title: "a step before its system prompt",
      code: "bundle/missing-reference",
      bytes: () => {
        const all = lines();
        const [prompt, step] = [first(all, "system_prompt"), first(all, "step")];
        [all[prompt], all[step]] = [all[step] ?? {}, all[prompt] ?? {}];
        return counted(all);
      },
    },
  ];
}
