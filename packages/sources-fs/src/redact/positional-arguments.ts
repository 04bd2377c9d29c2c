/**
 * What a script waits for, and what it sends: `expect "assword:"`, `send "X\r"`; `expect('Password:')`, `sendline('X')`.
 */
const toExpected =
  /ssword(?<=["'?*:]p?assword)[ :?*]{0,4}["'}]?\)?[ \t;{}]{0,4}(?:\r?\n[ \t]{0,8})?(?:\w{1,16}\.)?(?:send(?:_?line)?|write)(?:[ \t](?:--[ \t])?|\()b?(?=["'])/iy;
/** What a command tells on, up to its text. */
const told = String.raw`(?:echo|ntf(?<=\bprintf))[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?(?:["']?%s(?:\\n)?["']?[ \t]{1,4})?\\{0,3}["']?`;
/** To a command that takes a secret, or to a file that is called one: `echo X | sudo -S`. A line before it may be found by now. */
const toPiped = new RegExp(
  String.raw`${told}(?:\[redacted:argument\]\\n)?(?=[^\s"'|\\>]{4,160}(?:\\n[^\s"'|]{0,160})?\\{0,3}["']?[ \t]{0,4}(?:(?:;[^\n|]{0,80}\)[ \t]{0,2})?\|[^|\n]{0,100}(?:stdin|passphrase-fd|sudo[ \t]-S|[ \t](?:sudo[ \t]{1,4})?(?:passwd[ \t]|smbpasswd|vncpasswd|secrets?[ \t](?:create|set|put)|secrets[ \t]|gh[ \t]auth[ \t]login|pass[ \t]insert|cryptsetup|p4[ \t][^|\n]{0,40}login|kinit|su[ \t]|zfs[ \t]load-key))|>{1,2}[ \t]?["']?[\w.~$/{}-]{0,80}(?:passw|passphrase|secret|[._-](?:pass|pw|token)(?![a-z]))))`,
  "y",
);
/** The same where a name and a colon stand before it. */
const toPipedLogin = new RegExp(
  String.raw`${told}[\w.@-]{1,40}:(?=[^\s"'|\\>]{4,160}\\{0,3}["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd)`,
  "y",
);
/** The user before a password, among the arguments of a call. */
const toArgument = (call: string, before = "") =>
  new RegExp(`${call}\\([ \\t]{0,2}${before}["'][^"'\\n]{1,64}["'],[ \\t]{0,4}(?:Some\\(|b(?=["']))?(?=["'])`, "iy");
const other = "[^,()\\n]{1,80},[ \\t]{0,4}";
/** The words of a router before a key or a password, and how it is stored behind them: `enable secret 5`. */
const stored = String.raw`(?:[ \t](?:level[ \t])?(?:\d|ENC|cipher|simple|irreversible-cipher|hash|ascii-text|hexadecimal|local|remote|ascii)){0,2}[ \t]{1,2}(?=["']?\S{4,120})`;
const toStored = (name: string, words: string) => new RegExp(`${name}(?=[ \\t])(?<=${words}${name})${stored}`, "iy");
const lineOf = String.raw`(?:^|\n)[ \t+-]{0,6}`;
/**
 * A password or a key that is an argument by its place, after the word where an anchor stands. The word comes first and
 * what must stand before it next, since most words are of no command. By the anchor's first letter.
 */
