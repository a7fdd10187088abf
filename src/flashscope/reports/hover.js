// Exact values: the point nearest to the pointer in a chart (mouse, touch, or arrow keys), and on a tap of any number.
"use strict";
for (const plot of document.querySelectorAll(".plot")) {
  const tip = plot.appendChild(Object.assign(document.createElement("output"), { className: "tip" }));
  const points = () => [...[...plot.querySelectorAll("svg")].find((svg) => svg.clientWidth || svg.getBoundingClientRect().width)
    ?.querySelectorAll("[data-exact]") ?? []].map((element) => {
      const box = element.getBoundingClientRect();
      return { element, x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }).sort((a, b) => a.x - b.x);
  let near = null;
  const show = (point) => {
    near?.element.classList.remove("near");
    near = point ?? null;
    tip.textContent = near ? near.element.dataset.exact : "";
    if (!near) return;
    near.element.classList.add("near");
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
    const index = all.findIndex((point) => point.element === near?.element);
    show(all[Math.max(0, Math.min(all.length - 1, index + step))]);
  });
}
// Paper shows everything.
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
// A finger cannot hover: a tap on a number shows its title in place, another tap puts it back.
document.addEventListener("click", (event) => {
  const number = event.target.closest?.("data[title]");
  if (!number || matchMedia("(hover: hover)").matches) return;
  const said = number.dataset.said;
  number.dataset.said = said === undefined ? number.textContent : "";
  number.textContent = said === undefined ? number.title : said;
  if (said !== undefined) delete number.dataset.said;
});
