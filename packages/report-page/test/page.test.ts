// Verifies: nothing that is put into a page can act in a browser, whatever it is.
import { describe, expect, it } from "vitest";
import { drawn, html, limits, page, style } from "../src/index.ts";

describe("what is put into markup", () => {
  it("is text, in elements and in attributes", () => {
    const hostile = `<img src=x onerror="alert(1)">&'`;

    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      `<p title="&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;">&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;</p>`,
    );
  });

  it("shows the characters that turn or end a line", () => {
    expect(html`${"a\u202eb\nc"}`.text).toBe("a\\u{202e}b\\u{a}c");
  });

  it("is cut at its bound", () => {
    expect(html`${"x".repeat(limits.textCharsMax + 1)}`.text).toBe(`${"x".repeat(limits.textCharsMax)}…`);
  });

  it("stays markup where it is ours, also in lists; nothing stands for nothing", () => {
    expect(html`<ul>${["a", "<b>"].map((one) => html`<li>${one}</li>`)}</ul>${undefined}${drawn("<svg/>")}`.text).toBe(
      "<ul><li>a</li><li>&lt;b&gt;</li></ul><svg/>",
    );
  });
});

describe("a page", () => {
  it("forbids the browser to run or to load anything", () => {
    const text = page({ title: "<A>", style: style("p { color: red; }"), content: html`<p>b</p>` });

    expect(text).toContain(`content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;`);
    expect(text).toContain("<title>&lt;A&gt;, Context Manager</title>\n<style>\np { color: red; }\n</style>");
    expect(text).toContain("<main>\n<p>b</p>\n</main>");
  });
});
