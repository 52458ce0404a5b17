// What the page looks like to somebody who was sent it: what is seen first, both sides together, the line between them,
// numbers that a copy converts, and Back.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { EXPECTED } from "./layouts.mjs";
import { cells, choose, swipe, text } from "./page.mjs";

const PHONE = { width: 390, height: 844, touch: true };
const boxes = (page, ...ids) => Promise.all(ids.map((id) => page.locator(`#${id}`).boundingBox()));
const wide = { width: 1280, height: 800 };

// The line's ends, the corners of the marked cells that they lie at, and the heights of these; null where there is no
// line.
const ends = (page) =>
  page.evaluate(async () => {
    for (const _ of "abc") await new Promise(requestAnimationFrame);
    const path = document.querySelector("#twin .joins"),
      origin = path.ownerSVGElement.getBoundingClientRect(),
      length = path.getTotalLength();
    if (!length) return null;
    const [from, to] = ["src", "dst"].map((name) =>
      document.querySelector(`#${name}-buffer .here rect`).getBoundingClientRect(),
    );
    return {
      line: [0, length].map((at) => path.getPointAtLength(at)).flatMap(({ x, y }) => [x + origin.x, y + origin.y]),
      corners: [from.right, from.bottom, to.left, to.bottom],
      heights: [from.height, to.height],
    };
  });

async function joined(page, what) {
  const found = await ends(page);
  assert.ok(found, `${what}: there is a line`);
  const { line, corners, heights } = found;
  for (const [k, at] of line.entries()) assert.ok(Math.abs(at - corners[k]) < 1, `${what}: ${JSON.stringify(found)}`);
  assert.ok(Math.abs(heights[0] - heights[1]) < 0.1, `${what}: cells of one size, not ${heights}`);
}

