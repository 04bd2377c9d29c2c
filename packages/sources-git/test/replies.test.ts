// Verifies: SSOT 5.11 (bounded reading of what git says)
import { createHash } from "node:crypto";
import { createRandom, type Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { limits } from "../src/limits.ts";
import { type Expected, type Reply, ReplyParser } from "../src/process/reply-parser.ts";
import { parseTree } from "../src/repository/tree.ts";
import { forEachSeed } from "./support/random.ts";

interface Exchange {
  readonly questions: readonly Expected[];
  readonly bytes: Buffer;
  readonly replies: readonly Reply[];
}

const randomId = (random: Random): string => createHash("sha1").update(String(random.fraction())).digest("hex");

/** Questions, what git would say, and what that means. Content imitates replies. */
function exchange(random: Random, count: number): Exchange {
  const questions: Expected[] = [];
  const pieces: Buffer[] = [];
  const replies: Reply[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = randomId(random);
    const type = random.pick(["blob", "tree", "commit", "tag"]);
    const content = Buffer.from(
      random
        .some(6, () => random.pick([`${id} blob 3\n`, "\n", "missing\n", `${id} missing\n`, "\0\u00ff", "text"]))
        .join(""),
    );
    const kind = random.pick(["missing", "info", "contents"] as const);
    questions.push({ command: kind === "contents" ? kind : "info", name: id, bytesMax: content.length });
    if (kind === "missing") {
      pieces.push(Buffer.from(`${id} missing\n`));
      replies.push({ kind });
    } else if (kind === "info") {
      pieces.push(Buffer.from(`${id} ${type} ${content.length}\n`));
      replies.push({ kind, id, type, size: content.length });
    } else {
      pieces.push(Buffer.from(`${id} ${type} ${content.length}\n`), content, Buffer.from("\n"));
      replies.push({ kind, id, type, bytes: content });
    }
  }
  return { questions, bytes: Buffer.concat(pieces), replies };
}

function parse(questions: readonly Expected[], pieces: readonly Buffer[]): readonly Reply[] {
  const replies: Reply[] = [];
  const parser = new ReplyParser(
    () => questions[replies.length],
    (reply) => replies.push(reply),
  );
  for (const piece of pieces) parser.feed(piece);
  return replies;
}

describe("replies of the long-lived git", () => {
  it("are the same however the bytes are cut", async () => {
    await forEachSeed("are the same however the bytes are cut", 12, (random) => {
      const { questions, bytes, replies } = exchange(random, 12);
      const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));

      expect(parse(questions, [bytes])).toEqual(replies);
      expect(parse(questions, single)).toEqual(replies);
      for (let at = 0; at <= bytes.length; at += 1) {
        expect(parse(questions, [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(replies);
      }
    });
  });

  it("that end at any byte are the whole ones before the cut and no more", () => {
    const { questions, bytes, replies } = exchange(createRandom(7), 30);

    for (let at = 0; at <= bytes.length; at += 1) {
      const before = parse(questions, [bytes.subarray(0, at)]);
      expect(before).toEqual(replies.slice(0, before.length));
    }
  });

  it("with a byte changed are replies of the same form, or an end, and never more bytes than were agreed", async () => {
    await forEachSeed("with a byte changed", 2_000, (random) => {
      const { questions, bytes } = exchange(random, 8);
      const spoiled = Buffer.from(bytes);
      for (let n = random.below(4) + 1; n > 0; n -= 1) spoiled[random.below(spoiled.length)] = random.below(256);

      try {
        for (const [n, reply] of parse(questions, [spoiled]).entries()) {
          if (reply.kind === "contents") expect(reply.bytes.length).toBeLessThanOrEqual(questions[n]?.bytesMax ?? -1);
        }
      } catch (error) {
        expect(error).toMatchObject({ reason: "git gave an unclear answer" });
      }
    });
  });

  it("that are random bytes are an end, and are not kept", async () => {
    await forEachSeed("that are random bytes", 500, (random) => {
      const questions: Expected[] = [{ command: "contents", name: randomId(random), bytesMax: 10 }];
      const noise = Buffer.from(Array.from({ length: 300 }, () => random.below(256)));
      const read = () => {
        for (let fed = 0; fed <= limits.replyLineBytesMax; fed += noise.length) parse(questions, [noise]);
        parse(
          questions,
          Array.from({ length: 40 }, () => noise),
        );
      };

      expect(read).toThrow("git gave an unclear answer");
    });
  });

  it.each([
    ["a line without end", "x".repeat(limits.replyLineBytesMax + 1)],
    ["a reply to nothing", `${"a".repeat(40)} missing\n${"a".repeat(40)} missing\n`],
    ["another object's absence", `${"b".repeat(40)} missing\n`],
    ["more bytes than were agreed", `${"a".repeat(40)} blob 11\n`],
    ["a size that is no number", `${"a".repeat(40)} blob 1e1\n`],
    ["a size beyond all", `${"a".repeat(40)} blob 99999999999999999999\n`],
    ["an unknown kind of object", `${"a".repeat(40)} thing 1\n`],
    ["content that goes on", `${"a".repeat(40)} blob 2\nabc\n`],
  ])("are refused: %s", (_title, text) => {
    const questions: Expected[] = [{ command: "contents", name: "a".repeat(40), bytesMax: 10 }];

    expect(() => parse(questions, [Buffer.from(text)])).toThrow("git gave an unclear answer");
  });
});

describe("folders as git stores them", () => {
  const entry = (mode: string, name: string, id: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), id]);
  const modes = {
    "100644": "file",
    "100755": "file",
    "40000": "folder",
    "120000": "symbolic-link",
    "160000": "submodule",
  };

  it("are read whole, and refused where they are cut", async () => {
    await forEachSeed("are read whole", 60, (random) => {
      const idBytes = random.pick([20, 32]);
      const entries = Array.from({ length: random.below(6) + 1 }, (_, n) => ({
        mode: random.pick(Object.keys(modes)) as keyof typeof modes,
        name: `${n}${random.pick(["", " ", "\n", "100644 x", "é", "\u0001"])}`,
        id: Buffer.from(Array.from({ length: idBytes }, () => random.pick([0, 10, 32, 255, random.below(256)]))),
      }));
      const pieces = entries.map(({ mode, name, id }) => entry(mode, name, id));
      const bytes = Buffer.concat(pieces);
      const ends = new Set(pieces.map((_, n) => Buffer.concat(pieces.slice(0, n)).length));

      expect([...parseTree(bytes, idBytes)]).toEqual(
        entries.map(({ mode, name, id }) => [
          Buffer.from(name).toString("latin1"),
          { kind: modes[mode], id: id.toString("hex") },
        ]),
      );
      for (let at = 0; at < bytes.length; at += 1) {
        const cut = () => parseTree(bytes.subarray(0, at), idBytes);
        if (ends.has(at)) expect(cut).not.toThrow();
        else expect(cut).toThrow("an object is damaged");
      }
    });
  });

  it("that are random bytes are refused with a reason and nothing else", async () => {
    await forEachSeed("that are random bytes are refused", 2_000, (random) => {
      const bytes = Buffer.from(
        Array.from({ length: random.below(200) + 1 }, () => random.pick([0, 32, 48, 49, 52, random.below(256)])),
      );
      try {
        parseTree(bytes, 20);
      } catch (error) {
        expect(error).toMatchObject({ reason: "an object is damaged" });
      }
    });
  });
});
