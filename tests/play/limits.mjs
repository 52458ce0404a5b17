// Visits that go to the limits: any text, narrow and dark pages, the bytes of it all.
import assert from "node:assert/strict";
import { EXPECTED } from "./layouts.mjs";
import { choose, text } from "./page.mjs";

export const LIMITS = {
  // Whatever is typed, the page answers soon and goes on.
  async anything({ open, close }) {
    const page = await open();
    const words = (
      "f32 u1 u4 s4:high bytes7 c128 f32:swapped [ ] { } : , + - 1 2 9 65536 9223372036854775807 " +
      "-9223372036854775808 0 a b a/2_b_a%2 nChw16c T(2,*,128) (2,1) L(4) E(4) <= ? _ é 𝄞 % /"
    )
      .split(" ")
      .map((word) => word.replaceAll("_", " "));
    let seed = 7;
    const random = (below) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % below;
    const texts = Array.from({ length: 400 }, () =>
      Array.from({ length: 1 + random(12) }, () => words[random(words.length)]).join(""),
    );
    texts.push(
      "u8[4611686018427387904]",
      "u1[1048576]",
      "u1[3000,3000]",
      "u8[1000,1000]",
      "f32[1000000,1000000]:1,1",
      "u8[60,60,60]:1,1,1",
      "u8[1000000]:0",
      "u8[3000000]:-1+2999999",
      `u8[${Array(64).fill(2)}]:${Array(64).fill(1)}`,
      `u8[${Array(64).fill(1)}]`,
      "f32[0]",
      "f32[]",
      "f32[5,0,3]",
      "u8[2,2]:4611686018427387904,1",
      "bf16[30,100]{1,0:T(8,128)(2,1)}",
      "s4[9,9]{1,0:E(4)}",
      "f32[3,5]{1,0:T(2,2)L(7)}",
      "u8[1000000,1000000]{1,0:T(8,128)}",
      "x".repeat(5000),
      "f32[" + "1,".repeat(600),
    );
    const visit = (one) => {
      for (const id of ["src-text", "dst-text"]) {
        const field = document.getElementById(id);
        field.value = one;
        field.dispatchEvent(new Event("input"));
      }
      for (const id of ["src-indices", "src-buffer"])
        for (const key of ["End", "ArrowUp", "PageUp", "ArrowLeft", "Home"])
          document.querySelector(`#${id} svg`)?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      document.getElementById("walk-step").click();
    };
    // By the clock of the CPU: a busy machine is no fault, a page that hangs is.
    const browser = await page.context().newCDPSession(page);
    await browser.send("Performance.enable", { timeDomain: "threadTicks" });
    const now = async () => {
      const { metrics } = await browser.send("Performance.getMetrics");
      return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
    };
    let slow = [0, ""];
    for (const one of texts) {
      const begin = await now();
      await page.evaluate(visit, one);
      const took = (await now()) - begin;
      if (took > slow[0]) slow = [took, one.slice(0, 60)];
    }
    console.log(
      `anything: ${texts.length} texts on both sides, the slowest took ${slow[0].toFixed(0)} ms (${slow[1]})`,
    );
    assert.ok(slow[0] > 0 && slow[0] < 5000, String(slow));
    assert.ok((await page.$$eval(".cell", (all) => all.length)) <= 2 * (512 + 256));
    await choose(page, "XLA: {0,1}");
    assert.match(await text(page, "dst-said"), /byte 8$/);
    await close(page);
  },

  async looks({ open, close }) {
    for (const scheme of ["light", "dark"]) {
      for (const width of [1280, 390]) {
        const page = await open({ width, scheme });
        for (const name of Object.keys(EXPECTED)) {
          await choose(page, name);
          const wide = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          assert.ok(wide <= 0, `${name} at ${width}: ${wide} pixels too wide`);
          const hidden = await page.$$eval("#src-indices, #src-buffer, #dst-indices, #dst-buffer", (all) =>
            all.map((one) => one.scrollWidth - one.clientWidth),
          );
          assert.ok(Math.max(...hidden) <= 0, `${name} at ${width}: a grid is ${Math.max(...hidden)} pixels too wide`);
        }
        for (const [words, ink, ground] of await page.evaluate(texts)) {
          const found = ratio(luminance(ink), luminance(ground));
          assert.ok(found >= 4.5, `${scheme}: contrast ${found.toFixed(2)} of ${words}`);
        }
        await close(page);
      }
    }
    // Lightness falls with the number, so that the order is seen without colours; numbers can be read on it.
    const page = await open({ hash: "#src=u8[16,15]" });
    const shades = await page.$$eval("#src-indices .cell", (all) =>
      all.map((cell) =>
        [cell.firstChild, cell.querySelector("text")].map((one) =>
          getComputedStyle(one).fill.match(/\d+/g).map(Number),
        ),
      ),
    );
    const light = shades.map(([ground]) => luminance(ground));
    assert.ok(light.length > 200 && light.every((one, k) => k === 0 || one <= light[k - 1] + 1e-9));
    assert.ok(light[0] - light.at(-1) > 0.8);
    const least = Math.min(...shades.map(([ground, ink]) => ratio(luminance(ground), luminance(ink))));
    assert.ok(least >= 4.5, `contrast ${least}`);
    await choose(page, "Padded rows");
    assert.match(await page.$eval("#src-buffer .padding rect", (one) => getComputedStyle(one).fill), /hatch/);
    await close(page);
  },

  async bytes({ open, close, url, most }) {
    const page = await open();
    const loaded = await Promise.all(page.loaded.map(async (answer) => [answer.url(), (await answer.body()).length]));
    assert.ok(
      loaded.every(([address]) => address.startsWith(url)),
      "everything is the page's own",
    );
    const libraries = (all) => all.map((address) => address.slice(url.length)).filter((one) => one.includes(".wasm"));
    assert.deepEqual(libraries(loaded.map(([address]) => address)), ["stride.wasm.gz"]);
    const total = loaded.reduce((sum, [, bytes]) => sum + bytes, 0);
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
    const ready = await page.evaluate(() => performance.now());
    console.log(
      `bytes: ${total} in ${loaded.length} files; paint at ${paint.toFixed(0)} ms, ready by ${ready.toFixed(0)} ms`,
    );
    assert.ok(total > 250_000 && total < most, `${total} bytes`);
    await close(page);
    // Without DecompressionStream the file as it is does, without SIMD the other one.
    for (const [before, library] of [
      ["delete globalThis.DecompressionStream", "stride.wasm"],
      ["WebAssembly.validate = () => false", "stride_plain.wasm.gz"],
    ]) {
      const other = await open({ before });
      assert.deepEqual(libraries(other.loaded.map((answer) => answer.url())), [library]);
      assert.match(await text(other, "dst-said"), /byte 25$/);
      await close(other);
    }
  },
};

// --- Colours ---------------------------------------------------------------------------------------------------------

function luminance(rgb) {
  const [r, g, b] = rgb.map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

// In the page: each text outside the drawings, its colour, and that of its ground.
function texts() {
  const ground = (one) => {
    for (; one; one = one.parentElement) {
      const { backgroundColor: color } = getComputedStyle(one);
      if (!/rgba\(.*, 0\)/.test(color)) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const own = (one) => [...one.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim());
  const all = [...document.querySelectorAll("body *:not(svg *, button:disabled)")];
  const shown = all.filter((one) => own(one) && one.checkVisibility());
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
  return shown.map((one) => [one.textContent.trim(), numbers(getComputedStyle(one).color), numbers(ground(one))]);
}
