// Exact values: the point nearest to the pointer in a chart (mouse, touch, or arrow keys), and on a tap of any number.
"use strict";
for (const plot of document.querySelectorAll(".plot")) {
  const tip = plot.appendChild(Object.assign(document.createElement("output"), { className: "tip" }));
  const drawing = plot.querySelector("svg");
  if (!drawing) continue;
  const dot = document.createElementNS(drawing.namespaceURI, "circle");
  dot.setAttribute("class", "near");
  dot.setAttribute("r", 3.5);
  // Each group holds its points as lines "x y exact value", in its own coordinates.
  const points = () => {
    const shown = [...plot.querySelectorAll("svg")].find((svg) => svg.getBoundingClientRect().width);
    return [...(shown?.querySelectorAll("[data-points]") ?? [])].flatMap((group) => {
      const place = group.getScreenCTM();
      return group.dataset.points.split("\n").map((line) => {
        const [, left, top, exact] = line.match(/^(\S+) (\S+) (.*)$/);
        const at = new DOMPoint(left, top).matrixTransform(place);
        return { group, left, top, exact, x: at.x, y: at.y };
      });
    }).sort((a, b) => a.x - b.x);
  };
  let near = null;
  const show = (point) => {
    near = point ?? null;
    tip.textContent = near ? near.exact : "";
    if (!near) return dot.remove();
    dot.setAttribute("cx", near.left);
    dot.setAttribute("cy", near.top);
    near.group.appendChild(dot);
    const frame = plot.getBoundingClientRect();
    const left = near.x - frame.x - tip.offsetWidth / 2;
    tip.style.left = `${Math.max(0, Math.min(left, frame.width - tip.offsetWidth))}px`;
    const above = near.y - frame.y - tip.offsetHeight - 12;
    tip.style.top = `${above < 0 ? near.y - frame.y + 12 : above}px`;
  };
  const find = (event) => {
    // Sideways distance counts more: on a line one means the point above or below.
    const far = (point) => (point.x - event.clientX) ** 2 + ((point.y - event.clientY) / 3) ** 2;
    show(points().reduce((best, point) => (best && far(best) <= far(point) ? best : point), null));
  };
  plot.addEventListener("pointermove", find);
  plot.addEventListener("pointerdown", find);
  plot.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && show(null));
  plot.addEventListener("blur", () => show(null));
  plot.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") show(null);
    if (!step) return;
    event.preventDefault();
    const all = points();
    const index = all.findIndex((point) => point.group === near?.group && point.left === near.left && point.top === near.top);
    show(all[Math.max(0, Math.min(all.length - 1, index + step))]);
  });
}
// Paper shows everything; a link into a folded part unfolds it.
const unfold = (details) => details.forEach((each) => { each.open = true; });
addEventListener("beforeprint", () => unfold(document.querySelectorAll("details")));
const follow = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const around = [];
  for (let up = target; up; up = up.parentElement?.closest("details")) if (up.matches("details")) around.push(up);
  unfold(around);
  target.scrollIntoView();
};
addEventListener("hashchange", follow);
follow();
// A finger cannot hover: a tap on a number shows its title in place, another tap puts it back.
document.addEventListener("click", (event) => {
  const number = event.target.closest?.("data[title]");
  if (!number || number.closest("a, summary") || matchMedia("(hover: hover)").matches) return;
  const said = number.dataset.said;
  number.dataset.said = said === undefined ? number.textContent : "";
  number.textContent = said === undefined ? number.title : said;
  if (said !== undefined) delete number.dataset.said;
});
