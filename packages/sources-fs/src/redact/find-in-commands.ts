import { redactLimits } from "../limits.ts";
import type { Anchors } from "./anchors.ts";
import { looksDrawn, looksLikePassword } from "./randomness.ts";
import { markStart, type Span } from "./span.ts";

/** An option of a command that takes a password, or a name and a password. Letters are as in the command line. */
interface SecretOption {
  readonly commands: RegExp;
  /** How the option may begin, after the sign. */
  readonly letters: string;
  /** The text after ` -`, up to the value. */
  readonly option: RegExp;
  /** The password follows a name and this sign. */
  readonly after?: string;
}

const options: readonly SecretOption[] = [
  {
    letters: "uaU-",
    commands: /\b(?:curl|http|https|xh|wget)\b/,
    option: /(?:u|a|-user|-proxy-user|U)(?:[ \t]{1,4}|=)/y,
    after: ":",
  },
  { letters: "p", commands: /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump)\b/, option: /p/y },
  { letters: "p", commands: /\bsshpass\b/, option: /p[ \t]{0,4}/y },
  {
    letters: "p",
    commands: /\b(?:docker|podman|helm|oras|skopeo|az|oc|nerdctl|buildah)\b.{0,80}\blogin\b/,
    option: /p[ \t]{1,4}/y,
  },
  { letters: "a", commands: /\bredis-cli\b/, option: /a[ \t]{1,4}/y },
  { letters: "w", commands: /\b(?:ldapsearch|ldapadd|ldapmodify|ldapwhoami|ldappasswd)\b/, option: /w[ \t]{1,4}/y },
  {
    letters: "pP",
    commands: /\b(?:mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|sqlcmd|clickhouse-client)\b/,
    option: /[pP][ \t]{1,4}/y,
  },
  { letters: "U", commands: /\b(?:smbclient|rpcclient|net)\b/, option: /U[ \t]{1,4}/y, after: "%" },
  { letters: "pP", commands: /\b(?:7z|7za|zip|unzip|unrar)\b/, option: /[pP][ \t]{0,2}/y },
  { letters: "t", commands: /\b(?:influx|codecov|doctl|fastly|consul|nomad|pscale)\b/, option: /t[ \t]{1,4}/y },
  { letters: "p", commands: /\btwine\b/, option: /p[ \t]{1,4}/y },
  { letters: "kK", commands: /\b(?:nuget|openssl)\b/, option: /[kK][ \t]{1,4}/y },
  { letters: "NP", commands: /\bssh-keygen\b/, option: /[NP][ \t]{0,4}/y },
  { letters: "cAX", commands: /\bsnmp\w{2,9}\b/, option: /[cAX][ \t]{0,4}/y },
  { letters: "b", commands: /\boathtool\b/, option: /b[ \t]{1,4}/y },
  { letters: "-", commands: /\boathtool\b/, option: /-base32(?:[ \t]{1,4}-\S{2,12})?[ \t]{1,4}/y },
  { letters: "u", commands: /\b(?:lftp|sftp)\b/, option: /u[ \t]{1,4}/y, after: "," },
  {
    letters: "p",
    commands: /\b(?:psexec|rdesktop|nxc|netexec|crackmapexec|evil-winrm|mycli|rar|mongorestore|check_\w{2,20})\b/i,
    option: /p[ \t]{0,4}/y,
  },
  { letters: "pP", commands: /\b(?:mosquitto_\w{3}|bcp|cqlsh|ipmitool|snowsql|mysqlsh)\b/, option: /[pP][ \t]{1,4}/y },
  {
    letters: "-",
    commands: /\b(?:skopeo|buildah|podman|crane|oras|regctl)\b/,
    option: /-(?:src-|dest-)?creds(?:[ \t]{1,4}|=)/y,
    after: ":",
  },
  { letters: "a", commands: /\bxh\b.{0,80}[ \t]bearer\b/, option: /a[ \t]{1,4}/y },
  {
    letters: "-",
    commands: /\b(?:curl|xh|restic|tailscale|cloudflared)\b/,
    option: /-(?:oauth2-bearer|bearer|password-command[ \t]'echo)[ \t]{1,4}/y,
  },
  { letters: "p", commands: /\bopenssl\b/, option: /pass(?:in|out)?[ \t]{1,4}pass:/y },
];

const optionsByLetter = new Map(
  [..."uaUpwPtkKNcAXb-"].map((letter) => [letter, options.filter(({ letters }) => letters.includes(letter))]),
);
type Positional = Readonly<Record<string, readonly RegExp[]>>;
const none: readonly RegExp[] = [];
/**
 * A password or a key that is an argument by its place, after the word where an anchor stands. The word comes first and
 * what must stand before it next, since most words are of no command. By the anchor's first letter.
 */