export const positionalArguments: Readonly<Record<string, readonly RegExp[]>> = {
  "/": [
    /\/p:(?<=\b[xw]freerdp3?[ \t][^\n]{0,200}\/p:)/iy,
    /\/p:(?<=[ \t]\/u(?:ser)?:\S{1,64}[ \t][^\n]{0,120}\/p:)/iy,
    /\/oper[ \t]\S{1,40}[ \t]/iy,
    /\/rp[ \t]{1,4}(?<=\bschtasks[ \t][^\n]{0,240}\/rp[ \t]{1,4})/iy,
  ],
  // How servers of mail and of names mark a password that is kept.
  "{": [
    /\{(?:S?SHA\d{0,3}|S?MD5|CRAM-MD5|PLAIN|CLEAR(?:TEXT)?|SSHA\d{3}|PBKDF2[\w-]{0,12}|SHA\d{3}-CRYPT|BLF-CRYPT|CRYPT|noop)(?:\.\w{2,8})?\}(?=[^\s"'`(){},;]{6,})/y,
  ],
  "2": [/2c(?<=\bsnmp-\w{4,8}[ \t][^\n]{0,100}version[ \t]2c)[ \t]/y],
  o: [
    /on(?<=(?:^|[\n\s"])user[ \t]\S{1,64}[ \t](?:\S{1,24}[ \t])?on)[ \t][>#]/y,
    /oveadm(?<=\bdoveadm)[ \t]auth[ \t](?:test|login)[ \t](?:-\w[ \t]\S{1,40}[ \t])?\S{1,64}[ \t]/y,
    /ogon(?<=\.logon)[ \t][\w.-]{1,64}\/[\w.-]{1,64},/iy,
  ],
  k: [
    toStored("key-string", ""),
    toStored(
      "key",
      String.raw`(?:(?:tacacs|radius)-server|isakmp|set|(?:tacacs-server|radius-server|server|host|address)[ \t][\w.-]{3,40}(?:[ \t]auth-port[ \t]\d{2,5})?(?:[ \t]acct-port[ \t]\d{2,5})?|(?:aaa-server|(?:radius|tacacs)[ \t]server)[^\n]{0,60}\n(?:[^\n]{1,80}\n)?)[ \t-]`,
    ),
    toStored("key", "(?:pre-shared|authentication)-"),
    /key(?<=authentication-key)[ \t]\d{1,5}[ \t](?:type[ \t])?\w{2,8}[ \t](?:value[ \t])?/y,
    /key(?<=\boption[ \t]["']?key)["']?[ \t]/y,
    /key(?<=message-digest-key)[ \t]\d{1,3}[ \t]md5[ \t](?:\d[ \t])?/y,
  ],
  a: [
    /authorization["']?[ \t]{0,2}[:=][ \t]{0,4}["']?digest[ \t][^\n]{0,400}?\bresponse=/iy,
    /acl setuser[ \t]\S{1,64}[ \t](?:[^\n>]{0,60}[ \t])?>/iy,
    /alias(?<=\bmc[ \t]alias)[ \t]set[ \t]{1,4}\S{1,64}[ \t]{1,4}\S{1,120}[ \t]{1,4}\S{1,64}[ \t]{1,4}/y,
    /add_user(?<=\brabbitmqctl[ \t]add_user)[ \t]{1,4}\S{1,64}[ \t]{1,4}/y,
    toArgument("auth(?:entication)?[ \\t]?=?[ \\t]?"),
    /auth(?<=\bsnmp-server user[ \t][^\n]{0,80}[ \t]auth)[ \t]\w{3,7}[ \t]/iy,
    /auth(?<=\bstats[ \t]auth)[ \t][\w.-]{1,40}:/y,
    /auth(?<=\baddauth)[ \t]digest[ \t][\w.-]{1,40}:/y,
    /auth(?<=(?:redis-cli|(?:^|\n)[\w.]{0,40}:\d{4,5}>)[^\n]{0,60}[ \t]auth)[ \t](?:[\w.-]{1,40}[ \t])?/iy,
    /auth(?<=:[ \t]xauth)[ \t]{1,4}(?=")/iy,
    /auth(?<=\b(?:red|redis|rdb|jedis|cache)[.:]auth)\([ \t]?(?=["'])/y,
    /auth[ \t][^<>\n]{0,120}mechanism=["']PLAIN["'][^<>\n]{0,40}>/iy,
    /amaccount(?<=sv_setsteamaccount)["']?[ \t]{1,3}/y,
    /airportnetwork[ \t]\S{1,16}[ \t](?:"[^"\n]{1,40}"|\S{1,40})[ \t]/iy,
  ],
  b: [
    /basic\([ \t]{0,2}["'][^"'\n]{1,64}["'],[ \t]{0,4}(?=["'])/iy,
    /basic(?<=\bhttp-basic)[\w.-]{0,64}[ \t]{1,4}\S{1,64}[ \t]{1,4}/y,
  ],
  s: [
    toExpected,
    toStored("secret", String.raw`${lineOf}(?:enable|username[ \t]\S{1,40})(?:[ \t][^\n]{1,24})?[ \t]`),
    /smbclient[ \t]{1,4}["']?(?:\/\/|\\\\)\S{1,80}[ \t]{1,4}(?!-)/y,
    // As Consul and Nomad print a token.
    /SecretID:[ \t]{1,16}(?=[\da-f]{8}-)/y,
    /secure-?string[ \t]{1,4}(?:-string[ \t]{1,4})?(?=["'])/iy,
  ],
  c: [
    /cn=[^"'\n]{1,120}["'],[ \t]{0,4}(?=["'])/iy,
    /com2sec6?[ \t]\S{1,40}[ \t]\S{1,40}[ \t]/y,
    /cred(?:ential)?s?(?:[ \t](?:are|is)|[ \t]{0,2}[:=])[ \t]{1,4}["'`*]{0,2}[\w.@-]{1,64}(?:[ \t]\/[ \t]|[:/])/iy,
    toArgument("credentials?"),
    /cwjap(?<=\bAT\+CWJAP)(?:_\w{3})?="[^"\n]{1,64}",/iy,
  ],
  d: [/db2[ \t](?:=>[ \t])?(?:connect|attach)[ \t]to[ \t]\S{1,64}[ \t]user[ \t]\S{1,64}[ \t]using[ \t]{1,4}/iy],
  f: [/ftp>[ \t]user[ \t]\S{1,64}[ \t]/iy],
  h: [
    /hmac[\w-]{0,16}\)[ \t]{1,4}\(0x/y,
    /hdbuserstore[ \t](?:-\w[ \t])?set[ \t]\S{1,64}[ \t]\S{1,120}[ \t]\S{1,64}[ \t]/iy,
  ],
  n: [
    toPiped,
    toPipedLogin,
    ...[other, other + other].map((before) => toArgument("nnect(?:ion)?", before)),
    /nuget[ \t]push[ \t]\S{1,160}[ \t](?!-)/iy,
  ],
  q: [/qli(?:_connect)?\([^,\n]{1,160},[ \t]{0,4}[^,\n]{1,64},[ \t]{0,4}(?=["'])/iy],
  r: [
    // The key of a cluster of Consul or Nomad.
    /rypt(?<=\bencrypt)["']?[ \t]{0,4}[:=][ \t]{0,4}(?=["'][A-Za-z\d+/]{22,64}={1,2}["'])/y,
    /rypt_string(?<=\bansible-vault[ \t]encrypt_string)[ \t]{1,4}(?:--?(?!stdin)[\w-]{1,20}[ \t]\S{1,40}[ \t]{1,4})?(?!-)/y,
    /rypt[ \t]{1,4}(?<=\bqpdf[ \t][^\n]{0,120}--encrypt[ \t]{1,4})(?:[ \t]{0,4}\[redacted:\w{3,12}\][ \t])?/y,
    /rsa(?<=:[ \t]rsa)[ \t]\S{1,80}[ \t]{1,4}(?=")/iy,
    /radtest[ \t](?:-\w[ \t]\w{1,10}[ \t])?\S{1,64}[ \t]/y,
    /radtest[ \t](?:-\w[ \t]\w{1,10}[ \t])?(?:\S{1,80}[ \t]){3}\d{1,5}[ \t]/y,
  ],
  t: [
    /teuser(?<=\bcreateuser)[ \t]\S{1,40}[ \t](?:MD5|SHA\S{0,4})[ \t]{1,2}/iy,
    /teuser(?<=\bcreateuser)[ \t]\S{1,40}[ \t](?:MD5|SHA\S{0,4})[ \t]{1,2}["']?\[redacted:\w{1,12}\]["']?[ \t](?:DES|AES\S{0,4})[ \t]/iy,
  ],
  e: [
    toPiped,
    toPipedLogin,
    /et user(?<=\bnet user)[ \t]{1,4}[\w.\\-]{1,64}[ \t]{1,4}/y,
    /eg add(?<=\breg add)[ \t][^\n]{0,240}?(?:token|secret|password|key|pwd)["']?[ \t][^\n]{0,60}?\/d[ \t]{1,4}/iy,
    /eap(?<=:[ \t]eap)[ \t]{1,4}(?=")/iy,
    /et use(?<=\bnet use)[ \t][^\n]{0,120}?\/user:\S{1,64}[ \t]{1,4}/y,
    /et use(?<=\bnet use)[ \t](?:\S{1,3}[ \t])?\\\\\S{1,120}[ \t](?!\/)/y,
  ],
  l: [
    toArgument("login"),
    /login(?:[ \t][\w -]{1,40})?:[ \t]{1,4}[\w.@-]{1,64}[ \t]\/[ \t]/iy,
    /login(?<=\bsteamcmd[^\n]{0,80}\+login)[ \t]\S{1,64}[ \t](?!\+)/y,
    /login[ \t]?=[ \t]?(?:cleartext|des)[ \t](?=["'\w])/iy,
    /login=(?<=[ \t]login=)[\w.@-]{1,40}:/y,
    /login(?<=(?:^|\n)[A-Za-z]\w{0,8}[ \t]LOGIN)[ \t]\S{1,80}[ \t](?=\S{4,64}\r?(?:\n|$))/iy,
    /login(?<=\b(?:vault|cargo|bao)[ \t]login)[ \t]{1,4}/y,
    /login(?:[ \t]{0,4}[:=]|[ \t](?:with|as))[ \t]{1,4}[\w.@-]{1,64}[ \t]\/[ \t]/iy,
  ],
  u: [/unseal(?<=\boperator unseal)[ \t](?!-)/y, /UGFzc3dvcmQ6["']?[ \t]{0,4}\r?\n(?:[\w<>-]{1,10}:?[ \t]{1,4})?/y],
  w: [/WIFI:[^\n]{0,120}?;P:/y],
  m: [
    /mpacket-\w{3,24}[ \t](?:-\S{1,20}[ \t])?["']?(?:[\w.-]{1,40}\/)?[\w.$-]{1,40}:/y,
    /mask::(?<=::add-mask::)/y,
    /munity6?[ \t]{1,4}(?<=\b(?:snmp-server[ \t]com|r[wo]com)munity6?[ \t]{1,4})/y,
  ],
  i: [
    /ickserv\*?(?::|[ \t])[ \t]{0,2}(?:identify|register)[ \t](?:[\w-]{1,20}[ \t](?=\S{4,64}(?:\r?\n|$)))?/iy,
    /iwconfig[ \t][^\n]{0,80}?[ \t]key[ \t](?:s:)?/y,
    /ifi(?<=\bwifi)\.begin\([^,\n]{1,64},[ \t]{0,4}(?=["'])/iy,
  ],
  p: [
    toStored(
      "passw(?:or)?d",
      String.raw`${lineOf}(?:enable|super|(?:username|neighbor|local-user|peer)[ \t]\S{1,40}|ppp[ \t])(?:[ \t][^\n]{1,40})?[ \t]`,
    ),
    /password[ \t](?:manager|operator)[ \t](?:user-name[ \t]\S{1,40}[ \t])?(?:plaintext|sha-?1|sha-?256)[ \t]/y,
    /password[ \t](?<=(?:^|\n)password[ \t])51:b:/y,
    /pass[ \t]insert[ \t](?:-\S{1,12}[ \t])?\S{1,80}[ \t]<<<[ \t]?/y,
    /passwd(?<=\bchpasswd)[ \t]{0,4}<<<[ \t]{0,4}["']?[\w.@-]{1,40}:/y,
    /passwd(?<=\bchpasswd)[^\n]{0,40}<<-?[ \t]?["']?\w{2,12}["']?\n[\w.@-]{1,40}:/y,
    /passwd(?<=\bchpasswd):\s[^#]{0,80}?list:[ \t]{0,2}\|?-?\n[ \t-]{1,12}[\w.@-]{1,40}:/y,
    /password(?<=user(?:name)?[ \t]?\/[ \t]?password)s?[: \t]{1,3}[\w.@-]{1,40}[ \t]?\/[ \t]?/iy,
    ...[other, other + other].map(
      (before) => new RegExp(`passw(?:or)?d(?<=set_passw(?:or)?d)\\([ \\t]{0,2}${before}(?=["'])`, "iy"),
    ),
    /password(?<=\bmysqladmin[ \t][^\n]{0,120}[ \t]password)[ \t]{1,4}/y,
    /password(?<=\blogin[ \t]\S{1,80}\s{1,8}password)[ \t]{1,4}/y,
    // A command with such a name, and one or two arguments before the last: `rabbitmqctl change_password ada X`.
    /passw(?:or)?d(?=[ \t])(?<=(?:^|\n)(?:\S{0,30}[$#>][ \t]|[ \t]{1,8})?(?:sudo[ \t])?[a-z][\w./-]{1,30}[ \t](?:[a-z][\w-]{1,24}[ \t])?(?:[a-z]{2,12}[-_:])?(?:[a-z]{2,12}[-_:])?passw(?:or)?d|(?:^|\n|[$#;&][ \t])(?:mosquitto_|vnc|x11vnc -store)passw(?:or)?d|changepassword)(?:[ \t]-\w)?[ \t]{1,4}(?:<<<[ \t]{0,2})?(?:[\w.@/-]{1,48}[ \t]{1,4})?(?:[\w.@-]{1,40}[ \t]{1,4})?(?=["']?(?!-)\S{6,64}(?:[ \t]{0,4}(?:\r?\n|$|[;&|])|[ \t]\/\S{1,60}(?:\n|$)))/y,
    /password:reset\[[\w.@-]{1,40},/y,
    /pw(?<=\b(?:user|owner|input)_pw)[ \t]{1,4}/y,
    /pass(?:word)?(?<=[ \t]\/pass(?:word)?)[ \t:]/iy,
    // As FTP, POP and IRC log in: the name on a line, the password on the next one or the one after the answer.
    /PASS[ \t](?<=\bUSER[ \t][^\n]{1,64}\n[^"]{0,160}(?:^|[>:\n \t])PASS[ \t])(?=\S{4,64}\r?(?:\n|$))/y,
    /password[ \t]{1,4}(?<=\bnmcli[ \t][^\n]{0,80}[ \t]password[ \t]{1,4})/y,
    /passwd(?<=\bopenssl[ \t]passwd)[ \t]{1,4}(?:-(?!salt)\w{1,6}[ \t])?(?:-salt[ \t]\S{1,20}[ \t])?(?!-)/y,
    /passwd(?<=\bhtpasswd)[ \t]-(?:(?=\w{0,5}n)\w{2,6}|\w{0,4}b\w{0,4}[ \t]{1,4}\S{1,160})[ \t]{1,4}\S{1,64}[ \t]{1,4}/y,
    /pdo\([^,\n]{1,160},[ \t]{0,4}[^,\n]{1,64},[ \t]{0,4}(?=["'])/iy,
    /passphrase(?<=\bwpa_passphrase)[ \t]{1,4}\S{1,40}[ \t]{1,4}/y,
  ],
};
