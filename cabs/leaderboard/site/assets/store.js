// Pieces of data by key: in the page itself, or in files beside it that are loaded when they are needed. A page that is
// opened from a disk may load scripts, and nothing else.
"use strict";
window.CABS = (() => {
  const known = new Map();
  const asked = new Map();
  const take = (...path) => { const value = path.pop(); known.set(path.join("-"), value); };
  const inline = document.getElementById("case-data");
  if (inline) for (const [path, value] of JSON.parse(inline.textContent)) take(...path, value);
  const load = (...path) => {
    const key = path.join("-");
    if (known.has(key)) return Promise.resolve(known.get(key));
    if (!asked.has(key)) {
      asked.set(key, new Promise((done, fail) => {
        const script = document.createElement("script");
        script.src = `case-data-${key}.js`;
        script.onload = () => known.has(key) ? done(known.get(key)) : fail(new Error(key));
        script.onerror = () => { asked.delete(key); fail(new Error(key)); };
        document.head.append(script);
      }));
    }
    return asked.get(key);
  };
  const at = (...path) => known.get(path.join("-"));
  return { take, load, at };
})();
