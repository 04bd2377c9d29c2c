/** Rows with their titles in a column. */
export function titled(rows: readonly (readonly [title: string, text: string])[]): string {
  const width = Math.max(...rows.map(([title]) => title.length));
  return rows.map(([title, text]) => `${title.padEnd(width)}  ${text}`).join("\n");
}
