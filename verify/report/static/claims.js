// tables of claims: a click on the name of a column sorts by it, a second one the other way; search and choices hide rows
const tables = [...document.querySelectorAll("table.claims")];
for (const table of tables) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const key = (row, column) => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();
  // on a narrow screen a cell says which column it is of
  for (const row of body.rows) [...row.cells].forEach((cell, column) => { cell.dataset.label ??= heads[column].textContent; });
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const order = (a, b) => {
      const [x, y] = [key(a, column), key(b, column)];
      if (x === "" || y === "") return x === y ? 0 : x === "" ? 1 : -1;
      const difference = Number(x) - Number(y);
      return (Number.isNaN(difference) ? x.localeCompare(y) : difference) * (down ? -1 : 1);
    };
    body.append(...[...body.rows].sort(order));
  }));
}
const form = document.querySelector("form.filters");
if (form) {
  const rows = tables.flatMap((table) => [...table.tBodies[0].rows]);
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const folded = [...document.querySelectorAll("details.paper")];
  // what is asked for stands in the address, such as ?status=false_as_printed&text=rank
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements.namedItem(name);
    if (field) field.value = value;
    if (field && field.value !== value) field.value = "";
  }
  let wasAsked = false;
  const narrow = () => {
    const asked = [...new FormData(form)].filter(([, value]) => value.trim());
    const wanted = asked.filter(([name]) => name === "text").flatMap(([, value]) => value.toLowerCase().trim().split(/\s+/));
    const chosen = asked.filter(([name]) => name !== "text");
    let count = 0;
    rows.forEach((row, place) => {
      const kept = wanted.every((word) => texts[place].includes(word)) && chosen.every(([name, value]) => row.dataset[name] === value);
      row.hidden = !kept;
      count += kept;
      // the section of the claim on the same page, if there is one
      const section = row.dataset.id && document.getElementById(row.dataset.id);
      if (section) section.hidden = !kept;
    });
    for (const group of document.querySelectorAll("section.group")) {
      group.hidden = [...group.querySelectorAll("details.claim")].every((claim) => claim.hidden);
    }
    for (const paper of folded) {
      const kept = [...paper.querySelector("tbody").rows].filter((row) => !row.hidden).length;
      paper.hidden = kept === 0;
      if (asked.length || wasAsked) paper.open = asked.length > 0;
      paper.querySelector(".count").textContent = `${asked.length ? `${kept} of ` : ""}${paper.dataset.count} ${form.dataset.noun}`;
    }
    wasAsked = asked.length > 0;
    form.querySelector("output").textContent = `${count} of ${rows.length} ${form.dataset.noun}`;
    const query = new URLSearchParams(asked).toString();
    try {
      history.replaceState(history.state, "", `${location.pathname}${query ? `?${query}` : ""}${location.hash}`);
    } catch {
      // a page that is shown inside another one, as in a notebook, has no address of its own
    }
  };
  form.addEventListener("input", narrow);
  form.addEventListener("change", narrow);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  // a browser that comes back to the page keeps what was typed
  narrow();
}
// what scrolls can be reached by keyboard
const reach = () => {
  for (const one of document.querySelectorAll(".wide, .formula, p, ul.instance li, figure.picture, pre")) {
    // to ask what is folded how wide it is lays all of it out
    if (one.closest("details:not([open])")) continue;
    const scrolls = one.scrollWidth > one.clientWidth && ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
    if (scrolls) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  }
};
reach();
addEventListener("resize", reach);
// what is folded has no width before it is shown
document.addEventListener("toggle", reach, true);
