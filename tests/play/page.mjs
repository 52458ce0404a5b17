// What the page shows, as a visit reads it.

export const text = (page, id) => page.textContent(`#${id}`);
export const choose = (page, name) => page.getByRole("button", { name, exact: true }).click();
export const cells = (page, grid) =>
  page.$$eval(`#${grid} .cell`, (all) =>
    all.map((cell) => ({
      key: cell.dataset.key,
      label: cell.querySelector("text").textContent,
      title: cell.getAttribute("aria-label"),
      padding: cell.classList.contains("padding"),
      shared: cell.classList.contains("shared"),
      now: cell.classList.contains("now"),
      here: cell.classList.contains("here"),
      waiting: cell.classList.contains("waiting"),
    })),
  );
export const only = (all, mark) => all.filter((cell) => cell[mark]).map((cell) => cell.key);

// A finger that moves from a place by so many pixels.
export async function swipe(page, place, right, down) {
  const { x, y, width, height } = await page.locator(place).first().boundingBox();
  const browser = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) => browser.send("Input.dispatchTouchEvent", { type, touchPoints });
  const at = (part) => ({ x: x + width / 2 + right * part, y: y + height / 2 + down * part });
  await touch("touchStart", at(0));
  for (let step = 1; step <= 10; step++) await touch("touchMove", at(step / 10));
  await touch("touchEnd");
}

// The link that the page copies; the clipboard answers later than the click.
export async function copiedLink(page) {
  await page.evaluate(() => document.getElementById("link-said").replaceChildren());
  await page.click("#copy-link");
  await page.waitForFunction(() => document.getElementById("link-said").textContent);
  return page.evaluate(() => navigator.clipboard.readText());
}
