import {
  isFiller,
  isUuid,
  isVaried,
  looksDrawn,
  looksLikePassword,
  looksThoughtUp,
  mixesCharacterClasses,
  withoutPadding,
} from "./randomness.ts";
import { markStart } from "./span.ts";

const code = /\$\{|\{\{|\}\}|process\.env|\(|\)|=>|;|::|:\/\/|^[$%@~#]|^\.{0,2}\/[\w.-]{0,80}\/|^[[{]/;

/** The kind of value that a name implies. */
export interface Named {
  readonly isShort: boolean;
  /** It may be a login in base64. */
  readonly isBasic: boolean;
  readonly isPassword: boolean;
  /** A login stands before it, or a connection string around it: no word is expected there. */
  readonly isCertain: boolean;
  readonly isIdentifier: boolean;
}

/** What the place of a value calls a secret, without a name. */
const asPassword: Named = {
  isShort: false,
  isBasic: false,
  isPassword: true,
  isCertain: false,
  isIdentifier: false,
};

/** Whether a value is a secret where its place alone calls it one: a password or a key, and no mark in its place. */
export function isSecretByPlace(value: string): boolean {
  return value.length >= 8 && !/\s/.test(value) && !value.startsWith(markStart) && isSecret(value, asPassword);
}

/** Whether a value that a name calls a secret is one, as against a reference, a word or an example. */
export function isSecret(value: string, its: Named): boolean {
  if (its.isBasic && isLogin(value)) return true;
  if (!isVaried(value)) return false;
  if (isLongBase64(value)) return true;
  if (code.test(value)) return false;
  if (isUuid(value)) return !its.isIdentifier && !isFiller(value);
  if (looksDrawn(withoutPadding(value))) return true;
  if (looksThoughtUp(value)) return true;
  return (its.isPassword && looksLikePassword(value)) || (its.isCertain && !isFiller(value));
}

/** Base64 of 30 bytes or more, as secret and account keys are: its `/` and `+` part no words. */
function isLongBase64(value: string): boolean {
  return (
    value.length >= 40 &&
    /^[A-Za-z0-9+/]{38,160}={0,2}$/.test(value) &&
    mixesCharacterClasses(value) &&
    !isFiller(value)
  );
}

/** A name and a password, joined by a colon, in base64. */
export function isLogin(value: string): boolean {
  if (value.length < 8 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(value, "base64").toString("latin1"));
}
