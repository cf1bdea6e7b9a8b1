// maps grow and shrink: by the buttons above them, or by the wheel with the control key held
for (const box of document.querySelectorAll(".wide.map")) {
  const svg = box.querySelector("svg");
  const [width, height] = [svg.width.baseVal.value, svg.height.baseVal.value];
  let scale = 1;
  const zoom = (wanted, x = box.clientWidth / 2, y = box.clientHeight / 2) => {
    const factor = Math.min(4, Math.max(0.2, wanted)) / scale;
    const [left, top] = [(box.scrollLeft + x) * factor - x, (box.scrollTop + y) * factor - y];
    scale *= factor;
    svg.setAttribute("width", width * scale);
    svg.setAttribute("height", height * scale);
    box.scrollTo({left, top, behavior: "instant"});
  };
  const bar = document.createElement("div");
  bar.className = "zoom";
  const button = (text, says, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.setAttribute("aria-label", says);
    made.addEventListener("click", act);
    bar.append(made);
  };
  button("+", "Larger map", () => zoom(scale * 1.25));
  button("\u2212", "Smaller map", () => zoom(scale / 1.25));
  button("Fit", "Fit the map to the page", () => zoom(box.clientWidth / width));
  button("1:1", "The map in its own size", () => zoom(1));
  box.before(bar);
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const place = box.getBoundingClientRect();
    zoom(scale * Math.exp(-event.deltaY / 400), event.clientX - place.left, event.clientY - place.top);
  }, {passive: false});
}
