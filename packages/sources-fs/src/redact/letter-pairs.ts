/** The 200 most usual pairs of letters: nine of ten in names and text are among them, three of ten in what is drawn. */
const usualPairs = new Uint8Array(1 << 16);
for (const pair of (
  "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de " +
  "hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr " +
  "ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su " +
  "id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od " +
  "bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp " +
  "ua up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt ak pu ui rg ib tl ny ki rk ys"
).split(" "))
  usualPairs[(pair.charCodeAt(0) << 8) | pair.charCodeAt(1)] = 1;

/** Of the words that digits, signs and capitals part: their pairs of letters, usual ones among them, characters in words that have more of these. */
export function wordsIn(value: string): { readonly pairs: number; readonly usual: number; readonly chars: number } {
  let pairs = 0;
  let usual = 0;
  let chars = 0;
  let length = 0;
  let here = 0;
  let last = 0;
  let isSmall = false;
  for (let at = 0; at <= value.length; at++) {
    const code = value.charCodeAt(at) | 32;
    const isLetter = code >= 97 && code <= 122;
    const isNow = isLetter && code === value.charCodeAt(at);
    // A capital begins a word, but for one behind another.
    if (!isLetter || (isSmall && !isNow) || (length > 1 && isNow && !isSmall)) {
      if (length > 2 && here * 2 >= length - 1) chars += length;
      length = here = 0;
    }
    if (isLetter) {
      if (length > 0) {
        pairs += 1;
        const isUsual = usualPairs[(last << 8) | code] as number;
        usual += isUsual;
        here += isUsual;
      }
      length += 1;
    }
    last = code;
    isSmall = isNow;
  }
  return { pairs, usual, chars };
}
