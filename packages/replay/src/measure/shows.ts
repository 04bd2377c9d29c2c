/** Whether a text shows a line: as it is or, inside arguments, as JSON writes it. */
export function shows(text: string, line: string): boolean {
  if (text.includes(line)) return true;
  const escaped = JSON.stringify(line).slice(1, -1);
  return escaped !== line && text.includes(escaped);
}
