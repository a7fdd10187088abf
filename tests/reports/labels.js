// The labels of all charts that are shown that overlap another label, or reach beyond their drawing: [chart, label, other].
() => {
  document.querySelectorAll("details").forEach((each) => (each.open = true));
  const found = [];
  for (const drawing of document.querySelectorAll("svg")) {
    const whole = drawing.getBoundingClientRect();
    if (whole.width < 40 || whole.height < 10) continue;
    const chart = drawing.closest("[id]")?.id ?? "";
    const labels = [...drawing.querySelectorAll("text")]
      .map((each) => ({ text: each.textContent.trim(), box: each.getBoundingClientRect(), style: getComputedStyle(each) }))
      .filter(({ text, box, style }) => text && box.width > 0 && style.visibility !== "hidden" && Number(style.opacity) > 0);
    labels.forEach(({ text, box }, index) => {
      if (box.left < whole.left - 2 || box.right > whole.right + 2) found.push([chart, text, "the edge"]);
      for (const other of labels.slice(index + 1)) {
        const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        const halo = text === other.text && Math.abs(box.left - other.box.left) < 1;
        if (wide > 1.5 && high > 3 && !halo) found.push([chart, text, other.text]);
      }
    });
  }
  return found;
}
