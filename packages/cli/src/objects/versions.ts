import {
  type DocumentOf,
  everyDocument,
  everyVersion,
  isDocumentOf,
  type ListedVersion,
  type ObjectStore,
} from "@cm/object-model";
import { isoText } from "@cm/terminal-text";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";

/** A version with its number: 1 is the one that holds first. */
export interface NumberedVersion {
  readonly number: number;
  readonly version: ListedVersion;
}

/** All versions of an object, newest first. */
export async function numberedVersions(
  store: ObjectStore,
  id: string,
  { documents = false } = {},
): Promise<readonly NumberedVersion[]> {
  const versions: ListedVersion[] = [];
  const every = documents ? everyDocument : everyVersion;
  for await (const version of every((page) => store.history(id, page))) versions.push(version);
  return versions.map((version, place) => ({ number: versions.length - place, version }));
}

/**
 * A version by its number, or by the start of its content hash; of several with the same content the newest.
 * @param object as the user names it
 * @throws CmError `cli/not-found`, `cli/ambiguous`
 */
export function versionNamed(versions: readonly NumberedVersion[], text: string, object: string): NumberedVersion {
  const byNumber = versions.find(({ number }) => `${number}` === text);
  if (byNumber !== undefined) return byNumber;
  const isHash = text.length >= limits.hashPrefixCharsMin && /^[0-9a-f]+$/.test(text);
  const byHash = isHash ? versions.filter(({ version }) => version.contentHash.startsWith(text)) : [];
  const [first] = byHash;
  if (first === undefined) {
    throw cliError(
      "cli/not-found",
      `The object ${object} has no version ${text}; \`cm history\` numbers those it has.`,
      {
        version: text,
      },
    );
  }
  if (byHash.every(({ version }) => version.contentHash === first.version.contentHash)) return first;
  throw cliError(
    "cli/ambiguous",
    `Several versions of ${object} have a hash that begins with ${text}; give more of it.`,
    {
      version: text,
    },
  );
}

/** A version's facts for programs. */
export function versionValue({ number, version }: NumberedVersion) {
  const { contentHash, validTime, transactionTime, erased } = version;
  return {
    version: number,
    contentHash,
    validTime: isoText(validTime),
    transactionTime: isoText(transactionTime),
    ...textFacts(version),
    erased: erased === undefined ? null : { reason: erased.reason, at: isoText(erased.at) },
  };
}

/** How long a version's text is, or why it has none. */
export function textFacts({ document }: Pick<ListedVersion, "document">): {
  readonly chars: number | null;
  readonly textless: string | null;
} {
  if (document === undefined) return { chars: null, textless: "erased" };
  if (document.content !== null) return { chars: document.content.length, textless: null };
  return { chars: null, textless: isDocumentOf(document, "file") ? reasonOf(document) : null };
}

const reasonOf = ({ null_reason }: DocumentOf<"file">): string => null_reason ?? "unread";
