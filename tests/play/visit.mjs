// Visits the page of docs/play in a browser: each example, the keyboard, the controls, the walk, links, wrong input.
//
//   node tests/play/visit.mjs FOLDER PLAYWRIGHT [mistakes]      VISITS=walk,link: these alone
//
// FOLDER is what `make play` makes; it is served by `python3 -m http.server`. PLAYWRIGHT is a folder with
// node_modules/playwright-core. What the page shows is held against numbers of the pages that the layouts come from and
// against loops written out here (layouts.mjs), not against the page's own code. With `mistakes` the visits go to pages
// with one mistake each instead, and each mistake has to be found (mistakes.mjs): minutes, for before a release.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { GLANCE } from "./glance.mjs";
import { LIMITS } from "./limits.mjs";
import { MISTAKES } from "./mistakes.mjs";
import { NEWCOMER } from "./newcomer.mjs";
import { PICTURE } from "./picture.mjs";
import { VISITS as USES } from "./visits.mjs";

const [folder, playwright, wanted] = process.argv.slice(2);
const VISITS = { ...USES, ...NEWCOMER, ...GLANCE, ...PICTURE, ...LIMITS };
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ONLY = process.env.VISITS?.split(",") ?? Object.keys(VISITS);
const MOST = 440_000; // bytes of all that a visitor loads
// Milliseconds for what a visit waits for: only what never comes takes so long. What a mistake keeps away does not.
const PATIENCE = { visit: 120_000, mistake: 8_000 };

if (!existsSync(resolve(playwright, "node_modules/playwright-core"))) {
  console.log("skipped: the page in a browser, playwright-core is not there");
  process.exit(0);
}
if (!existsSync(CHROMIUM)) {
  console.log(`skipped: the page in a browser, there is no ${CHROMIUM}`);
  process.exit(0);
}
const { chromium } = createRequire(`${resolve(playwright)}/`)("playwright-core");

const server = spawn("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder], {
  stdio: ["ignore", "pipe", "ignore"],
});
const port = await new Promise((found, failed) => {
  let said = "";
  server.stdout.on("data", (bytes) => {
    said += bytes;
    const match = /port (\d+)/.exec(said);
    if (match) found(Number(match[1]));
  });
  server.on("exit", () => failed(new Error("python3 -m http.server ended")));
});
const url = `http://127.0.0.1:${port}/`;
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

// A page that is ready. `mistake` replaces words of a file on the way; what it says to the console is a failure.
async function open({ width = 1280, height = 900, touch, scheme = "light", hash = "", before, mistake } = {}) {
  const patience = PATIENCE[mistake ? "mistake" : "visit"];
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    hasTouch: touch,
    isMobile: touch,
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.faults = [];
  page.loaded = [];
  page.on("pageerror", (error) => page.faults.push(error.stack));
  page.on("console", (line) => {
    if (["error", "warning"].includes(line.type())) page.faults.push(line.text());
  });
  page.on("response", (answer) => page.loaded.push(answer));
  if (before) await page.addInitScript(before);
  if (mistake) {
    await page.route(`**/${mistake.file}`, async (route) => {
      const answer = await route.fetch(),
        text = await answer.text();
      const wrong = text.replaceAll(mistake.find, mistake.put);
      if (wrong === text) page.faults.push(`mistakes.mjs: ${mistake.file} has no ${mistake.find}`);
      await route.fulfill({ response: answer, body: wrong });
    });
  }
  await page.goto(url + hash);
  await page.waitForFunction(() => document.body.dataset.ready);
  return page;
}

const close = async (page) => {
  const { faults } = page;
  await page.context().close();
  assert.deepEqual(faults, []);
};

const failures = [];

// The visits of these names to the page as it is; how many of them passed.
async function visitAll(names) {
  let passed = 0;
  for (const name of names) {
    try {
      await VISITS[name]({ open, close, url, most: MOST });
      passed++;
    } catch (error) {
      failures.push(`${name}: ${error.stack}`);
    }
  }
  return passed;
}

// The visits to pages with a mistake, after the same visits to the page without; how many mistakes were found.
async function findAll(mistakes) {
  await visitAll(new Set(mistakes.map(({ visit }) => visit)));
  let found = 0;
  for (const mistake of failures.length ? [] : mistakes) {
    const wrong = (options) => open({ ...options, mistake });
    try {
      await VISITS[mistake.visit]({ open: wrong, close, url, most: MOST });
      failures.push(`no visit notices this mistake: ${mistake.file}: ${mistake.put}`);
    } catch (error) {
      if (/mistakes\.mjs/.test(error.message)) failures.push(error.message);
      else found++;
    }
  }
  return found;
}

try {
  const mistakes = MISTAKES.filter(({ visit }) => ONLY.includes(visit));
  const said =
    wanted === "mistakes"
      ? `${await findAll(mistakes)} of ${mistakes.length} mistakes found`
      : `${await visitAll(ONLY)} of ${ONLY.length} visits passed`;
  for (const failure of failures) console.log(failure);
  console.log(`play: ${said}`);
} finally {
  await browser.close();
  server.kill();
}
process.exitCode = failures.length ? 1 : 0;
