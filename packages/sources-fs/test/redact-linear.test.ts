// @module-tag long
// Verifies: T16 (no input makes a rule more than linear)
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { plantedKinds, plantedSecrets } from "./support/planted-secrets.ts";
import { hasNestedRepeat, regexLiterals } from "./support/regex-literals.ts";

/** The patterns that are made from strings, which no source shows whole: recorded while the rules are loaded. */
const built: RegExp[] = [];
const { RegExp: original } = globalThis;
globalThis.RegExp = new Proxy(original, {
  construct(target, args: ConstructorParameters<typeof RegExp>) {
    const made = new target(...args);
    built.push(made);
    return made;
  },
});
const { createRedactor } = await import("../src/redact/redactor.ts");
globalThis.RegExp = original;

const sources = join(import.meta.dirname, "../src");
const folders = ["redact", "rules", "discovery"];
const isCampaign = process.env.CM_CAMPAIGN === "1";
const textChars = isCampaign ? 2 ** 20 : 2 ** 18;
/** Four times the text may take so many times as long; what is not linear takes sixteen times as long and more. */
const ratioMax = 12;
/** Processor time of less than this says nothing about a ratio. */
const leastMs = isCampaign ? 20 : 5;

/** Processor time of one call, in milliseconds: that of others on a busy machine does not count. */
function spentMs(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function codeOf(folder: string): readonly string[] {
  return readdirSync(join(sources, folder)).map((name) => readFileSync(join(sources, folder, name), "utf8"));
}

describe("patterns", () => {
  it("repeat nothing that repeats", () => {
    const literals = folders.flatMap((folder) => codeOf(folder).flatMap(regexLiterals));

    expect(literals.length).toBeGreaterThan(100);
    expect(literals.filter(hasNestedRepeat)).toEqual([]);
  });

  it("have bounded repeats where they are tried at many places of a text", () => {
    const sticky = codeOf("redact").flatMap((text) =>
      [...text.matchAll(/\/((?:[^/\n\\]|\\.)+)\/i?y\b/g)].map(([, source]) => source ?? ""),
    );

    expect(sticky.length).toBeGreaterThan(150);
    expect(sticky.filter((source) => /(?<!\\)[*+](?![^[]*\])/.test(source))).toEqual([]);
  });

  it("do so, too, where they are made from strings", () => {
    expect(built.length).toBeGreaterThan(40);
    expect(built.map(({ source }) => source).filter(hasNestedRepeat)).toEqual([]);
  });

  it("have bounded repeats, too, where they are made from strings and tried at many places", () => {
    const sources = built.filter(({ sticky }) => sticky).map(({ source }) => source);

    expect(sources.length).toBeGreaterThan(20);
    expect(sources.filter((source) => /(?<!\\)[*+](?![^[]*\])/.test(source))).toEqual([]);
  });

  it("are told from ones that may explode by this check", () => {
    expect(
      ["(a+)+", "(?:a|b*)*c", "(?:(?:ab)+c?){2,}", "([a-z]{1,9})*"].filter((source) => !hasNestedRepeat(source)),
    ).toEqual([]);
    expect(["(?:ab)+", "[a+]+(?:b|c)?", "(?:a{3})+", "\\(a+\\)+", "(?:a+)?b{0,2}"].filter(hasNestedRepeat)).toEqual([]);
  });
});

describe("redaction of a long text that is hostile to", () => {
  const redact = createRedactor();
  const repeated = (text: string) => text.repeat(Math.ceil(textChars / text.length)).slice(0, textChars);
  const begin = "-----BEGIN PRIV".concat("ATE KEY-----");

  const shaped = plantedSecrets(plantedKinds.length, createRandom(3)).flatMap(({ kind, value }) => [
    [kind, value],
    [`${kind}, always cut short`, `${value.slice(0, Math.min(value.length - 3, 24))} `],
  ]);
  const others = [
    ["runs of letters and digits", "aB3-"],
    ["starts of keys in one run", "eyJ-sk-ghp_xoxb-AIza_"],
    ["starts behind dots", "SG.hvs.eyJ.dp.pt."],
    ["names of values", "token"],
    ["names and signs", "token=secret:password=>"],
    ["names and blanks", "--token        "],
    ["names that follow each other", "DB_PASSWORD=apiKey=client_secret2:"],
    ["ends of private keys", begin.replace("BEGIN", "END")],
    ["quotes", 'password=\\\\\\"'],
    ["values that are none", `password="${"a".repeat(155)} `],
    ["addresses", "://a:b://"],
    ["logins without a host", `://${"a".repeat(120)}:`],
    ["signatures", "&sig=&sig=%2F"],
    ["private keys without an end", `${begin}\n`],
    ["private keys that only begin", begin.slice(0, 26)],
    ["one private key without an end", `${begin}\n`.padEnd(textChars, "MIIEvQIBADANBgkq\n")],
    ["colour codes", "[33;1;31m"],
    ["digits", "1234567890:"],
    ["options", " -pa1b2 -u a:b1 "],
    ["commands without an end", "curl -u a:b1 mysql -pa1b2 "],
    ["cookies", "Cookie: a=b; "],
    ["cookies in quotes", 'cookie:"a1b2c3d4e5f6g7'],
    ["sessions", "_session=a1b2c3d4e5f6g7h8i9j0"],
    ["kinds of documents", "\nkind: Secret\ndata:\n  a: b1C2d3E4\n"],
    ["kinds without an end", "kind: Secret data: "],
    ["signs of hashes", "$2$6$y$1$argon2id$"],
    ["keys across dots", `SG.dp.st.${"a1B2".repeat(6)}.`],
    ["signs around tildes", `8Q~${"a1B2".repeat(6)}~`],
    ["base64", "aB3/cD4+eF5=gH6ABSK"],
    ["short names", "_KEY=Pwd:auth=_PAT creds:"],
    ["short names in quotes", '"x_key","a1B2" {'],
    ["names and braces", 'variable "db_password" { type = string '],
    ["values before names", '{"value":"a1B2c3D4e5F6","name":"x'],
    ["names in prose", "the token is for x: "],
    ["values on next lines", "password:\n    "],
    ["names of settings", "ENV X_KEY setx Y_TOKEN "],
    ["netrc files", "machine a login b password "],
    ["connection strings", "Uid=a;Pwd=b;"],
    ["tables", "api_key | "],
    ["columns", "\ntoken                "],
    ["kinds of keys in JSON", '{"kty":"RSA","d":'],
    ["keys of PuTTY", "PuTTY-User-Key-File-3: Private-Lines"],
    ["ends of private keys with lines", `${"A1b2C3d4".repeat(8)}\n${begin.replace("BEGIN", "END")}\n`],
    ["lines before one end", `${`${"A1b2C3d4".repeat(8)}\n`.repeat(400)}${begin.replace("BEGIN", "END")}\n`],
    ["drivers", "a:bcdefgh1@tcp("],
    ["addresses of drivers", 'jdbc:mysql://x","root","'],
    ["calls", '.password("'],
    ["names in flags", "--name password "],
    ["changes", 'password = "a" -> '],
    ["symbols", " :token, "],
    ["logins in code", 'BasicAuth("ada", '],
    ["values within", '"token": {"sensitive":true, '],
    ["defaults", 'token || "'],
    ["what is told on", "echo a1b2c3d4 "],
    ["here documents", "chpasswd <<EOF\nada:"],
    ["commands about passwords", "set-passwd a b "],
    ["users before options", "t -u ada -p "],
    ["words of routers", "enable password 7 "],
    ["calls with a user", 'connect("a", "b", '],
    ["names of files", "chap-secrets sasl_passwd auth.txt\n"],
    ["lines of files", "a:5432:"],
    ["ports of relays", "[a]:587 "],
    ["codes in Russian", "код подтверждения "],
    ["lists of codes", "backup codes (a) "],
    ["codes that are bought", "voucher gift card "],
    ["what comes before a name", "aaaaaaaa as the password "],
    ["pipes", "echo a1b2c3d4 | x --password-stdin "],
    ["encrypted tokens", "eyJhbGciOiJSU0EtT0FFUC0yNTYi."],
    ["access keys", `AK${"IA"}ABCDEFGHIJ234567 `],
    ["calls that sign", 'jwt.sign(a, "'],
    ["calls within calls", "hmac(encrypt(PDO(login("],
    ["commands that print", "$ pass show x\n"],
    ["commands that print, on one line", "$ echo password "],
    ["vaults that print an object", '$ az keyvault secret show\n"value": "'],
    ["heads of columns", "user,password\n"],
    ["heads of columns on one line", "user | token | "],
    ["a table's rows", "| user | token |\n| a | b1C2 |\n"],
    ["names in other languages", "mot_de_passe contraseña schlüssel clave "],
    ["passwords by their place", "net user ada mc alias set a b c login: a / "],
    ["words before a name", "use a1b2c3d4 as the password "],
    ["lines of commas", "password=a,"],
    ["codes in addresses", "?code=a1B2c3D4e5F6g7H8i9J0k&state="],
    ["tokens near names", "token a1B2c3D4e5F6g7H8 "],
    ["tokens near names of other things", "key sha256 a1B2c3D4e5F6g7H8 "],
    ["tokens before names", '("a1B2c3D4e5F6g7H8", token '],
    ["quotes near names", "\"key'`token\"a1B2'c3`"],
    ["one run behind names", "key=a1B2c3D4/token="],
    ["passwords in prose", "password for the box is "],
    ["lines that ask", "what is the token?\n[10:02] Lou: a1B2c3D4e5F6g7H8\n"],
    ["labels above", "the token (a):\n  a1B2c3D4e5F6g7H8\n"],
    ["phrases of words", "recovery phrase: absorb bridge candy donkey "],
    ["one phrase of words", "phrase ".concat("candy ".repeat(60))],
    ["codes", "pin: 480251 is your login code "],
    ["links", "/password/reset/a1B2c3D4e5F6g7H8i9J0/"],
    ["pipes to what takes a secret", "echo a1b2c3d4 | chpasswd | gh secret set "],
    ["rows of SQL", "(id, password) VALUES (1, 'a1B2c3D4e5'), ("],
    ["columns of SQL", "(id, password, token, "],
    ["users of SQL", "IDENTIFIED BY a1b2c3d4 "],
    ["pictures for wireless nets", "WIFI:T:WPA;S:a;P:"],
    ["names in Chinese", "密码：密码是 a1B2c3D4 "],
    ["settings in settings", "A=B=C=TOKEN="],
    ["hooks", "/hooks/a/b/"],
    ["states of Terraform", 'random_password "result" '],
    ["quotes before options", `curl 'a;b' "c|d" -u `],
    ["signs of all kinds", "\npassword: a1B$c2D(e3F)\n--password x"],
    ["stores of users", "hdbuserstore set a b "],
    ["scripts that wait", '"assword:" send "'],
    ["nothing", " "],
    ["characters of two bytes", "牌ŁtokenŁ=ł"],
  ];

  it.each([...shaped, ...others])("%s", (_, piece = "") => {
    const text = repeated(piece);
    const quarter = text.slice(0, textChars / 4);
    let ratio = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 4 && ratio >= ratioMax; tries++) {
      const whole = spentMs(() => redact(text));
      // Most take so little that a quarter of it says nothing more.
      const isShort = whole < leastMs * ratioMax;
      const least = isShort
        ? leastMs
        : Math.max(
            leastMs,
            spentMs(() => redact(quarter)),
          );
      ratio = Math.min(ratio, whole / least);
    }

    expect(ratio).toBeLessThan(ratioMax);
  });
});
