/** What a script waits for, and what it sends: `expect "assword:"`, `send "X\r"`. */
const toExpected =
  /ssword(?<=["?*]assword)[ :?*]{0,4}["'}]?[ \t;{]{0,4}(?:\r?\n[ \t]{0,8})?send[ \t](?:--[ \t])?(?=")/iy;
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
    /authorization["']?[ \t]{0,2}[:=][ \t]{0,4}["']?digest[ \t][^\n]{0,400}?\bresponse=/iy,
    /acl setuser[ \t]\S{1,64}[ \t](?:[^\n>]{0,60}[ \t])?>/iy,
    /alias(?<=\bmc[ \t]alias)[ \t]set[ \t]{1,4}\S{1,64}[ \t]{1,4}\S{1,120}[ \t]{1,4}\S{1,64}[ \t]{1,4}/y,
    /add_user(?<=\brabbitmqctl[ \t]add_user)[ \t]{1,4}\S{1,64}[ \t]{1,4}/y,
  ],
  b: [
    /basic\([ \t]{0,2}["'][^"'\n]{1,64}["'],[ \t]{0,4}(?=["'])/iy,
    /basic(?<=\bhttp-basic)[\w.-]{0,64}[ \t]{1,4}\S{1,64}[ \t]{1,4}/y,
  ],
  s: [toExpected, /secure-?string[ \t]{1,4}(?:-string[ \t]{1,4})?(?=["'])/iy],
  c: [/cwjap(?<=\bAT\+CWJAP)(?:_\w{3})?="[^"\n]{1,64}",/iy],
  d: [/db2[ \t](?:=>[ \t])?(?:connect|attach)[ \t]to[ \t]\S{1,64}[ \t]user[ \t]\S{1,64}[ \t]using[ \t]{1,4}/iy],
  f: [/ftp>[ \t]user[ \t]\S{1,64}[ \t]/iy],
  h: [/hdbuserstore[ \t](?:-\w[ \t])?set[ \t]\S{1,64}[ \t]\S{1,120}[ \t]\S{1,64}[ \t]/iy],
  n: [/nuget[ \t]push[ \t]\S{1,160}[ \t](?!-)/iy],
  o: [/ogon(?<=\.logon)[ \t][\w.-]{1,64}\/[\w.-]{1,64},/iy],
  q: [/qli(?:_connect)?\([^,\n]{1,160},[ \t]{0,4}[^,\n]{1,64},[ \t]{0,4}(?=["'])/iy],
  r: [/radtest[ \t](?:-\w[ \t]\w{1,10}[ \t])?\S{1,64}[ \t]/y],
  e: [
    /et user(?<=\bnet user)[ \t]{1,4}[\w.\\-]{1,64}[ \t]{1,4}/y,
    /eg add(?<=\breg add)[ \t][^\n]{0,240}?(?:token|secret|password|key|pwd)["']?[ \t][^\n]{0,60}?\/d[ \t]{1,4}/iy,
    /et use(?<=\bnet use)[ \t][^\n]{0,120}?\/user:\S{1,64}[ \t]{1,4}/y,
    /et use(?<=\bnet use)[ \t](?:\S{1,3}[ \t])?\\\\\S{1,120}[ \t](?!\/)/y,
  ],
  l: [
    /login(?<=\b(?:vault|cargo|bao)[ \t]login)[ \t]{1,4}/y,
    /login(?:[ \t]{0,4}[:=]|[ \t](?:with|as))[ \t]{1,4}[\w.@-]{1,64}[ \t]\/[ \t]/iy,
  ],
  u: [/unseal(?<=\boperator unseal)[ \t](?!-)/y, /UGFzc3dvcmQ6["']?[ \t]{0,4}\r?\n(?:[\w<>]{1,10}:?[ \t]{1,4})?/y],
  w: [/WIFI:[^\n]{0,120}?;P:/y],
  m: [/mask::(?<=::add-mask::)/y, /munity6?[ \t]{1,4}(?<=\b(?:snmp-server[ \t]com|r[wo]com)munity6?[ \t]{1,4})/y],
  i: [/ifi(?<=\bwifi)\.begin\([^,\n]{1,64},[ \t]{0,4}(?=["'])/iy],
  p: [
    // As FTP, POP and IRC log in: the name on a line, the password on the next one or the one after the answer.
    /PASS[ \t](?<=\bUSER[ \t][^\n]{1,64}\n[^"]{0,160}(?:^|[>:\n \t])PASS[ \t])(?=\S{4,64}\r?(?:\n|$))/y,
    /password[ \t]{1,4}(?<=\bnmcli[ \t][^\n]{0,80}[ \t]password[ \t]{1,4})/y,
    /passwd(?<=\bopenssl[ \t]passwd)[ \t]{1,4}(?:-(?!salt)\w{1,6}[ \t])?(?:-salt[ \t]\S{1,20}[ \t])?(?!-)/y,
    /passwd(?<=\bhtpasswd)[ \t]-(?:(?=\w{0,5}n)\w{2,6}|\w{0,4}b\w{0,4}[ \t]{1,4}\S{1,160})[ \t]{1,4}\S{1,64}[ \t]{1,4}/y,
    /pdo\([^,\n]{1,160},[ \t]{0,4}[^,\n]{1,64},[ \t]{0,4}(?=["'])/iy,
    /passphrase(?<=\bwpa_passphrase)[ \t]{1,4}\S{1,40}[ \t]{1,4}/y,
  ],
};
