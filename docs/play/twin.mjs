// The line from the marked element in the source's memory to its twin in the destination's. It follows the lower edges
// of rows, where it hides no number.
import { byId } from "./dom.mjs";

// `from` and `to` are cells, or null where one is not shown.
export function drawTwin(from, to) {
  const svg = byId("twin"),
    origin = svg.getBoundingClientRect();
  const ends = [from, to].map((cell) => cell && endOf(cell, origin));
  const [a, b] = ends.every(Boolean) ? ends : [];
  const middle = a && (a.edge.right + b.edge.left) / 2;
  const bow = a && `C${middle} ${a.bottom} ${middle} ${b.bottom} ${b.edge.left} ${b.bottom}`;
  const line = a ? `M${a.right} ${a.bottom}H${a.edge.right}${bow}H${b.left}` : "";
  for (const path of svg.children) path.setAttribute("d", line);
}

// Where a cell and its grid are seen; null where the grid is scrolled past the cell.
function endOf(cell, origin) {
  const svg = cell.ownerSVGElement;
  const [own, grid, host] = [cell.firstElementChild, svg, svg.parentElement].map((one) => one.getBoundingClientRect());
  if (own.right > host.right + 1 || own.left < host.left - 1) return null;
  if (own.bottom > host.bottom + 1 || own.top < host.top - 1) return null;
  const [left, right] = [own.left, own.right].map((x) => x - origin.left);
  const [first, last] = [Math.max(grid.left, host.left), Math.min(grid.right, host.right)];
  const edge = { left: first - origin.left, right: last - origin.left };
  return { left, right, bottom: own.bottom - origin.top, edge };
}
