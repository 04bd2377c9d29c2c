import type { Span } from "./span.ts";

/** What codes to get an account back are called, by language, from where the anchor is, and what parts the list from it. */
const toList =
  /(?:codes?(?<=(?<![a-z])(?:scratch|bac?kup|recovery|emergency|rescue|reserve|wiederherstellungs|einmal|notfall|ersatz|sicherungs|herstel)[ _-]?codes?)|codes?[ ]de[ ](?:secours|r[ée]cup[ée]ration)|c[oó]digos?[ ]de[ ](?:recupera\S{2,4}|respaldo|seguran\S{1,2}|backup)|codici?[ ]di[ ](?:recupero|backup|emergenza)|коды(?:[ ]восстановления|(?<=(?:резервные|аварийные|запасные)[ ]коды))|コード(?<=(?:バックアップ|リカバリー|回復|復旧)コード)|(?:备用|恢复)(?:验证)?码)(?![\w-])(?:\.(?:txt|md)(?=\r?\n))?["'*]{0,3}(?:[ \t][a-z ]{1,40})?(?:[ \t]\([^()\n]{1,40}\))?["'*]{0,3}[ \t]?[:=：]?(?:[ \t]{0,4}(?:\[\s{0,16}|\r?\n[ \t]{0,8}(?:\r?\n[ \t]{0,8})?)|(?:(?<=[:=：])|[ \t](?:are|is))[ \t]{1,4}(?=[a-z\d]{4,6}-[a-z\d]{4,6}(?![\w-])))/iy;
const item =
  /(?:\d{1,2}[.)][ \t]{1,2}|[-*•][ \t]{1,2})?["'`]?((?=[a-z-]{0,10}\d)[a-z\d]{4,6}-[a-z\d]{4,6}|\d{4}[ ]\d{4}|\d{6,10}|(?=[a-z]{0,11}\d)(?=\d{0,11}[a-z])[a-z\d]{8,12})(?![\w-])["'`]?[,;]?\s{0,16}/iy;
const itemsMax = 32;

/** Finds the codes of a list that lets its holder in without a password or a second factor. */
export function findCodeLists(text: string, places: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of places) {
    toList.lastIndex = at;
    if (at < from || !toList.test(text)) continue;
    from = toList.lastIndex;
    for (let n = 0; n < itemsMax; n++) {
      item.lastIndex = from;
      const found = item.exec(text);
      if (found === null) break;
      const start = from + found[0].indexOf(found[1] ?? "", /^\d{1,2}[.)]/.exec(found[0])?.[0].length ?? 0);
      spans.push({ start, end: start + (found[1] ?? "").length, rule: "code" });
      from = item.lastIndex;
    }
  }
  return spans;
}
