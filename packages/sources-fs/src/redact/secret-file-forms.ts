/** A file that keeps passwords where only its name or its head says so. */
export interface SecretFileForm {
  /** The end of its name, or of its head, from where an anchor is. */
  readonly file: RegExp;
  /** A line of it, or two; the group is the password. */
  readonly line: RegExp;
  /** What stands in most of its lines and gives them away without a name. */
  readonly sign?: string;
  /** A form that takes two lines. */
  readonly isPair?: true;
}

const login = String.raw`(?:"[^"\n]{1,80}"|[^\s"#]{1,80})`;

export const secretFileForms: readonly SecretFileForm[] = [
  {
    file: /pass(?:\.conf)?(?<=pg_?pass(?:\.conf)?)|password(?<=user(?:name)?:password)/iy,
    line: /^[ \t]{0,4}[^\s:]{1,80}:(?:\d{1,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:(\S{4,128})$/,
    sign: "5432:",
  },
  {
    file: /secrets(?<=(?:chap|pap)-secrets)/y,
    line: new RegExp(
      String.raw`^[ \t]{0,4}${login}[ \t]{1,8}(?:${login}[ \t]{1,8})??"?([^\s"*]{4,128})"?(?:[ \t]{1,8}(?:\*|-|[\d./]{7,20}))?$`,
    ),
  },
  // Maps of mail servers: the host, and a login behind a blank or a colon.
  {
    file: /passw(?:or)?d(?:_maps?)?(?<=(?:sasl|smtp|relay|smarthost)_?passw(?:or)?d(?:_maps?)?)|passwd\.client/y,
    line: /^[ \t]{0,4}\S{1,120}?(?:[ \t]{1,8}|:)[^\s:]{1,80}:(\S{4,128})$/,
    sign: "]:587",
  },
  { file: /htdigest/iy, line: /^[ \t]{0,4}[^\s:]{1,80}:[^:\n]{1,80}:([\da-f]{32})$/ },
  // What OpenVPN asks for: a name on a line, the password on the next one.
  {
    file: /auth[\w-]{0,16}\.(?:txt|conf)|auth-user-pass[ \t>]|(?:pass|cred(?:ential)?s?|secret)\.(?:txt|conf)(?<=(?:vpn|client)\S{0,40})/iy,
    line: /^[ \t]{0,4}[\w.@-]{2,64}\n[ \t]{0,4}(\S{6,128})$/,
    isPair: true,
  },
];
