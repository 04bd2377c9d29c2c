/**
 * A password or a key that is an argument by its place, after the word where an anchor stands. The word comes first and
 * what must stand before it next, since most words are of no command. By the anchor's first letter.
 */
export const positionalArguments: Readonly<Record<string, readonly RegExp[]>> = {
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
