// Light or dark: what the reader's system says, until a button says otherwise.
"use strict";
(() => {
  const root = document.documentElement;
  const kept = () => { try { return localStorage.getItem("cabs-theme"); } catch { return null; } };
  const keep = (theme) => { try { localStorage.setItem("cabs-theme", theme); } catch { /* a page from a disk may have no store */ } };
  const first = kept();
  if (first === "light" || first === "dark") root.dataset.theme = first;
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    const tell = () => { button.textContent = dark() ? "Light" : "Dark"; };
    tell();
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      keep(root.dataset.theme);
      tell();
      document.dispatchEvent(new Event("themechange"));
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      tell();
      document.dispatchEvent(new Event("themechange"));
    });
  });
})();
