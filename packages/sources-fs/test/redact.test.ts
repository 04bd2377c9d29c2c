// Verifies: SSOT 5.10, T6 (what is redacted, and what is left alone)
import { createRedactor } from "@cm/sources-fs";
import { createRandom, hostileTexts, plannedSeeds, randomText } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { carriers } from "./support/carriers.ts";
import { plantedSecrets } from "./support/planted-secrets.ts";

const redact = createRedactor();
const drawn = "Zk3".concat("vQ8mX2pL9wR4tY7uB1nC5d");
const pem = (kind: string, body: string, lineBreak = "\n") =>
  [`-----BEGIN ${kind}PRIV`.concat("ATE KEY-----"), body, `-----END ${kind}PRIV`.concat("ATE KEY-----")].join(
    lineBreak,
  );
const keyLines = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7", "VJTUt9Us8cKjMzEfYyjiWA4R4yQ9dGkV1QxXkP"];

describe("redaction", () => {
  it.each([
    ["a quoted value", `const password = "${drawn}";`, 'const password = "[redacted:assigned]";'],
    ["a typed constant", `const apiKey: string = '${drawn}';`, "const apiKey: string = '[redacted:assigned]';"],
    ["JSON", `{"clientSecret":"${drawn}","port":1}`, '{"clientSecret":"[redacted:assigned]","port":1}'],
    ["JSON within JSON", `"{\\"token\\":\\"${drawn}\\"}"`, '"{\\"token\\":\\"[redacted:assigned]\\"}"'],
    ["YAML", `db:\n  password: ${drawn}\n`, "db:\n  password: [redacted:assigned]\n"],
    ["XML", `<password>${drawn}</password>`, "<password>[redacted:assigned]</password>"],
    ["an option", `deploy --token ${drawn} --fast`, "deploy --token [redacted:assigned] --fast"],
    ["an option with a sign", `deploy --api-key=${drawn}`, "deploy --api-key=[redacted:assigned]"],
    ["a query", `GET /a?access_token=${drawn}&b=1`, "GET /a?access_token=[redacted:assigned]&b=1"],
    ["a header", `Authorization: Bearer ${drawn}\n`, "Authorization: Bearer [redacted:assigned]\n"],
    ["a short password with marks", 'DB_PASSWORD="x7$Qp!2m"', 'DB_PASSWORD="[redacted:assigned]"'],
    ["a login in an address", "postgres://ada:l0velace@db:5432/x", "postgres://ada:[redacted:login]@db:5432/x"],
    ["text in another script", `密码：ghp_${drawn}${drawn}令牌`, "密码：[redacted:github]令牌"],
    ["an escaped line break", `"\\nghp_${drawn}${drawn}\\n"`, '"\\n[redacted:github]\\n"'],
    ["a longer key than known", `ghp_${drawn.repeat(20)}.`, "[redacted:github]."],
  ])("puts a mark in place of the value alone: %s", (_, text, expected) => {
    expect(redact(text)).toEqual({ text: expected, count: 1 });
  });

  it.each([
    [
      "references to the environment",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a shell script
      'password: ${DB_PASSWORD}\ntoken = process.env.TOKEN_1A2b3C\nsecret: "{{ secrets.aB3xY9 }}"',
    ],
    ["code", "const token = nextToken2(input4, x9y8z7w6);\nif (token === tokens[i1]) secret = makeSecretV2(a1b2c3d4);"],
    [
      "placeholders",
      'api_key = "your-api-key-1234"\npassword: changeme123\ntoken: "<token>"\nsecret = "xxxxxxxxxxxxxxxx1"',
    ],
    [
      "names",
      'secretName: "my-app-credentials-2"\ntokenType: "urn:ietf:params:oauth:token-type:jwt"\nscheme = "AWS4-HMAC-SHA256"',
    ],
    ["identifiers", 'token_id: "3f2504e0-4f89-11d3-9a0c-0305e82c3301"'],
    [
      "hashes",
      '"integrity": "sha512-9kT7cGx3tVvQ2mWn8Zb5Yh1Lr4Pd6Sf0Ej7Uq3Xo8Ia2Nc5Mg1Bw4Hk9Tz6Rv=="\ncommit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    ],
    [
      "documentation",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a document
      "AKIAIOSFODNN7EXAMPLE\npostgres://user:password@localhost/db\nhttps://${user}:${pass}@host/x\nsk-your-key-here-0000000000000000000000",
    ],
    [
      "public keys",
      `-----BEGIN PUBLIC KEY-----\n${keyLines.join("\n")}\n-----END PUBLIC KEY-----\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq7 ada@host`,
    ],
    ["a private key without a key", `${pem("", "...")} and ${pem("RSA ", "your key here")}`],
    [
      "names of classes",
      "sk-circle-fade-dot-spinner-large npm_config_registry_something_else xoxo-and-more-kisses-for-all",
    ],
    ["minified code", "function t(e,n){return e.token=n.secret||r.password,new i(e).api_key=o.p1.q2.r3}"],
  ])("leaves alone: %s", (_, text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });

  it("keeps the number of lines and what stands before them where a private key was", () => {
    const text = pem("RSA ", keyLines.join("\n"));

    expect(redact(`a\n${text}\nb`).text).toBe("a\n[redacted:pem]\n\n\n\nb");
    expect(redact(`  ${text.replaceAll("\n", "\n  ")}\nb`).text).toBe("  [redacted:pem]\n  \n  \n  \nb");
    expect(redact(`+${text.replaceAll("\n", "\n+")}\n b`).text).toBe("+[redacted:pem]\n+\n+\n+\n b");
    expect(redact(`-${text.replaceAll("\n", "\n-")}\n b`).text).toBe("-[redacted:pem]\n-\n-\n-\n b");
    expect(redact(text.replaceAll("\n", "\r\n")).text).toBe("[redacted:pem]\r\n\r\n\r\n");
    expect(redact(JSON.stringify({ private_key: text })).text).toBe('{"private_key":"[redacted:pem]"}');
  });

  it("covers a private key whose end was cut off, and no text behind it", () => {
    const [start = ""] = pem("", "").split("\n");
    const lines = Array.from({ length: 5 }, () => keyLines[0]);

    const { text, count } = redact(`${start}\n${lines.join("\n")}\n\nThat was the key. Next: run the tests.\n`);

    expect(count).toBe(1);
    expect(text).not.toContain(keyLines[0]);
    expect(text).toContain("That was the key. Next: run the tests.\n");
  });

  it("finds several secrets at once and counts each of them", () => {
    const secrets = plantedSecrets(53, createRandom(5));

    const { text, count } = redact(secrets.map(({ key, value }) => `${key} = "${value}"`).join("\n"));

    expect(count).toBe(53);
    expect(secrets.filter(({ canary }) => text.includes(canary))).toEqual([]);
  });

  it("changes nothing the second time, keeps lines and well-formed text, for any text with secrets in it", () => {
    for (const seed of plannedSeeds({ runs: 60 })) {
      const random = createRandom(seed);
      const secrets = plantedSecrets(12, random);
      const texts = secrets.map((secret) => {
        const text = random.pick(Object.values(carriers))(secret);
        const noise = random.chance(0.5) ? random.pick(hostileTexts) : randomText(random);
        return random.chance(0.5) ? `${noise}${text}` : `${text}${noise}`.slice(random.below(20));
      });
      const text = texts.join(random.pick(["", "\n", ",", '"'])).toWellFormed();

      const once = redact(text);

      const replay = `CM_SEED=${seed} CM_RUNS=0.016 pnpm exec vitest run --project @cm/sources-fs test/redact.test`;
      expect(redact(once.text), replay).toEqual({ text: once.text, count: 0 });
      expect(once.text.split("\n").length, replay).toBe(text.split("\n").length);
      expect(once.text.isWellFormed(), replay).toBe(true);
    }
  });

  it("keeps JSON valid", () => {
    for (const secret of plantedSecrets(300, createRandom(9))) {
      const value = { [secret.key]: secret.value, list: [secret.value], text: `${secret.key}=${secret.value}` };

      const { text, count } = redact(JSON.stringify(value));

      expect(count, secret.kind).toBeGreaterThan(0);
      expect(() => JSON.parse(text), secret.kind).not.toThrow();
    }
  });
});