export const PICTURE = {
  async first({ open, close }) {
    const page = await open(wide);
    for (const name of ["Photo to planes", "Photo to floats", "XLA: tiles"]) {
      await choose(page, name);
      for (const { y, height } of await boxes(page, "src-buffer", "dst-buffer", "src-indices", "dst-indices"))
        assert.ok(y + height <= 800, `${name}: ${y + height}`);
    }
    assert.match(await text(page, "what"), /^libstride \d\S* is a C library that\s+copies tensors between memory/);
    assert.ok(await page.isHidden("#failed"), "it is no longer loading");
    const [, repository] = readFileSync("Cargo.toml", "utf8").match(/^repository = "(.*?)"/m);
    assert.equal(await page.getAttribute("#project", "href"), repository);
    await close(page);
  },

  async beside({ open, close }) {
    const page = await open(PHONE);
    const [first] = await boxes(page, "src-buffer");
    assert.ok(first.y + first.height <= PHONE.height, "without scrolling");
    for (const name of Object.keys(EXPECTED)) {
      await choose(page, name);
      const [src, dst] = await boxes(page, "src-buffer", "dst-buffer");
      assert.ok(Math.abs(src.y - dst.y) < 1 && src.x + src.width <= dst.x, `${name}: beside each other`);
      assert.ok(Math.max(src.height, dst.height) <= PHONE.height / 2, `${name}: ${src.height}, ${dst.height}`);
      const cut = await page.$$eval("textarea", (all) => all.map((one) => one.scrollHeight - one.clientHeight));
      assert.deepEqual(cut, [0, 0], `${name}: the texts are whole`);
      for (const side of ["src", "dst"])
        assert.ok(await page.locator(`#${side}-buffer .cell.here`).isVisible(), `${name}: the marked cell is there`);
    }
    const bytes = () => page.$$eval("#src-buffer .end", (all) => all.map((one) => Number(one.textContent)));
    await choose(page, "NV12 planes");
    assert.deepEqual(await bytes(), [0, 8, 16, 24, 32, 40], "rows of the pitch");
    await choose(page, "Blocked: nChw4c");
    assert.equal(await page.getAttribute("#dst-buffer", "class"), "grid above below", "it says that there is more");
    await page.fill("#src-text", "u1[7,7]");
    assert.deepEqual(await bytes(), [0, 1, 2, 3, 4, 5, 6], "each row begins with a byte");
    await choose(page, "Transposed");
    await page.setViewportSize({ width: 844, height: 390 });
    const [aside] = await boxes(page, "src-buffer");
    assert.ok(aside.y + 50 < 390, `a phone on its side has a picture: ${aside.y}`);
    await close(page);
  },

  async finger({ open, close }) {
    const page = await open(PHONE);
    await swipe(page, "#src-buffer", 0, -300);
    await page.waitForFunction(() => scrollY > 200);
    await page.locator("#src-controls").scrollIntoViewIfNeeded();
    await swipe(page, "#src-controls .number", 120, 0);
    assert.equal(await page.inputValue("#src-text"), "u8[4,6,3]", "it does not drag a number");
    await page.tap("#dst-buffer [data-key=p8]");
    assert.equal(await page.$eval("#dst-buffer svg", (one) => getComputedStyle(one).outlineStyle), "none");
    await page.tap("#walk-step");
    for (const id of ["src-buffer", "walk-step"]) {
      const [{ y, height }] = await boxes(page, id);
      assert.ok(y >= 0 && y + height <= PHONE.height, `${id} is seen while it walks: ${y}`);
    }
    await close(page);
  },

  // Somebody with a phone asks where element (1,2,3) of a transposed tensor lies.
  async stranger({ open, close }) {
    const page = await open(PHONE);
    await page.fill("#src-text", "f32[5,4,3]");
    await page.fill("#axes-text", "2,1,0");
    await page.fill("#dst-text", "");
    await page.fill("#index-text", "1,2,3");
    // 3 rows of 12, 2 of 3, and 1; packed 1 plane of 20, 2 rows of 5, and 3.
    assert.equal(await text(page, "lies"), "source (3,2,1), byte 172 → destination (1,2,3), byte 132");
    await page.fill("#index-text", "3,2,1");
    assert.equal(await text(page, "lies"), "", "no answer beside a wrong index");
    await page.click("#index-error button"); // (3,2,1) of the source is (1,2,3) of the view
    assert.equal(await page.inputValue("#index-text"), "1,2,3");
    await page.tap("#src-buffer [data-key=p4]");
    assert.equal(await text(page, "lies"), "source (0,1,1), byte 16 → destination (1,1,0), byte 100");
    // The example that the link is of is seen among the others, and what a finger has to hit is large enough.
    const other = await open({ ...PHONE, hash: "#src=f32[2,3]:0,1&at=1,1" });
    const pressed = await other.locator("#examples [aria-pressed=true]").boundingBox();
    assert.ok(pressed.x >= 0 && pressed.x + pressed.width <= PHONE.width, JSON.stringify(pressed));
    await other.evaluate(() => scrollTo(0, 0));
    for (const id of ["index-text", "lies", "src-text", "dst-text", "axes-text", "num-text", "src-buffer"])
      assert.ok(await other.locator(`#${id}`).evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight), id);
    const low = await other.$$eval("button, select, input:not([type=checkbox])", (all) =>
      all
        .filter((one) => one.checkVisibility())
        .filter((one) => {
          const small = one.value && parseFloat(getComputedStyle(one).fontSize) < 16; // iOS zooms into it
          return small || one.getBoundingClientRect().height < 32;
        })
        .map((one) => `${one.id} ${one.className} ${one.getBoundingClientRect().height}`),
    );
    assert.deepEqual(low, []);
    await close(other);
    await close(page);
  },

  async line({ open, close }) {
    for (const size of [wide, PHONE]) {
      const page = await open(size);
      for (const name of Object.keys(EXPECTED)) {
        await choose(page, name);
        await joined(page, `${name} at ${size.width}`);
      }
      await choose(page, "XLA: tiles");
      await page.hover("#dst-buffer [data-key=p12]");
      await joined(page, "another cell");
      await page.evaluate(() => scrollBy(0, 150));
      await joined(page, "scrolled");
      await page.setViewportSize({ width: size.width - 40, height: 700 });
      await joined(page, "another size");
      await page.evaluate(() => (document.documentElement.style.fontSize = "18px"));
      await joined(page, "larger letters");
      await page.hover("#dst-buffer [data-key=p9]");
      assert.equal(await ends(page), null, "padding has no twin");
      await choose(page, "Scale tiles");
      await page.evaluate(() => document.getElementById("dst-buffer").scrollTo(0, 9999));
      assert.equal(await ends(page), null, "it is scrolled away");
      await page.fill("#src-text", "f32[");
      assert.equal(await ends(page), null, "there is no source");
      await close(page);
    }
  },

  async floats({ open, close }) {
    const page = await open();
    await choose(page, "Photo to floats");
    // The second colour of the first pixel is the seventh of 18 steps: 90, and (90 - 127.5) / 127.5.
    assert.match(await text(page, "lies"), /^source \(0,0,1\), byte 1 → .*, byte 24; 90 becomes -0.294118$/);
    await page.hover("#src-buffer [data-key=p17]");
    assert.match(await text(page, "lies"), /byte 17 → destination \(2,1,2\), byte 68; 255 becomes 1$/);
    for (const step of [1, 2]) await page.click("#walk-step");
    assert.match(await text(page, "walk-said"), /^Step 2 of 18: 1 element from byte 3 to byte 4$/);
    for (const [words, labels] of [
      ["x", ["0", "15", "30"]],
      ["x / 255", ["0", "0.06", "0.12"]],
      ["(x - 30) * -0.5 + 1", ["16", "8.50", "1"]],
    ]) {
      await page.fill("#num-text", words);
      assert.deepEqual((await cells(page, "dst-buffer")).slice(0, 3).map(({ label }) => label), labels, words);
    }
    await page.fill("#num-text", "2 * x");
    assert.match(await text(page, "num-error"), /^numbers are x, x \/ 255/);
    assert.match(await text(page, "copy-words"), /no copy/);
    await page.fill("#num-text", "");
    assert.match(await text(page, "copy-error"), /^No copy: source: dtype.*; put x into Numbers to convert$/);
    assert.deepEqual([await text(page, "lies"), await ends(page)], ["", null], "nothing moves");
    assert.equal(await page.getAttribute("#dst-text", "aria-invalid"), "true");
    await close(page);
  },

  async undo({ open, close }) {
    const page = await open({ hash: "#src=f32[2,3]" });
    const entries = await page.evaluate(() => history.length);
    await page.fill("#src-text", "");
    await page.locator("#src-text").pressSequentially("f32[4,3]:x");
    const has = (words) => page.waitForFunction((one) => document.getElementById("src-text").value === one, words);
    await page.goBack();
    await has("f32[4,3]");
    await page.fill("#index-text", "3,1");
    assert.equal(await page.evaluate(() => history.length), entries + 2, "typing is one edit from right to right");
    await choose(page, "Padded rows");
    await page.goBack();
    await has("f32[4,3]");
    assert.equal(await page.inputValue("#index-text"), "3,1");
    await page.goBack();
    await has("f32[2,3]");
    await page.goForward();
    await has("f32[4,3]");
    await close(page);
    const broken = await open({ hash: "#src=f32[2,&at=1,2" });
    assert.equal(await broken.inputValue("#index-text"), "1,2", "what a link says stays");
    await broken.fill("#src-text", "f32[0,3]");
    assert.match(await text(broken, "lies"), /no elements/);
    await close(broken);
  },
};
