// Verifies: SSOT 5.10 (the one pass that says where the rules look)
import { expect, it } from "vitest";
import { anchors, codeOf } from "../src/redact/anchor-words.ts";
import { findAnchors } from "../src/redact/anchors.ts";
import { lowBytes } from "../src/redact/low-bytes.ts";
import { secretNames } from "../src/redact/secret-words.ts";

const words = {
  names: [
    "key",
    "KEY",
    '"kty',
    "'kty",
    "pw=",
    "PW:",
    "secur",
    "Pwd",
    "_pat",
    "-PAT",
    "pw |",
    "cookie",
    "Cookie",
    "COOKIE",
    "_session=",
    "jwt.",
    "Hmac",
    "ign(",
    "ignedString(",
    "ignWith(",
    "rypt(",
    "cipher",
    "pbkdf2",
    "Fernet(",
    "PDO(",
    "pwgen",
    "genkey",
    "ssl rand",
    "t kv",
    "decryption",
    "op://",
    "basic",
    "alias",
    "unseal",
    "vapid",
    "heimzahl",
    "-invit",
    "ign=",
    "RAR ",
    "EA7E",
    "ogon",
    "ebhook",
    "/hooks",
    "ssword",
  ],
  addresses: ["://", "tcp(", "jdbc", "sqlplus"],
  signatures: ["sig=", "ure=", "ode="],
  options: [" -u", " -a", " -U", " -p", " -P", " -w", " -t", " -k", " --"],
  identified: ["fied by", "FIED WITH"],
  codes: ["code", "Codigo", "TAN:", "kod:", "gift", "voucher", "edeem", "ial="],
  arguments: [
    "et user",
    "et use",
    "eg add",
    "add-mask",
    "add_user",
    "mask::",
    "radtest",
    "hdbuserstore",
    "db2 ",
    "CWJAP",
    "nuget",
    "ftp>",
    "/p:",
    "/rp ",
    "acl setuser",
    "/oper ",
    "airport",
    "EAP ",
    "rsa ",
    "ickServ",
    "iwconfig",
    "smbclient",
    "echo",
    "ntf ",
    "nnect(",
    "cn=",
    "2c ",
    "com2sec",
    "on >",
    "on #",
    "{SSHA",
    "teuser",
    "amaccount",
    "oveadm",
    "{PLAIN",
    "y-string",
    "код ",
  ],
} as const;
const cases = Object.entries(words).flatMap(([kind, all]) => all.map((word) => ({ kind, word })));

it.each(cases)("$word is seen wherever it begins", ({ kind, word }) => {
  for (const text of [word, `.${word}`, `..${word}`, `...${word}.`, `é牌${word}`, `é${word}${word}`]) {
    const found: readonly number[] = findAnchors(lowBytes(text))[kind as keyof typeof words];

    // `_pat` and `"kty` begin where their letters do.
    expect(found).toContain(text.indexOf(word) + (/^(?:[_-]pat|["']kty)$/i.test(word) ? 1 : 0));
  }
});

it.each(secretNames.filter(({ strength }) => strength > 1).map(({ begin, rest }) => begin + rest))(
  "%s is seen in small letters and capitals, with signs and without",
  (name) => {
    for (const one of [name, name.replaceAll("_", ""), name.replaceAll("_", "-")]) {
      for (const word of [one, one.toUpperCase()]) {
        const text = `牌 ${word}: x`;

        expect(findAnchors(lowBytes(text)).names.some((at) => at > 1 && at < 2 + word.length)).toBe(true);
      }
    }
  },
);

it("is nowhere in a text without any, and nothing of the text before is left", () => {
  findAnchors(lowBytes("key ://x sig=cookie _session= by '"));

  expect(Object.values(findAnchors(lowBytes("There is nothing."))).flat()).toEqual([]);
});

it("knows the kind of a place by its first three characters", () => {
  const kinds = Map.groupBy(anchors, ({ begin }) => [...begin].slice(0, 3).map(codeOf).join(" "));
  const several = [...kinds.values()].filter((all) => new Set(all.map(({ kind }) => kind)).size > 1);

  expect(several.map((all) => all.map(({ kind, begin }) => `${kind} ${begin}`))).toEqual([]);
});
