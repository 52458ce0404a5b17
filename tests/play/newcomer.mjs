// What someone does who comes from NumPy and sees the page for the first time.
import assert from "node:assert/strict";
import { cells, choose, only, text } from "./page.mjs";

const box = (page, name) => page.getByRole("textbox", { name }).first();

export const NEWCOMER = {
  async index({ open, close }) {
    const page = await open({ hash: "#src=u8[4,6,3]&at=1,2,0" });
    const marked = async () => [await text(page, "src-said"), ...only(await cells(page, "src-buffer"), "here")];
    assert.match((await marked())[0], /^index \(1,2,0\): .* byte 24$/);
    for (const [typed, element] of [
      ["(1,2,2)", 26],
      ["( 1, 2, 1 )", 25],
      ["[1,2,2]", 26],
      ["1 2 1", 25],
      ["1 , 2,2 ", 26],
      ["(0, 0, 1,)", 1],
      ["+1,2,2", 26],
    ]) {
      await page.fill("#index-text", typed);
      assert.equal(await text(page, "index-error"), "", typed);
      assert.equal((await marked())[1], `p${element}`, typed);
      assert.equal(await page.inputValue("#index-text"), typed);
    }
    const before = await marked();
    for (const [typed, sentence] of [
      ["1,2,9", /dimension 2: 9 is not within 0 to 2/],
      ["4,0,0", /dimension 0: 4 is not within 0 to 3/],
      ["-1,0,0", /dimension 0: -1 is not within 0 to 3/],
      ["x", /"x" is no number/],
      ["1,2", /a number for each dimension: 3, but here are 2/],
      ["1,2,0,0", /3, but here are 4/],
      ["1,,2", /a number is missing/],
      ["(1,2,0", /"\(1" is no number/],
      ["1.5,0,0", /"1.5" is no number/],
      ["", /3, but here are 0/],
      ["99999999999999999999,0,0", /99999999999999999999 is not within 0 to 3/],
    ]) {
      await page.fill("#index-text", typed);
      assert.match(await text(page, "index-error"), sentence, typed);
      assert.equal(await page.getAttribute("#index-text", "aria-invalid"), "true");
      assert.deepEqual(await marked(), before, typed);
    }
    await page.hover("#src-indices [data-key=i20]");
    assert.equal(await text(page, "index-error"), "");
    assert.equal(await page.inputValue("#index-text"), "1,0,2");
    // Another rank: zeros, and a note that says so.
    await page.fill("#src-text", "u8[4,6]");
    assert.equal(await page.inputValue("#index-text"), "0,0");
    assert.match(await text(page, "index-said"), /^now \(0,0\): \(1,0,2\) is no index/);
    assert.equal(await text(page, "index-error"), "");
    await close(page);
    const other = await open({ hash: "#src=u8[4,6,3]&at=1,2,9" });
    assert.match(await text(other, "index-error"), /9 is not within 0 to 2; the index is \(0,0,0\)/);
    assert.equal(await other.inputValue("#index-text"), "0,0,0");
    await close(other);
  },

  async sizes({ open, close }) {
    const page = await open({ hash: "#src=f32[2,3]:5,1" });
    const said = () => page.textContent("#src-controls .error");
    const size = box(page, "size of dimension 0");
    for (const typed of ["-4", "", "x", "1.5", "99999999999999999999"]) {
      await size.fill(typed);
      assert.equal(await said(), `size of dimension 0: "${typed}" is no whole number from 0 on; it stays 2`);
      assert.equal(await size.getAttribute("aria-invalid"), "true");
      assert.equal(await page.inputValue("#src-text"), "f32[2,3]:5,1");
    }
    await size.blur();
    assert.equal(await size.inputValue(), "2");
    assert.match(await said(), /it stays 2/);
    await size.fill("4");
    assert.deepEqual([await said(), await page.inputValue("#src-text")], ["", "f32[4,3]:5,1"]);
    const stride = box(page, "stride of dimension 0");
    await stride.fill("-");
    assert.match(await said(), /^stride of dimension 0: "-" is no whole number; it stays 5$/);
    await stride.fill("7");
    assert.equal(await page.inputValue("#src-text"), "f32[4,3]:7,1");
    await close(page);
  },
};
