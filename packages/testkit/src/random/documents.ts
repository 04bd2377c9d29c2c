import {
  type AttachmentRef,
  chatId,
  type DocumentOf,
  fileTypeOf,
  type ObjectDocument,
  sealDocument,
  sessionObjectId,
  sha256,
  systemPromptId,
} from "@cm/object-model";
import { randomJsonObject } from "./json.ts";
import type { Random } from "./random.ts";
import { randomText, reservedNames } from "./texts.ts";

/** A file with random path and text; one in eight has no text. */
export function randomFile(random: Random): DocumentOf<"file"> {
  const path = `/w/${randomText(random)}.${random.pick(["ts", "MD", "", "tar.gz"])}`;
  const text = random.chance(0.125) ? null : randomText(random);
  return sealDocument(
    { type: "file", source: { type: "filesystem", filesystemId: random.pick(["fs-1", "fs-2"]), path } },
    {
      content: text,
      file_type: fileTypeOf(path),
      char_count: text?.length ?? 0,
      ...(text === null
        ? { null_reason: random.pick(["unread", "deleted", "binary", "too_large"] as const) }
        : { source_hash: sha256(text) }),
    },
  );
}

/** A tool call with random arguments. Its id may be a reserved name. */
export function randomToolcall(random: Random): DocumentOf<"toolcall"> {
  const id = random.chance(0.1) ? random.pick(reservedNames) : `call_${random.below(1_000)}${randomText(random)}`;
  const attachment = (): AttachmentRef => ({ sha256: sha256(randomText(random)), mime: "image/png", bytes: 1 });
  return sealDocument(
    { type: "toolcall", id: id === "" ? "call" : id.slice(0, 500).toWellFormed() },
    {
      content: randomText(random),
      tool: random.pick(["bash", "read", "edit", "grep"]),
      args: randomJsonObject(random),
      status: random.pick(["ok", "fail"] as const),
      chat_ref: chatId(random.pick(["s1", "s2"])),
      ...(random.chance(0.2) ? { attachments: [attachment()] } : {}),
      ...(random.chance(0.2) ? { args_display: randomText(random).slice(0, 160).toWellFormed() } : {}),
    },
  );
}

/** A valid document of the types that carry outside text. */
export function randomDocument(random: Random): ObjectDocument {
  const dice = random.below(10);
  if (dice < 4) return randomFile(random);
  if (dice < 9) return randomToolcall(random);
  const session = random.pick(["s1", "s2"]);
  return sealDocument(
    { type: "system_prompt", id: systemPromptId(session) },
    { content: randomText(random), session_ref: sessionObjectId(session) },
  );
}
