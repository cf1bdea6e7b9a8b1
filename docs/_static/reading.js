// What the theme leaves out for those who read by keyboard or by ear.
for (const one of document.querySelectorAll("p.caption[role=heading]")) one.setAttribute("aria-level", "2");
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
const reach = () => {
  for (const one of document.querySelectorAll("article :is(div, pre, li, p, section)")) {
    const scrolls = one.scrollWidth > one.clientWidth && ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
    if (scrolls) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  }
};
reach();
addEventListener("resize", reach);
// what is folded has no width before it is shown
document.addEventListener("toggle", reach, true);
