// What is seen at a glance: the verdict of each side, the tiles' frames and bytes, what a copy costs, the first keys.
import assert from "node:assert/strict";
import { cells, choose, only, text } from "./page.mjs";

const TILES = "each in one piece, row by row, one after the other";

export const GLANCE = {
  async verdict({ open, close }) {
    const page = await open({ hash: "#src=f32[2,3]", width: 400 });
    for (const [words, said] of [
      ["f32[2,3]", "Packed (row-major). 24 bytes, none of them padding."],
      ["f32[2,3]{0,1}", "Column-major. 24 bytes, none of them padding."],
      ["f32[1,1,3,5]:15,1,5,1", "Packed (row-major): NCHW and NHWC at once. 60 bytes, none of them padding."],
      ["f32[2,2,2,2]:nhwc", "NHWC. 64 bytes, none of them padding."],
      ["f32[2,3]:5,1", "Neither packed nor column-major: gaps between elements. 32 bytes, 8 of them padding."],
      ["f32[2,3]:0,1", "Neither packed nor column-major: indices share elements. 12 bytes for 6 indices."],
      ["u4[3,5]", "Packed (row-major). 8 bytes, 4 bits of them padding."],
      [
        "f32[2,3,4]:12,1,3",
        "Neither packed nor column-major: no gaps, dimensions 0, 2, 1 from the slowest to the fastest. " +
          "96 bytes, none of them padding.",
      ],
      // The half of NV12's second plane that is U, in a buffer whose first 32 bytes are Y.
      [
        "u8[2,4]:8,2+32",
        "Neither packed nor column-major: gaps between elements. 15 bytes from byte 32 on, 7 of them padding.",
      ],
      ["u8[3,5]:a/2 b a%2", "Blocks, which strides cannot say. 20 bytes, 5 of them padding."],
      // 32 x 128 elements of 2 bytes, of which 30 x 100 are there.
      [
        "bf16[30,100]{1,0:T(8,128)(2,1)}",
        `Tiles of 8 x 128, ${TILES}; in each of them tiles of 2 x 1. 8192 bytes, 2192 of them padding.`,
      ],
    ]) {
      await page.fill("#src-text", words);
      assert.equal(await text(page, "src-verdict"), said, words);
    }
    await page.fill("#src-text", "f32[5,4,3]");
    await page.fill("#axes-text", "(2 1 0)");
    assert.match(await text(page, "src-verdict"), /^The view f32\[3,4,5\]: column-major. 240 bytes/);
    assert.equal(await page.textContent("#src-facts-of"), "of the view f32[3,4,5]");
    assert.equal(await text(page, "dst-facts-of"), "");
    // Before the grids, where a narrow window shows it too, and the reasons with it.
    const top = async (id) => (await page.locator(`#${id}`).boundingBox()).y;
    for (const side of ["src", "dst"]) assert.ok((await top(`${side}-fold`)) < (await top(`${side}-indices`)));
    await close(page);
  },

  async tiles({ open, close }) {
    const page = await open({ hash: "#src=f32[16,16]{1,0:T(8,8)(2,1)}" });
    const labels = (side) => page.$$eval(`#${side}-buffer .end`, (all) => all.map((one) => Number(one.textContent)));
    const sixteen = Array.from({ length: 16 }, (_, k) => 64 * k); // four tiles of 64 elements in rows of 16
    assert.deepEqual(await labels("src"), sixteen);
    // Tiles of 2 x 1 are two elements: 7 lines inside each row, and a line between the 4 rows of a tile.
    const lines = await page.getAttribute("#src-buffer path.inner", "d");
    assert.deepEqual([lines.split("v").length - 1, lines.split("h").length - 1], [16 * 7, 4 * 3 * 16]);
    await page.fill("#src-text", "f32[16,16]{1,0:T(8,8)}");
    assert.equal(await page.getAttribute("#src-buffer path.inner", "d"), "");
    await choose(page, "Scale tiles");
    assert.deepEqual((await labels("dst")).slice(0, 3), [0, 16, 32]);
    await choose(page, "NV12 planes");
    assert.deepEqual(await labels("src"), [0, 8, 16, 24, 32, 40], "rows of the pitch");
    await close(page);
  },

  // A real clock gives any figures; one that stands still but for runs, known ones.
  async cost({ open, close }) {
    const transpose = { hash: "#src=u8[700,900]&dst=u8[700,900]:1,700" };
    const measured = async (page) => {
      await page.click("#measure");
      await page.waitForFunction(() => /\d|[^g]$/.test(document.getElementById("measure-said").textContent));
      return text(page, "measure-said");
    };
    const clocked = await open({ ...transpose, before: `(${clock})(0.25, 0.125)` });
    assert.equal(
      await measured(clocked),
      "250 µs in WebAssembly with SIMD128, " +
        "2.0 times as long as this browser's own copy of as many bytes in a row (125 µs).",
    );
    await close(clocked);
    const other = await open({ ...transpose, before: `(${clock})(1, 1); WebAssembly.validate = () => false` });
    assert.equal(
      await measured(other),
      "1.00 ms in WebAssembly without SIMD128, which this browser lacks: that says little of other machines.",
    );
    await close(other);

    const page = await open(transpose);
    assert.match(await text(page, "copy"), /This page's CPU is WebAssembly.*stride explain/s);
    const said = /^[\d.]+ [µm]s in WebAssembly with SIMD128, ([\d.]+) times as long .* \([\d.]+ [µm]s\)\.$/;
    const transposed = await measured(page);
    assert.match(transposed, said);
    await page.fill("#dst-text", "");
    assert.equal(await text(page, "measure-said"), "", "it was another copy");
    const plain = await measured(page);
    assert.match(plain, said);
    const times = [transposed, plain].map((words) => said.exec(words)[1]);
    console.log(`cost: a transpose ${times[0]} times, a packed copy ${times[1]} times as long as the browser's own`);
    await page.fill("#src-text", "u8[2049,2048]");
    assert.ok(await page.isDisabled("#measure"));
    assert.match(await text(page, "measure-said"), /above 4 MiB are not measured/);
    await page.fill("#src-text", "u8[0]");
    assert.match(await text(page, "measure-said"), /no byte moves/);
    await page.fill("#src-text", "u8[2,3]:1,2");
    await page.click("#measure");
    await page.waitForFunction(() => document.getElementById("measure-said").textContent.includes("the call is most"));
    await close(page);
  },

  async focus({ open, close }) {
    const page = await open({ hash: "#src=u8[4,6,3]" });
    for (const key of ["ArrowRight", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    assert.equal(await page.inputValue("#index-text"), "0,1,2");
    assert.deepEqual(only(await cells(page, "src-buffer"), "here"), ["p5"]);
    await page.focus("#axes-text");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.inputValue("#index-text"), "0,1,2", "a field has its own arrow keys");
    await page.evaluate(() => document.activeElement.blur());
    await page.reload();
    await page.waitForFunction(() => document.body.dataset.ready);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "skip");
    assert.ok((await page.locator("#skip").boundingBox()).y >= 0, "it is seen");
    const before = page.url();
    await page.keyboard.press("Enter");
    assert.ok(await page.evaluate(() => document.activeElement.matches("#src-indices svg")));
    assert.equal(page.url(), before);
    await page.keyboard.press("Home");
    assert.equal(await page.inputValue("#index-text"), "0,0,0");
    await close(page);
  },
};

// In the page: a clock that only runs on while a plan runs or the browser copies, by so many milliseconds each, and by
// many for the first two, as if others had the CPU. It tells whole milliseconds.
function clock(plan, plain) {
  let now = 0,
    busy = 2;
  const took = (time) => (now += busy-- > 0 ? 20 : time);
  performance.now = () => Math.floor(now);
  const { copyWithin } = Uint8Array.prototype;
  Uint8Array.prototype.copyWithin = function (...where) {
    took(plain);
    return copyWithin.apply(this, where);
  };
  const { Instance } = WebAssembly;
  WebAssembly.Instance = function (module) {
    const { exports } = new Instance(module);
    const stride_plan_execute = (...given) => {
      took(plan);
      return exports.stride_plan_execute(...given);
    };
    return { exports: { ...exports, stride_plan_execute } };
  };
}
