/** A name of secrets, and all that the rules need to know of it. */
export interface SecretName {
  /** In small letters, with its accents; `_` is where words join. By the first four letters of the rest a text is told to hold it. */
  readonly begin: string;
  readonly rest: string;
  /** How surely a secret stands beside it. */
  readonly strength: 1 | 2 | 3;
  /** No other word may be joined with it in front. */
  readonly isWhole: boolean;
  /** What stands behind it may be a password that a person thought up; `digits` says that it has some. */
  readonly thoughtUp: boolean | "digits";
  /** Says something anywhere in a name, too: `tokenOfTheBot`. */
  readonly isAnywhere: boolean;
}

/**
 * Names that are alike, parted by blanks. A `'` stands before the four letters that are rare elsewhere, unless these are
 * its first. With `before`, each name stands behind each of these words, and the letters are its own.
 */
interface Row extends Partial<Pick<SecretName, "isWhole" | "thoughtUp" | "isAnywhere">> {
  readonly strength: 1 | 2 | 3;
  readonly before?: string;
  readonly names: string;
}

const passwords = { strength: 3, thoughtUp: true, isAnywhere: true } as const;
const secrets = { strength: 2, thoughtUp: true, isAnywhere: true } as const;
const keys = { strength: 2, thoughtUp: "digits" } as const;

const rows: readonly Row[] = [
  {
    ...passwords,
    names: "password passwd passphrase pass_phrase passcode passwor passwort passworte passwortes passord passw passwe",
  },
  { strength: 3, isAnywhere: true, names: "credential" },
  { strength: 3, thoughtUp: true, names: "creds credentials" },
  { strength: 3, thoughtUp: true, names: "pwd psk psw", isWhole: true },
  { strength: 3, names: "pwd psk", before: "db b root admin user" },
  {
    strength: 2,
    before:
      "store key ssh db root user sudo become admin smtp mail ftp dn require conn bind login remote imap pop proxy cert " +
      "vpn wifi redis mysql pg mqtt auth",
    names: "pass pw pwd",
  },
  { ...secrets, names: "secret" },
  { ...secrets, strength: 3, names: "secret_key" },
  { strength: 3, names: "secret_value secret_key_base frog_art_api vapid_private authtok" },
  { strength: 2, names: "kek ltk", isWhole: true },
  {
    strength: 3,
    before: "client webhook shared app jwt signing cookie session consumer oauth totp",
    names: "secret",
  },
  { ...keys, isAnywhere: true, names: "token" },
  { strength: 3, before: "access bot auth refresh bearer api jwt id session", names: "token" },
  {
    ...keys,
    strength: 3,
    before: "api access master private account signing encryption",
    names: "key",
    isAnywhere: true,
  },
  { ...keys, before: "auth license service shared admin", names: "key" },
  {
    strength: 2,
    before:
      "priv sign encrypt decryption licence activation client unseal storage jwt hmac webhook deploy integration " +
      "recovery setup set_up crypt aes product isakmp tls_auth app write read ingest ingestion insert network security " +
      "pre_shared enc nwks apps join",
    names: "key",
  },
  {
    strength: 3,
    names:
      "authorization bearer mnemonic mnemonic_phrase seed_'phrase recove'ry_code recove'ry_phrase recovery_key backup_key key_material code_'verifier",
  },
  { strength: 3, thoughtUp: true, names: "key_content" },
  { strength: 2, before: "hash auth nonce logged_in", names: "salt" },
  { strength: 2, names: "csrf xsrf saml_response" },
  { strength: 2, names: "login auth master_auth pepper hmac ph'psessid jsessionid" },
  { strength: 2, names: "salt seed", isWhole: true },
  { strength: 2, names: "otp", isWhole: true },
  { strength: 1, thoughtUp: true, names: "pass pw", isWhole: true },
  {
    strength: 1,
    names: "key pat pin jwt dsn sas basic cookie sessionid sessid access_code cred spwd",
    isWhole: true,
  },
  { strength: 1, names: "community" },
  // German
  { ...passwords, names: "kennwort losungswort zugangscode" },
  { ...secrets, names: "geheim geheimnis" },
  { strength: 2, names: "schlüssel zugangsdaten" },
  // French
  { ...passwords, names: "mot_de_'passe mdp" },
  { strength: 2, names: "jeton jeton_d_acces clé_d_accès clé_api clé_secrète clé_privée phrase_'secrète" },
  // Spanish
  { ...passwords, names: "contr'aseña" },
  { ...secrets, names: "clave", isWhole: true },
  { strength: 2, names: "llave", isWhole: true },
  // Portuguese
  { ...passwords, names: "senha palavra_'passe" },
  { ...secrets, names: "segredo" },
  { ...keys, isAnywhere: true, names: "chave", isWhole: true },
  // Italian
  { ...passwords, names: "parola" },
  { ...secrets, names: "segreto segreta" },
  { strength: 2, names: "chiave", isWhole: true },
  // Dutch
  { ...passwords, names: "wacht'woord" },
  { strength: 2, names: "sleutel" },
  // Polish
  { ...passwords, names: "hasło" },
  { strength: 2, names: "klucz_api klucz_prywatny tajny_klucz" },
  // Swedish, Norwegian, Danish, Finnish, Czech, Hungarian, Turkish
  {
    ...passwords,
    names: "lö'senord lö'senordet passordet salasana heslo adgangskode adgangskoden kod'eord jelszó şifre şifresi",
  },
  // Russian
  { ...passwords, names: "пароль пароля" },
  { strength: 2, names: "секрет токен" },
  { strength: 3, names: "ключ_api api_ключ секретный_ключ ключ_доступа" },
  // Ukrainian's is Russian's; Bulgarian, Serbian, Croatian, Slovene, Romanian, Lithuanian, Estonian
  { ...passwords, names: "парола лозинка lozinka geslo parolă slaptažodis salasõna" },
  // Afrikaans, Basque, Icelandic, Estonian, Indonesian
  { ...passwords, names: "wagwoord pasahitza lykilorð parool kata_kunci" },
  // Greek, Hebrew, Arabic, Hindi, Thai, Vietnamese, Indonesian
  { ...passwords, names: "κωδικός סיסמה كلمة_المرور كلمة_السر पासवर्ड รหัสผ่าน mật_'khẩu kata_sandi رمز_عبور گذرواژه" },
  // Japanese
  { ...passwords, names: "パスワード 暗証番号" },
  { strength: 2, names: "秘密鍵 シークレット トークン api_'キー" },
  // Chinese
  { ...passwords, names: "密码 密碼 口令" },
  { strength: 2, names: "密钥 私钥 访问令牌" },
  // Korean
  { ...passwords, names: "비밀번호" },
  { strength: 2, names: "비밀키" },
];

export const secretNames: readonly SecretName[] = rows.flatMap(namesIn);

function namesIn({ before, names, isWhole = false, thoughtUp = false, isAnywhere = false, ...row }: Row): SecretName[] {
  const marked = names.split(" ").flatMap((name) => before?.split(" ").map((word) => `${word}_'${name}`) ?? [name]);
  return marked.map((name) => {
    const [rest = "", begin = ""] = name.split("'").reverse();
    return { begin, rest, strength: row.strength, isWhole, thoughtUp, isAnywhere };
  });
}
