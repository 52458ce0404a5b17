// What someone does who comes from NumPy and sees the page for the first time.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { REFUSED, TAKEN } from "./grammar.mjs";
import { cells, choose, copiedLink, only, text } from "./page.mjs";

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
    // What was typed is right for other sizes; pointing at the marked byte takes back what was wrong.
    await page.fill("#index-text", "1,2,9");
    await page.fill("#src-text", "u8[4,6,10]");
    assert.deepEqual([await page.inputValue("#index-text"), await text(page, "index-error")], ["1,2,9", ""]);
    await page.fill("#index-text", "1,2,x");
    await page.hover("#src-buffer .here");
    assert.deepEqual([await page.inputValue("#index-text"), await text(page, "index-error")], ["1,2,9", ""]);
    await page.fill("#src-text", "u8[4,6,3]");
    await page.fill("#index-text", "1,0,2");
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

  async follows({ open, close }) {
    const page = await open({ hash: "#src=f32[2,3]" });
    assert.equal(await page.getAttribute("#dst-text", "placeholder"), "f32[2,3]");
    await page.fill("#src-text", "s64[4,6,3]:1,4,24");
    await page.fill("#axes-text", "2,0,1");
    assert.equal(await page.getAttribute("#dst-text", "placeholder"), "s64[3,4,6]");
    assert.equal(await text(page, "dst-title"), "packed");
    assert.match(await text(page, "walk-said"), /72 elements written, 0 places/);
    // What the user edits stays: then the copy is wrong, and the tensors are right.
    await page.fill("#axes-text", "");
    await box(page.locator("#dst-controls"), "size of dimension 0").fill("5");
    assert.equal(await page.inputValue("#dst-text"), "s64[5,6,3]");
    assert.equal(await text(page, "copy-error"), "No copy: source, dimension 0: size is 4, but it is 5 in destination");
    await page.fill("#src-text", "s64[4,6]");
    assert.match(await text(page, "copy-error"), /^No copy: source: rank is 2, but it is 3 in destination$/);
    assert.deepEqual([await text(page, "src-error"), await text(page, "dst-error")], ["", ""]);
    await page.click("#follow");
    assert.deepEqual([await page.inputValue("#dst-text"), await text(page, "copy-error")], ["", ""]);
    assert.ok(await page.isHidden("#follow"));
    await choose(page, "XLA: {0,1}");
    // A wrong source leaves the mark of the destination where it is.
    await page.fill("#src-text", "f32[2,");
    assert.match(await text(page, "dst-said"), /^index \(0,1\): /);
    await page.fill("#src-text", "f32[2,4]");
    assert.match(await text(page, "copy-error"), /size is 4, but it is 3 in destination/);
    await close(page);
  },

  async links({ open, close }) {
    const page = await open({ hash: "#src=u8[4,6,3]:18,3,1+7&dst=u8%5B4%2C6%2C3%5D&at=1,0,2" });
    assert.equal(await page.inputValue("#src-text"), "u8[4,6,3]:18,3,1+7");
    assert.equal(await page.inputValue("#dst-text"), "u8[4,6,3]");
    assert.match(await text(page, "src-said"), /byte 27$/); // 7 + 18 + 2
    for (const words of ["u8[3,5]:a/2 b a%2", "f32[8,9]{1,0:T(2,4)}", "u8[4]:1+9", "u8[4]&at=3", "100%", "é#?"]) {
      await page.fill("#src-text", words);
      const link = await copiedLink(page);
      assert.ok(!/%/.test(link) || /[é&]/.test(words), `${link} can be read`);
      assert.match(link, /#[!$-;=?-[\]_a-~]*$/, "browsers write other characters as %xx");
      const other = await open({ hash: link.slice(link.indexOf("#")) });
      assert.equal(await other.inputValue("#src-text"), words);
      await close(other);
    }
    await choose(page, "Scale tiles");
    const said = "#src=f8e8m0fnu[40,3]&dst=f8e8m0fnu[40,3]:a/128_b/4_a~32_a/32~4_b~4&at=32,0";
    assert.ok((await copiedLink(page)).endsWith(`/${said}`));
    await choose(page, "XLA: tiles");
    await copiedLink(page);
    assert.equal(page.url().split("/").at(-1), "#src=f32[3,5]&dst=f32[3,5]{1,0:T(2,2)}&at=2,3");
    await close(page);
    const broken = await open({ hash: "#src=u8[100%]&nothing&=&at" });
    assert.equal(await broken.inputValue("#src-text"), "u8[100%]");
    await close(broken);
  },

  async grammar({ open, close }) {
    const page = await open({ hash: "#src=f32[2,3]" });
    const tool = process.env.STRIDE_TOOL;
    const asked = (words) => spawnSync(tool, ["show", "--no-picture", "--", words], { encoding: "utf8" });
    for (const [words, strides] of TAKEN) {
      await page.fill("#src-text", words);
      assert.equal(await text(page, "src-error"), "", words);
      if (strides) assert.ok((await text(page, "src-facts")).includes(`strides${strides}`), words);
      if (!tool) continue;
      const { status, stdout, stderr } = asked(words);
      assert.equal(status, 0, `${words}: ${stderr}`);
      const [list, offset] = strides?.replace("none", "").replaceAll(", ", ",").split("; ") ?? [];
      if (strides) assert.ok(stdout.split("\n")[0].endsWith(`strides [${list}] ${offset}`), stdout);
    }
    for (const words of REFUSED) {
      await page.fill("#src-text", words);
      assert.notEqual(await text(page, "src-error"), "", words);
      if (tool) assert.notEqual(asked(words).status, 0, words);
    }
    await page.fill("#src-text", "f32[2,3] strides [3,z] offset 0");
    assert.equal(await page.textContent("#src-error mark"), "z");
    if (tool) console.log(`grammar: ${TAKEN.length} texts taken and ${REFUSED.length} refused by the tool as well`);
    await close(page);
  },

  async names({ open, close }) {
    const page = await open({ hash: "#src=f32[2,3]" });
    for (const [words, sentence] of [
      ["float32[2]", /it is called f32 here; NumPy's float32 is f32, int64 s64, uint8 u8$/],
      ["bool[2]", /it is called pred here; NumPy's float32/],
      ["half[2]", /it is called f16 here$/],
      ["complex64[2]", /unknown dtype; NumPy's complex64 is c64 here$/],
      ["i4[2]{0}", /unknown dtype; NumPy's i4 is s32 here$/],
      ["<f8[2]", /unknown dtype; NumPy's <f8 is f64 here$/],
      [">f4[2]", /unknown dtype; NumPy's >f4 is f32:swapped here$/],
      ["f33[2]", /unknown dtype; there are pred, s8 to s64, .*, bytes1 and up, and others/],
    ]) {
      await page.fill("#src-text", words);
      assert.match((await page.textContent("#src-error")).slice(0, -words.length), sentence, words);
    }
    const note = () => page.textContent("#src-controls .hint");
    for (const [words, said] of [
      ["u4[2,3]", "4 bits; NumPy's u4 is u32"],
      ["s2:high[4]", "2 bits; NumPy's i2 is s16"],
      ["u1[8]{0}", "1 bit; NumPy's u1 is u8"],
      ["s4[8]:a/4 a%4", "4 bits; NumPy's i4 is s32"],
      ["u8[2]", ""],
      ["s16[2]", ""],
    ]) {
      await page.fill("#src-text", words);
      assert.equal(await note(), said, words);
    }
    await close(page);
  },
};
