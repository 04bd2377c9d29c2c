import { redactLimits } from "../limits.ts";
import type { Anchors } from "./anchors.ts";
import type { Span } from "./span.ts";
import { isSecretByPlace } from "./value-is-secret.ts";

/** Programs that print what they are asked for, at the beginning of a command or behind a pipe. */
const printing =
  /(?:^|\|)[ \t]{0,8}(?:[^\s]{0,60}[ \t]?[$#%>❯➜][ \t]{1,2}|\+ )?(?:sudo )?(?:pass|gopass|lpass|op|bw|rbw|vault|bao|doppler|infisical|chamber|secret-tool|security|keyring|heroku|aws|gcloud|az|kubectl|oc|terraform|tofu|pulumi|printenv|echo|cat|head|tail|gh|glab|wg|rails|rake|jq|yq|base64|fly|flyctl|railway|docker|podman|sops|gpg|npm|consul|etcdctl|openssl|pwgen|apg|dotnet|ansible-vault|kubeadm|k3s|php|python3?|node|bin\/rails)[ \t]/;
/** What these print of a secret that is none. */
const harmless =
  /\bgit\b|sha\d|md5|metadata|\.uid\b|fingerprint|checksum|--version|digest|public|\.pub\b|\bwc\b|\blist\b|\bls\b|\bdelete\b|\bdescribe\b|[-.]arn\b|\bid\b|_id\b/i;
const [newline, backslash] = [10, 92];
const nextLine = /(?:\r?\n|\\n)[ \t]{0,8}([^\s"'`\\]{8,200})(?=[ \t]{0,8}(?:\r?\n|\\n|\\?"|$))/y;
/** Vaults in clouds print an object. */
const nextObject = /(?:\r?\n|\\n)[ \t]{0,8}\{/y;
const printedObject = /"(?:value|Value|SecretString)"[ \t]{0,4}:[ \t]{0,4}"([^"\s\\]{8,200})"/;
const objectPrinting = /keyvault secret show|get-secret-value|ssm get-parameter/;

/**
 * Finds what a command prints that asks for a secret, where it stands alone on the next line: `$ pass show mail`,
 * `$ printenv API_KEY`, `$ openssl rand -hex 32`.
 */
export function findInOutput(text: string, { names, outputs }: Pick<Anchors, "names" | "outputs">): Span[] {
  return [...printedAt(text, names), ...printedAt(text, outputs)];
}

function printedAt(text: string, places: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of places) {
    if (at < from) continue;
    const end = lineEndAfter(text, at);
    // Of a line that goes on for longer, no part is examined twice.
    from = end ?? at + redactLimits.commandCharsMax / 2;
    const span = end === undefined ? undefined : printedBelow(text, at, end);
    if (span === undefined) continue;
    spans.push(span);
    from = span.end;
  }
  return spans;
}

/** A line ends at `\n` within a string of JSON, too. */
function lineEndAfter(text: string, from: number): number | undefined {
  const most = Math.min(text.length, from + redactLimits.commandCharsMax);
  for (let at = from; at < most; at++) {
    const char = text.charCodeAt(at);
    if (char === newline || (char === backslash && text.charAt(at + 1) === "n")) {
      return text.charAt(at - 1) === "\r" && at > from ? at - 1 : at;
    }
  }
  return undefined;
}

/** Few lines have a single word below them: that is looked at before the command. */
function printedBelow(text: string, at: number, end: number): Span | undefined {
  nextLine.lastIndex = end;
  const alone = nextLine.exec(text)?.[1];
  if (alone !== undefined) {
    const span = secretAt(nextLine.lastIndex - alone.length, alone);
    return span !== undefined && asksForSecret(commandAround(text, at, end)) ? span : undefined;
  }
  nextObject.lastIndex = end;
  if (!nextObject.test(text)) return undefined;
  const command = commandAround(text, at, end);
  if (!objectPrinting.test(command) || !asksForSecret(command)) return undefined;
  const found = printedObject.exec(text.slice(end, end + redactLimits.printedCharsMax));
  const value = found?.[1] ?? "";
  return found === null ? undefined : secretAt(end + found.index + found[0].length - value.length - 1, value);
}

function asksForSecret(command: string): boolean {
  return printing.test(command) && !harmless.test(command);
}

function commandAround(text: string, at: number, end: number): string {
  const before = text.slice(Math.max(0, at - redactLimits.commandCharsMax), at);
  const escaped = before.lastIndexOf("\\n");
  return before.slice(Math.max(before.lastIndexOf("\n") + 1, escaped < 0 ? 0 : escaped + 2)) + text.slice(at, end);
}

function secretAt(start: number, value: string): Span | undefined {
  return isSecretByPlace(value) ? { start, end: start + value.length, rule: "printed" } : undefined;
}
