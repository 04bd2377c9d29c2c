export interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

const voidElements = new Set(["meta", "br", "link", "img", "hr", "input"]);
const tagPattern = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z0-9:-]+(?:="[^"<>]*")?)*)\s*(\/?)>/gy;

/** All tags of a page, which must open and close in order and have every `<` in a tag; throws where they do not. */
export function tagsOf(page: string): Tag[] {
  const text = page.replace(/^<!doctype html>/, "");
  const open: string[] = [];
  const tags: Tag[] = [];
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", tagPattern.lastIndex)) {
    tagPattern.lastIndex = at;
    const [, closing, name = "", attributes = "", empty] = tagPattern.exec(text) ?? [];
    if (name === "") throw new Error(`No tag: ${text.slice(at, at + 80)}`);
    if (closing === "/") {
      const expected = open.pop();
      if (expected !== name) throw new Error(`</${name}> where ${expected} is open: ${text.slice(at - 80, at + 20)}`);
      continue;
    }
    tags.push({ name, attributes: attributesOf(attributes) });
    if (empty !== "/" && !voidElements.has(name)) open.push(name);
  }
  if (open.length > 0) throw new Error(`Never closed: ${open.join(", ")}`);
  return tags;
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/([a-zA-Z0-9:-]+)(?:="([^"]*)")?/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}
