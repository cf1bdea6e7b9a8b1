// a link to a claim opens its section
function open() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.tagName === "DETAILS") { target.open = true; target.scrollIntoView(); }
}
addEventListener("hashchange", open);
open();
// a click on the name of a column sorts by it, a second one the other way
const heads = [...document.querySelectorAll("#claims th")];
heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
  const down = head.getAttribute("aria-sort") === "ascending";
  heads.forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => row.cells[column].dataset.key;
  const order = (a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === "" || y === "") return x === y ? 0 : x === "" ? 1 : -1;
    const difference = Number(x) - Number(y);
    return (Number.isNaN(difference) ? x.localeCompare(y) : difference) * (down ? -1 : 1);
  };
  const body = document.querySelector("#claims tbody");
  body.append(...[...body.rows].sort(order));
}));
