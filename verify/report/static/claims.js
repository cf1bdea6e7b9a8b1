// tables of claims: a click on the name of a column sorts by it, a second one the other way; search and choices hide rows
for (const table of document.querySelectorAll("table.claims")) {
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
  const form = document.querySelector("form.filters");
  if (!form) continue;
  const rows = [...body.rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const narrow = () => {
    const asked = new FormData(form);
    const wanted = asked.get("text").toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = [...asked].filter(([name, value]) => name !== "text" && value);
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
    form.querySelector("output").textContent = `${count} of ${rows.length} ${form.dataset.noun}`;
  };
  form.addEventListener("input", narrow);
  form.addEventListener("change", narrow);
  form.addEventListener("submit", (event) => event.preventDefault());
  // a browser that comes back to the page keeps what was typed
  narrow();
}