const positional: Positional = {
  "/": [
    /\/p:(?<=\b[xw]freerdp3?[ \t][^\n]{0,200}\/p:)/iy,
    /\/rp[ \t]{1,4}(?<=\bschtasks[ \t][^\n]{0,240}\/rp[ \t]{1,4})/iy,
  ],
  k: [/key(?<=message-digest-key)[ \t]\d{1,3}[ \t]md5[ \t](?:\d[ \t])?/y],
  a: [
    /acl setuser[ \t]\S{1,64}[ \t](?:[^\n>]{0,60}[ \t])?>/iy,
    /alias(?<=\bmc[ \t]alias)[ \t]set[ \t]{1,4}\S{1,64}[ \t]{1,4}\S{1,120}[ \t]{1,4}\S{1,64}[ \t]{1,4}/y,
    /add_user(?<=\brabbitmqctl[ \t]add_user)[ \t]{1,4}\S{1,64}[ \t]{1,4}/y,
  ],
  b: [/basic(?<=\bhttp-basic)[\w.-]{0,64}[ \t]{1,4}\S{1,64}[ \t]{1,4}/y],
  e: [
    /et user(?<=\bnet user)[ \t]{1,4}[\w.\\-]{1,64}[ \t]{1,4}/y,
    /eg add(?<=\breg add)[ \t][^\n]{0,240}?(?:token|secret|password|key|pwd)["']?[ \t][^\n]{0,60}?\/d[ \t]{1,4}/iy,
    /et use(?<=\bnet use)[ \t][^\n]{0,120}?\/user:\S{1,64}[ \t]{1,4}/y,
  ],
  l: [
    /login(?<=\b(?:vault|cargo|bao)[ \t]login)[ \t]{1,4}/y,
    /login[ \t]{0,4}[:=][ \t]{1,4}[\w.@-]{1,64}[ \t]\/[ \t]/iy,
  ],
  u: [/UGFzc3dvcmQ6["']?[ \t]{0,4}\r?\n(?:[\w<>]{1,10}:?[ \t]{1,4})?/y],
  w: [/WIFI:[^\n]{0,120}?;P:/y],
  m: [/mask::(?<=::add-mask::)/y],
  p: [
    /password[ \t]{1,4}(?<=\bnmcli[ \t][^\n]{0,80}[ \t]password[ \t]{1,4})/y,
    /passphrase(?<=\bwpa_passphrase)[ \t]{1,4}\S{1,40}[ \t]{1,4}/y,
  ],
};
const identifiedBy =
  /fied (?:with ["']?\w{1,40}["']? )?(?:by|as) (?:password )?(?:'(?=[^'\n]{4,160}')|"(?=[^"\n]{4,160}")|(?=[^\s;'"]{4,64}(?:[\s;]|$)))/iy;
const word = /(?:"[^"\n]{3,160}"|'[^'\n]{3,160}'|[^\s"'`;|&<>()]{3,160})/y;
const pipeCharsMax = 48;
/** Of `passwd`, `secret`, `login` and `cryptsetup`: the names that commands behind a pipe are seen by. */
const pipedFirsts = new Set([..."pslr"].map((letter) => letter.charCodeAt(0)));
const passedOnBefore =
  /(\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?(?:["']?%s["']?[ \t]{1,4})?\\{0,3}["']?)([^\s"'|\\]{4,160})\\{0,3}["']?[ \t]{0,4}\|[^|\n]{1,160}$/;
const takesSecret =
  /^\|[ \t]{0,4}(?:sudo[ \t]{1,4})?(?:chpasswd|passwd[ \t]|(?:docker|podman)[ \t]secret[ \t]create|gh[ \t](?:secret[ \t]set|auth[ \t]login)|(?:npx[ \t])?wrangler[ \t]secret|pass[ \t]insert|(?:fly|flyctl|gcloud|heroku|vault)[ \t][\w ]{0,16}secrets?|cryptsetup)/;
const placeholder =
  /^[$<{%[]|\$\{|\$\(|\*{3}|^(?:pass(?:word|wd)?|secret|token|x+|your.{0,40}|changeme|user|pwd|key)$/i;

/** Finds passwords that commands take as options: `curl -u a:b`, `mysql -pX`, `sshpass -p X`. */
export function findInCommands(
  text: string,
  { options: optionPlaces, identified, names }: Pick<Anchors, "options" | "identified" | "names">,
): Span[] {
  const spans: Span[] = [];
  for (const at of optionPlaces) {
    if (!text.startsWith(" -", at)) continue;
    const possible = optionsByLetter.get(text.charAt(at + 2));
    const span = passedOn(text, at + 2) ?? (possible === undefined ? undefined : optionAt(text, at + 2, possible));
    if (span !== undefined) spans.push(span);
  }
  for (const at of names) {
    const span = argumentAt(text, at, positional[text.charAt(at).toLowerCase()] ?? none) ?? pipedTo(text, at);
    if (span !== undefined) spans.push(span);
  }
  for (const at of identified) {
    identifiedBy.lastIndex = at;
    if (!/identi$/i.test(text.slice(Math.max(0, at - 6), at)) || !identifiedBy.test(text)) continue;
    const start = identifiedBy.lastIndex;
    const quote = /["']/.exec(text.charAt(start - 1))?.[0];
    // In prose, what something is identified by has none of these.
    if (quote !== "'" && text.charAt(at) !== "F") continue;
    const length = text.slice(start, start + 161).search(quote === undefined ? /[\s;]|$/ : quote);
    if (length > 0 && isPassword(text.slice(start, start + length)))
      spans.push({ start, end: start + length, rule: "option" });
  }
  return spans;
}

/** `echo X | docker login --password-stdin`, `echo X | sudo -S`. */
function passedOn(text: string, at: number): Span | undefined {
  const isTold =
    text.startsWith("password-stdin", at + 1) || (text.startsWith("S ", at) && text.startsWith("sudo", at - 6));
  return isTold ? passedBefore(text, at) : undefined;
}

/** `echo ada:X | chpasswd`, `printf X | gh secret set NAME`: a name right behind the pipe, of what takes a secret. */
function pipedTo(text: string, at: number): Span | undefined {
  if (!pipedFirsts.has(text.charCodeAt(at) | 32)) return undefined;
  const before = text.slice(Math.max(0, at - pipeCharsMax), at);
  const pipe = before.lastIndexOf("|");
  if (pipe < 0 || !takesSecret.test(text.slice(at - before.length + pipe, at + 24))) return undefined;
  return passedBefore(text, at);
}

function passedBefore(text: string, at: number): Span | undefined {
  const from = Math.max(0, at - redactLimits.commandCharsMax);
  const found = passedOnBefore.exec(text.slice(from, at));
  const [, begin = "", whole = ""] = found ?? [];
  const value = text.startsWith("passwd", at) ? whole.slice(whole.indexOf(":") + 1) : whole;
  if (found === null || !isPassword(value)) return undefined;
  const start = from + found.index + begin.length + whole.length - value.length;
  return { start, end: start + value.length, rule: "option" };
}

function argumentAt(text: string, at: number, patterns: readonly RegExp[]): Span | undefined {
  for (const before of patterns) {
    before.lastIndex = at;
    if (!before.test(text)) continue;
    word.lastIndex = before.lastIndex;
    if (!word.test(text)) return undefined;
    const quotes = /["']/.test(text.charAt(before.lastIndex)) ? 1 : 0;
    const [start, end] = [before.lastIndex + quotes, word.lastIndex - quotes];
    return isPassword(text.slice(start, end)) ? { start, end, rule: "argument" } : undefined;
  }
  return undefined;
}

function optionAt(text: string, at: number, possible: readonly SecretOption[]): Span | undefined {
  for (const { commands, option, after } of possible) {
    option.lastIndex = at;
    if (!option.test(text)) continue;
    const valueAt = option.lastIndex;
    if (!commands.test(commandBefore(text, at))) continue;
    word.lastIndex = valueAt;
    if (!word.test(text)) continue;
    const isQuoted = /["']/.test(text.charAt(valueAt));
    const start = isQuoted ? valueAt + 1 : valueAt;
    const end = isQuoted ? word.lastIndex - 1 : escapedEnd(text, start, word.lastIndex);
    const sign = after === undefined ? start - 1 : text.slice(start, end).indexOf(after) + start;
    if (after !== undefined && sign < start) continue;
    return isPassword(text.slice(sign + 1, end)) ? { start: sign + 1, end, rule: "option" } : undefined;
  }
  return undefined;
}

/** The command that an option belongs to: since the line began, or the command before it ended. */
function commandBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - redactLimits.commandCharsMax), at);
  const broken = before.replace(/\\{1,2}\r?\n|\\{2,4}n/g, "  ");
  const start = Math.max(
    broken.lastIndexOf("\n"),
    broken.lastIndexOf("\\n"),
    broken.lastIndexOf(";"),
    broken.lastIndexOf("|"),
  );
  return broken.slice(start + 1);
}

/** Within a string of JSON the line ends at `\n`. */
function escapedEnd(text: string, start: number, end: number): number {
  const mark = text.slice(start, end).search(/\\/);
  return mark < 0 ? end : start + mark;
}

function isPassword(value: string): boolean {
  if (value.length < 4 || value.startsWith(markStart) || placeholder.test(value)) return false;
  return (
    looksDrawn(value) ||
    looksLikePassword(value) ||
    (/\d/.test(value) && /[A-Za-z]/.test(value) && !/[/\\]/.test(value))
  );
}
