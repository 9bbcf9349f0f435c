"use strict";
document.documentElement.classList.add("js");
(() => {
  const all = (what, within = document) => [...within.querySelectorAll(what)];
  const keys = document.getElementById("keys");
  for (const one of all("[data-keys]")) one.addEventListener("click", () => keys.showModal());
  keys.querySelector("[data-close]").addEventListener("click", () => keys.close());
})();
