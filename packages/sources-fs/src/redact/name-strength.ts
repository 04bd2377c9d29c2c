import { patternsOf } from "./name-patterns.ts";
import { type SecretName, secretNames } from "./secret-words.ts";

/** How surely a name says that a secret stands beside it; 0 says nothing. */
export type Strength = 0 | 1 | 2 | 3;

const [weak, sure, surest] = ([1, 2, 3] as const).map((strength) =>
  endsIn(secretNames.filter((one) => one.strength === strength)),
) as [RegExp, RegExp, RegExp];
/** Commands that print a secret, and options that make them do so. */
const prints =
  /(?:pwgen|gen_?key|ssl_rand|kv_get|with_decryption|secure_string|(?:^|_)(?:op_read|op|pass_show|jenkins_initial))$/;
/** Anywhere in a name whose end says nothing. */
const anywhere = new RegExp(
  patternsOf(
    secretNames.filter((one) => one.isAnywhere),
    "_?",
  ).join("|"),
);
/** The last words of names; most words are none and hold none. */
const lasts = patternsOf(secretNames, "_").map((name) => name.slice(name.lastIndexOf("_") + 1));
const lastWord = new RegExp(
  [...new Set(lasts)]
    .filter((word) => !lasts.some((other) => other !== word && word.includes(other)))
    .concat("gen rand kv show get read op initial decryption secure".split(" "))
    .join("|"),
  "i",
);
/** What may stand behind a name without changing what it says. */
const ending =
  /(?:_(?:prod|production|dev|test|live|staging|qa|hex|b64|base64|values?|data|text|string|old|new|current|env|var|default|local|plain|raw|mainnet|is|internal|file_content|previous|primary|secondary|content|v?\d{1,4})|\d{1,4}|(?:已?(?:设置|重置|改))?[为是為]|[はがを은는이가])$/;
/** Words of names that say of a value what it is, and that it opens nothing; before `key` they make it one that opens nothing. */
const opensNothing = (
  "public publishable pub anon site cache primary foreign partition sort order index idx hash row store query " +
  "object group react i18n translation registry dedup dedupe idempotency route lookup hot unique " +
  "composite natural sequence schema bucket tur mon don hoc joc whis message msg locale lang column field " +
  "artifact lock path image blob build job run trace event item node entry record doc document sha commit etag " +
  "fingerprint version request model thread conversation metadata page sync next continuation cancellation " +
  "cursor resume prev previous parent child sibling file host data known gpg pgp"
).split(" ");
const against = new Set([
  ...opensNothing,
  ...(
    "h hashed sha1 sha256 sha512 md5 digest integrity checksum revision rev thumbprint uuid guid id ids uid span " +
    "req keyname type name hasher validator policy policies rule rules count length size url uri href src " +
    "filename dir folder expiry expires ttl alg algorithm format prefix suffix usage limit budget arn kid nonce " +
    "iv crc blake2 ref refs tree branch tag hexsha tx txid block address addr mac ip hostname port serial color " +
    "colour css class classname icon svg font license_url mappings sourcemap charset alphabet list create " +
    "retrieve delete archive update remove h1 chars characters regex pattern example_id resolved tarball shasum " +
    "websocket host_key rsa ed25519 ecdsa dss peer rowid snapshot sha256sum md5sum sha1sum"
  ).split(" "),
]);
const hashed = /(?:^|_)(?:hash(?:ed)?(?!_salt)|sha\d*|md5|digest|checksum|commit|public|fingerprint|uuid)(?:_|$)/;
const harmlessTokens = new Set(opensNothing);
/** Words that do so before `key` alone. */
const harmlessKeys = new Set([
  ...opensNothing,
  ...(
    "map task session state prop props style theme menu tab panel active selected current last root base content " +
    "up down left right arrow shift tooltip analytics metric section step socket"
  ).split(" "),
]);

function endsIn(names: readonly SecretName[]): RegExp {
  const [whole, parts] = [true, false].map((is) =>
    patternsOf(
      names.filter((one) => one.isWhole === is),
      "_?",
    ),
  );
  return new RegExp(`(?:${[`(?:^|_)(?:${whole?.join("|")})`, ...(parts ?? [])].join("|")})s?$`);
}

function withoutEnding(words: string): string {
  return words.replace(ending, "").replace(ending, "");
}

/** What most words are, so that they need not be made. */
const plain = /^[a-z\d]+$/;

/** The words of a name in small letters, joined by `_`. */
export function wordsOf(name: string): string {
  if (plain.test(name)) return name;
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z\d\u00aa-\uffff]+/g, "_")
    .replace(/^_|_$/g, "")
    .toLowerCase();
}

/** Whether a word may end a name; a first look that costs little. */
export const mayName = (word: string): boolean => lastWord.test(word);

/** Of a name as one word, and with up to two words before it: `API key`. */
export function strengthOf(words: string, own: string): Strength {
  if (words.includes("public_key") || hashed.test(own)) return 0;
  const name = withoutEnding(words);
  const key = /(?:^|_)([^_]+)_(key|token)s?$/.exec(name);
  if (key !== null && (key[2] === "key" ? harmlessKeys : harmlessTokens).has(key[1] ?? "")) return 0;
  if (surest.test(name) || prints.test(words)) return 3;
  if (sure.test(name)) return 2;
  if (weak.test(name)) return 1;
  return anywhere.test(own) && !isAgainst(own) ? 1 : 0;
}

const keyedCall =
  /(?:^|_)(?:sign_with|signed_string|pbkdf2\w*|fernet|cookie_?parser|cookie_?session|(?:\w*_)?hmac(?:_new|_sha\d*(?:_key_for)?)?|aes_new|password|password_authentication|password_hash|hash_password|hashpw)$/;
const laterCall =
  /(?:^|_)(?:sign|verify|encode|decode|encrypt\w*|decrypt\w*|\w*cipher\w*|pdo|mysqli\w*|algolia_?search|login|auth|authenticate|basic_auth|wi_?fi_begin)$/;

/** Of the name of a call that takes a secret: as any of its arguments, or behind what is signed or who logs in. */
export function callStrength(words: string, gap: string, commas: number): Strength {
  if (!gap.startsWith("(")) return 0;
  return keyedCall.test(words) || (commas > 0 && laterCall.test(words)) ? 3 : 0;
}

/** Whether what has this name is known to everybody: a hash, an id, an address. */
export function isAgainst(words: string): boolean {
  const name = withoutEnding(words);
  return against.has(name.slice(name.lastIndexOf("_") + 1)) || hashed.test(name);
}
