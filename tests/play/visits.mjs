// What a visitor does with the page, and what has to be there then. Each visit opens pages of its own.
import assert from "node:assert/strict";
import { EXPECTED, buffer, indices, labelOf } from "./layouts.mjs";
import { cells, choose, copiedLink, only, text } from "./page.mjs";

const byteOf = ({ bits }, position) =>
  bits % 8
    ? `byte ${Math.floor((position * bits) / 8)}, bit ${(position * bits) % 8}`
    : `byte ${(position * bits) / 8}`;
const numberOf = (sizes, index) => sizes.reduce((number, size, k) => number * size + index[k], 0);

// In the page: the walk's timer, whose ticks come when a visit calls `tick`, which is there as long as it runs.
function tickByTick() {
  globalThis.setInterval = (tick) => {
    globalThis.tick = tick;
    return 1;
  };
  globalThis.clearInterval = () => {
    delete globalThis.tick;
  };
}

// Both grids of a side against the loops. Indices that share an element of the source hold the same on both sides.
async function holds(page, name, expected) {
  const side = expected[name],
    { sizes, place, length } = side,
    count = sizes.reduce((product, size) => product * size, 1);
  const firsts = buffer(expected.src.sizes, expected.src.place, expected.src.length),
    all = [...indices(sizes)];
  const shown = (number) => labelOf(Number(firsts[expected.src.place(all[number])]), count, expected.values?.[name]);
  const held = buffer(sizes, place, length).map((number) => number && shown(number));
  const memory = await cells(page, `${name}-buffer`),
    elements = await cells(page, `${name}-indices`);
  assert.ok(memory.length > 0 && memory.length <= 512 && elements.length > 0 && elements.length <= 256);
  if (length <= 120) assert.equal(memory.length, length, "the whole buffer is shown");
  let sharing = 0;
  const counts = new Map();
  for (const index of all) counts.set(place(index), (counts.get(place(index)) ?? 0) + 1);
  for (const { key, label, padding, shared, title } of memory) {
    const position = Number(key.slice(1));
    assert.equal(label, held[position], `${name}, position ${position}`);
    assert.equal(padding, held[position] === "", `${name}, position ${position}`);
    assert.equal(shared, counts.get(position) > 1, `${name}, position ${position}`);
    assert.ok(title.startsWith(`${byteOf(side, position)}:`), title);
    sharing += shared;
  }
  for (const { key, label, title } of elements) {
    assert.equal(label, shown(key.slice(1)), `${name}, ${key}`);
    const index = title
      .match(/index ([\d, ]*):/)[1]
      .split(", ")
      .map(Number);
    assert.equal(numberOf(sizes, index), Number(key.slice(1)));
    assert.ok(title.endsWith(byteOf(side, place(index))), `${title}: ${byteOf(side, place(index))}`);
  }
  return sharing;
}

// The steps of a walk: in the order of the destination, positions on both sides.
function walked({ src, dst }, byRuns) {
  const moves = [...indices(dst.sizes)].map((index) => ({ dst: dst.place(index), src: src.place(index), count: 1 }));
  moves.sort((a, b) => a.dst - b.dst);
  if (!byRuns) return moves;
  const runs = [];
  for (const move of moves) {
    const last = runs.at(-1);
    if (last && last.dst + last.count === move.dst && last.src + last.count === move.src) last.count++;
    else runs.push({ ...move });
  }
  return runs;
}

// Pairs that are no example, by their texts.
const PAIRS = {
  // 35 places, more than an element of 4 bits can tell apart at once.
  "u4[5,7] to u4[5,7]:1,5": {
    src: { sizes: [5, 7], place: ([y, x]) => 7 * y + x, bits: 4 },
    dst: { sizes: [5, 7], place: ([y, x]) => y + 5 * x, bits: 4 },
  },
  "f32[3,5]{1,0:T(2,2)} to f32[3,5]:a/2 b a%2": {
    src: EXPECTED["XLA: tiles"].dst,
    dst: { sizes: [3, 5], place: ([y, x]) => ((y >> 1) * 5 + x) * 2 + (y % 2), bits: 32 },
  },
};

const keys = (first, count) => Array.from({ length: count }, (_, k) => `p${first + k}`);

// --- Visits ----------------------------------------------------------------------------------------------------------

