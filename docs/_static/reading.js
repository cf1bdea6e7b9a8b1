// What the theme leaves out for those who read by keyboard or by ear.
for (const one of document.querySelectorAll("p.caption[role=heading]")) one.setAttribute("aria-level", "2");
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