export const VISITS = {
  async examples({ open, close }) {
    const page = await open();
    const names = await page.$$eval("#examples button", (all) => all.map((one) => one.textContent));
    assert.deepEqual(names, Object.keys(EXPECTED));
    let shared = 0;
    for (const [name, expected] of Object.entries(EXPECTED)) {
      await choose(page, name);
      for (const side of ["src", "dst"]) {
        shared += await holds(page, side, expected);
        const bytes = Math.ceil((expected[side].length * expected[side].bits) / 8);
        assert.match(await text(page, `${side}-buffer-window`), new RegExp(`^${bytes} bytes`), `${name}, ${side}`);
      }
      for (const [side, labels] of Object.entries(expected.memory ?? {}))
        assert.deepEqual((await cells(page, `${side}-buffer`)).map(({ label }) => label), labels, name);
      for (const [side, [index, position]] of Object.entries(expected.at ?? {})) {
        const said = await text(page, `${side}-said`);
        assert.ok(said.startsWith(`index ${index}: `) && said.includes(`= element ${position};`), said);
      }
      if (expected.total) assert.equal(await text(page, "dml-total"), `TotalTensorSizeInBytes: ${expected.total}.`);
      if (expected.view) assert.equal(await text(page, "src-view"), `of the view ${expected.view}`);
      if (expected.image) {
        assert.equal(await text(page, "img-bytes"), expected.image.bytes);
        assert.deepEqual(
          await page.$$eval("#img-planes button", (all) => all.map((one) => one.textContent)),
          expected.image.planes,
        );
      }
      const count = expected.dst.sizes.reduce((product, size) => product * size, 1);
      assert.match(
        await text(page, "walk-said"),
        new RegExp(`: ${count} elements written, ${expected.dst.length - count} places`),
        name,
      );
      assert.equal(await page.$$eval(".error", (all) => all.map((one) => one.textContent).join("")), "");
    }
    assert.ok(shared > 0);
    // A border for each 64 bytes but the first: 192 bytes in tiles of 16, and 144 in rows of 48 (a step has two lines).
    const borders = (side) =>
      page.$eval(`#${side}-buffer path.line`, (one) => one.getAttribute("d").split("v").length - 1);
    await choose(page, "Blocked: nChw4c");
    assert.deepEqual([await borders("dst"), await borders("src")], [2, 2]);
    await close(page);
  },

  async hover({ open, close }) {
    const page = await open();
    await choose(page, "XLA: tiles");
    await page.hover("#src-indices [data-key=i7]");
    // Index (1,2): second row of the tile in the middle of the upper tiles.
    assert.match(await text(page, "src-said"), /^index \(1,2\): 1·5 \+ 2·1 = element 7; × 4 bytes = byte 28$/);
    assert.match(
      await text(page, "dst-said"),
      /^index \(1,2\): \(0,1,1,0\) in \[2,3,2,2\]: 0·12 \+ 1·4 \+ 1·2 \+ 0·1 = element 6; × 4 bytes = byte 24$/,
    );
    assert.deepEqual(only(await cells(page, "dst-buffer"), "here"), ["p6"]);
    assert.deepEqual(only(await cells(page, "dst-indices"), "here"), ["i7"]);
    await page.hover("#dst-buffer [data-key=p17]");
    assert.equal(await page.inputValue("#index-text"), "2,3");
    assert.deepEqual(only(await cells(page, "src-buffer"), "here"), ["p13"]);
    await page.hover("#dst-buffer [data-key=p9]");
    assert.match(await text(page, "dst-said"), /^byte 36: padding/);
    assert.equal(await page.inputValue("#index-text"), "2,3");
    await choose(page, "Windows");
    await page.hover("#src-buffer [data-key=p2]");
    assert.match(await text(page, "src-said"), /^byte 8: index \(0,2\), the first of 3 that share it$/);
    await page.fill("#index-text", "4,0");
    assert.match(await text(page, "src-said"), /= element 4;/);
    await page.hover("#src-buffer [data-key=p4]");
    assert.equal(await page.inputValue("#index-text"), "4,0", "it is one of those that share the byte");
    await close(page);
  },

  async keyboard({ open, close }) {
    const page = await open();
    await choose(page, "Photo to planes");
    await page.fill("#index-text", "0,0,0");
    const press = async (...all) => {
      for (const key of all) await page.keyboard.press(key);
    };
    await page.focus("#src-indices svg");
    await press("ArrowRight", "ArrowRight", "ArrowDown", "PageDown");
    assert.equal(await page.inputValue("#index-text"), "1,1,2");
    // (1 row of 6 pixels + 2 pixels) * 3 + colour 1 is byte 25; in planes 24 + 6 + 2 is 32.
    assert.match(await text(page, "src-said"), /byte 25$/);
    assert.match(await text(page, "dst-said"), /byte 32$/);
    assert.ok(
      await page.evaluate(() => document.activeElement.matches("#src-indices svg")),
      "the grid keeps the focus",
    );
    const active = await page.getAttribute("#src-indices svg", "aria-activedescendant");
    assert.equal(await page.getAttribute(`#${active}`, "aria-label"), "index 1, 1, 2: number 32, byte 25");
    await press("ArrowUp", "ArrowUp", "ArrowLeft", "End");
    assert.equal(await page.inputValue("#index-text"), "2,3,5");
    await press("ArrowRight", "Home");
    assert.equal(await page.inputValue("#index-text"), "0,0,0");
    await page.focus("#dst-buffer svg");
    await press("ArrowRight", "ArrowRight", "ArrowRight");
    assert.match(await text(page, "dst-said"), /^byte 3: index \(0,0,3\)/);
    assert.match(await text(page, "src-said"), /byte 9$/);
    // Everything that can be used can be reached, and has a name.
    const named = await page.$$eval("button, input, select, svg[tabindex], pre[tabindex]", (all) =>
      all
        .filter((one) => one.checkVisibility())
        .filter((one) => !(one.labels?.length || one.textContent.trim() || one.getAttribute("aria-label")))
        .map((one) => one.outerHTML),
    );
    assert.deepEqual(named, []);
    const reached = new Set();
    await page.evaluate(() => document.activeElement.blur());
    for (let step = 0; step < 90; step++) {
      await press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.parentElement.id));
    }
    for (const id of [
      "index-text",
      "src-text",
      "axes-text",
      "src-indices",
      "src-buffer",
      "dst-text",
      "dst-buffer",
      "walk-step",
      "copy-link",
    ])
      assert.ok(reached.has(id), `Tab does not reach ${id}`);
    await close(page);
  },

  async controls({ open, close }) {
    const page = await open({ hash: "#src=f32%5B2%2C3%5D" });
    await page.getByRole("textbox", { name: "size of dimension 1" }).first().fill("7");
    assert.equal(await page.inputValue("#src-text"), "f32[2,7]");
    assert.match(await text(page, "src-buffer-window"), /^56 bytes/);
    const stride = page.getByRole("textbox", { name: "stride of dimension 0" }).first(),
      box = await stride.boundingBox();
    await page.mouse.move(box.x + 8, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + 8 + 25, box.y + 8, { steps: 5 });
    await page.mouse.up();
    assert.equal(await page.inputValue("#src-text"), "f32[2,7]:10,1");
    await stride.press("ArrowDown");
    assert.equal(await page.inputValue("#src-text"), "f32[2,7]:9,1");
    assert.equal(await stride.inputValue(), "9");
    await page.getByRole("textbox", { name: "offset" }).first().fill("2");
    assert.equal(await page.inputValue("#src-text"), "f32[2,7]:9,1+2");
    assert.match(await text(page, "src-buffer-window"), /^72 bytes/); // 4 * (2 + 9 + 6 + 1)
    const chips = page.locator("#src-controls .chip");
    assert.deepEqual(await chips.allTextContents(), ["1", "0"]);
    await chips.nth(1).click();
    assert.equal(await page.inputValue("#src-text"), "f32[2,7]:1,2");
    await page.fill("#src-text", "f32[2,3,4]{2,1,0:T(2,2)}");
    await chips.nth(0).press("ArrowRight");
    assert.equal(await page.inputValue("#src-text"), "f32[2,3,4]{1,2,0:T(2,2)}");
    const at = [await chips.nth(2).boundingBox(), await chips.nth(0).boundingBox()];
    await page.mouse.move(at[0].x + 8, at[0].y + 8);
    await page.mouse.down();
    await page.mouse.move(at[1].x + 8, at[1].y + 8, { steps: 4 });
    await page.mouse.up();
    assert.equal(await page.inputValue("#src-text"), "f32[2,3,4]{0,1,2:T(2,2)}");
    await page.locator("#src-sliders input").fill("1");
    assert.match(await page.inputValue("#index-text"), /^1,/);
    // What a consumer refuses, and the nearest that it takes.
    await page.fill("#src-text", "bf16[64,511]");
    await page.locator("summary", { hasText: "Compatible with" }).first().click();
    const tma = page.locator("#src-consumers li", { hasText: "TMA" });
    assert.match(await tma.textContent(), /1022.*16/); // the example of stride.h, Requirements
    await tma.getByRole("button").click();
    assert.equal(await page.inputValue("#dst-text"), "bf16[64,511]:512,1");
    await close(page);
  },

  async walk({ open, close }) {
    const page = await open();
    for (const [name, byRuns] of [
      ["Photo to planes", false],
      ["XLA: tiles", true],
      ["Padded rows", true],
      ["4-bit elements", true],
      ["Windows", false],
      ["Scale tiles", true],
      ...Object.keys(PAIRS).map((pair) => [pair, false]),
    ]) {
      if (EXPECTED[name]) await choose(page, name);
      else {
        const texts = ["", ...name.split(" to ")];
        for (const [k, id] of ["axes", "src", "dst"].entries()) await page.fill(`#${id}-text`, texts[k]);
      }
      await page.setChecked("#walk-runs", byRuns);
      const sides = EXPECTED[name] ?? PAIRS[name],
        expected = walked(sides, byRuns),
        { src, dst } = sides;
      for (const [k, step] of expected.entries()) {
        await page.click("#walk-step");
        if (k > 5 && k < expected.length - 1) continue;
        const said = await text(page, "walk-said");
        assert.ok(said.startsWith(`Step ${k + 1} of ${expected.length}: ${step.count} element`), said);
        assert.ok(said.endsWith(`from ${byteOf(src, step.src)} to ${byteOf(dst, step.dst)}`), said);
        const found = { src: await cells(page, "src-buffer"), dst: await cells(page, "dst-buffer") };
        assert.deepEqual(only(found.src, "now"), keys(step.src, step.count), `${name}, step ${k}`);
        assert.deepEqual(only(found.dst, "now"), keys(step.dst, step.count), `${name}, step ${k}`);
        const after = found.dst.map(({ key }) => key).filter((key) => Number(key.slice(1)) >= step.dst + step.count);
        assert.deepEqual(only(found.dst, "waiting"), after);
      }
      await page.click("#walk-back");
      assert.match(await text(page, "walk-said"), new RegExp(`Step ${expected.length - 1} of`));
    }
    await close(page);
    const played = await open({ before: `(${tickByTick})()` });
    await choose(played, "Padded rows");
    await played.click("#walk-play");
    assert.equal(await text(played, "walk-play"), "Pause");
    const said = () => text(played, "walk-said");
    for (const step of [1, 2, 3]) {
      await played.evaluate(() => tick());
      assert.match(await said(), new RegExp(`^Step ${step} of 6`));
    }
    const stands = async (step) => {
      assert.equal(await text(played, "walk-play"), "Play");
      assert.equal(await played.evaluate(() => typeof tick), "undefined");
      assert.ok((await said()).startsWith(`Step ${step} of 6`));
    };
    await played.click("#walk-play");
    await stands(3);
    await played.click("#walk-play");
    for (let step = 4; step <= 6; step++) await played.evaluate(() => tick());
    await stands(6);
    await close(played);
  },

  async link({ open, close, url }) {
    const page = await open();
    await choose(page, "NV12 planes");
    await page.fill("#dst-text", "u8[2,2,4]:16,8,1+3");
    await page.fill("#index-text", "1,1,2");
    const link = await copiedLink(page);
    assert.equal(await text(page, "link-said"), "copied");
    assert.ok(link.startsWith(`${url}#`), link);
    const other = await open({ hash: link.slice(url.length) });
    for (const [id, value] of [
      ["src-text", "u8[2,4,2]:8,2,1+32"],
      ["axes-text", "2,0,1"],
      ["dst-text", "u8[2,2,4]:16,8,1+3"],
      ["index-text", "1,1,2"],
      ["img-format", "NV12"],
    ])
      assert.equal(await other.inputValue(`#${id}`), value);
    assert.match(await text(other, "dst-said"), /byte 29$/); // 3 + 16 + 8 + 2
    await close(other);
    await page.evaluate(() => {
      location.hash = "#src=u8%5B9%5D&at=4";
    });
    await page.waitForFunction(() => document.getElementById("src-text").value === "u8[9]");
    assert.match(await text(page, "src-said"), /byte 4$/);
    await close(page);
  },

  async wrong({ open, close }) {
    const page = await open({ hash: "#src=f32[2,3]" });
    // A text, the sentence beside it, and what is marked in it.
    for (const [spec, sentence, marked] of [
      ["f33[2]", /unknown dtype/, "f"],
      ["float[2]", /it is called f32 here/, "f"],
      ["f32[2,x]", /byte 6: `x` stands where a number is expected/, "x"],
      ["f32[2,3]:1", /byte 10: 1 entry is given, but the rank is 2/, null],
      ["f32[2,3]:3,,1", /byte 11: `,` stands where a number is expected/, ","],
      ["f32[1,3]:nChq", /byte 11: this names dimension 2, but the rank is 2/, "h"],
      ["f32[1,3,2,2]:nChw0c", /byte 17: .*below the minimum of 1/, "0"],
      ["u8[3,5]:a/2 b c%2", /the rank is 2/, "c"],
      ["f32[3,5]{1,0:T(2,2)(}", /`}` stands where a number is expected/, "}"],
      ["f32[3,5]{1,1}", /repeated/, null],
      ["f32[2", /the text ends/, null],
      ["f32[9000000000,9000000000]", /9000000000 times 9000000000 does not fit in 64 bits/, null],
      ["f32[4]:-1", /offset 3/, null],
      ["", /unknown dtype/, null],
    ]) {
      await page.fill("#src-text", spec);
      const said = await text(page, "src-error");
      assert.match(said, sentence, spec);
      if (marked) assert.equal(await page.textContent("#src-error mark"), marked, spec);
      assert.equal(await page.getAttribute("#src-text", "aria-invalid"), "true");
    }
    // What was drawn before stays, pale, and answers no more.
    assert.match(await text(page, "copy-words"), /no copy before both tensors are right/);
    const before = [await text(page, "src-said"), await page.inputValue("#index-text")];
    await page.hover("#src-buffer [data-key=p4]");
    await page.locator("#src-indices svg").press("ArrowDown");
    assert.deepEqual([await text(page, "src-said"), await page.inputValue("#index-text")], before);
    await page.fill("#src-text", "f32[2,3]");
    assert.equal(await text(page, "src-error"), "");
    await page.fill("#dst-text", "f32[2,4]");
    assert.match(await text(page, "copy-error"), /^No copy: source, dimension 1: size is 3, but it is 4 in dest/);
    await page.fill("#dst-text", "f32[2,3]:0,1");
    assert.match(await text(page, "copy-error"), /^No copy: destination, dimension 0: stride 0/);
    for (const side of ["src", "dst"]) assert.equal(await text(page, `${side}-error`), "", "the tensors are right");
    await page.fill("#dst-text", "");
    await page.fill("#axes-text", "0,0");
    assert.match(await text(page, "axes-error"), /axes.*repeated/);
    await page.fill("#src-text", "f32[");
    assert.equal(await text(page, "axes-error"), "", "it is of no tensor now");
    await page.fill("#src-text", "f32[2,3]");
    await page.fill("#axes-text", "[1 0]");
    assert.equal(await text(page, "axes-error"), "");
    await page.locator("summary", { hasText: "DirectML" }).click();
    await page.fill("#dml-sizes", "1,1,0,5");
    assert.match(await text(page, "dml-verdict"), /size/);
    await page.fill("#dml-sizes", "3,2");
    await page.fill("#dml-strides", "2147483648,1");
    // What DMLCalcBufferTensorSize of the page wraps to 8 in 32 bits.
    assert.match(await text(page, "dml-total"), /17179869192/);
    await page.fill("#dml-strides", "1");
    assert.match(await text(page, "dml-error"), /1 strides, but 2 sizes/);
    await page.locator("summary", { hasText: "image" }).click();
    await page.fill("#img-format", "NV99");
    assert.match(await text(page, "img-error"), /./);
    await close(page);
  },
};
