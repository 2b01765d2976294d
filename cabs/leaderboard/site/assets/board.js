// Tables that sort and filter, and charts. Names of systems reach the charts as text.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);

  // ---- tables

  const value = (row, column) => {
    const cell = row.cells[column];
    const said = cell.dataset.v;
    return said === undefined ? cell.textContent.trim().toLowerCase() : said === "" ? null : Number(said);
  };
  const compare = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  };
  const sort = (table, head) => {
    const down = head.getAttribute("aria-sort") === "descending" ||
      (head.getAttribute("aria-sort") !== "ascending" && head.dataset.first === "up");
    const order = down ? "ascending" : "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    const body = table.tBodies[0];
    const known = [...body.rows].map((row) => [value(row, head.cellIndex), row]);
    known.sort(([a], [b]) => a === null || b === null ? compare(a, b) : (order === "ascending" ? 1 : -1) * compare(a, b));
    body.append(...known.map(([, row]) => row));
    table.classList.toggle("sorted", head.cellIndex !== 0 || order !== "ascending");
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    for (const head of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(table, head));
    }
  }
  for (const input of document.querySelectorAll("input[data-filter]")) {
    const table = $(input.dataset.filter);
    const said = $(`${input.dataset.filter}-count`);
    input.addEventListener("input", () => {
      const q = input.value.trim().toLowerCase();
      let left = 0;
      for (const row of table.tBodies[0].rows) {
        row.hidden = !row.textContent.toLowerCase().includes(q);
        left += !row.hidden;
      }
      if (said) said.textContent = q ? `${left} of ${table.tBodies[0].rows.length} rows` : "";
    });
  }
  for (const box of document.querySelectorAll("input[data-columns]")) {
    const apply = () => {
      for (const cell of document.querySelectorAll(`.board .of-${box.dataset.columns}`)) cell.hidden = !box.checked;
    };
    box.addEventListener("change", apply);
    apply();
  }

  // ---- charts

  const source = $("chart-data");
  document.body.dataset.ready = source ? "tables" : "yes";
  if (!source || !window.echarts) return;
  const data = JSON.parse(source.textContent);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const dark = () => css("--paper") === "#14171b";
  const round = (number) => number === null || number === undefined ? "–" : number.toFixed(3);
  const short = (name) => name.length > 26 ? `${name.slice(0, 25)}…` : name;
  const names = data.systems.map((system) => system.name);
  const label = (name) => data.metrics.find((metric) => metric.name === name).label;
  const base = () => ({
    animation: false,
    textStyle: { color: css("--ink"), fontFamily: "system-ui, sans-serif" },
    tooltip: {
      renderMode: "richText", confine: true, backgroundColor: css("--raised"), borderColor: css("--soft"),
      textStyle: { color: css("--ink") },
    },
  });
  const axis = (more) => ({
    axisLabel: { color: css("--ink") }, axisLine: { lineStyle: { color: css("--soft") } },
    splitLine: { lineStyle: { color: css("--line") } }, nameTextStyle: { color: css("--soft") }, ...more,
  });
  const systemsAxis = (list) => axis({
    type: "category", data: list, inverse: true, splitLine: { show: false }, axisTick: { show: false },
    axisLabel: { color: css("--ink"), formatter: short, interval: 0 },
  });
  const grid = { left: 8, right: 24, top: 24, bottom: 34, containLabel: true };

  const bars = (name) => {
    const points = data.systems.map((system, at) => ({ at, of: system.values[name] })).filter(({ of }) => of && of[0] !== null);
    const whisker = (params, api) => {
      const y = api.coord([0, api.value(0)])[1];
      const [low, high] = [api.coord([api.value(1), 0])[0], api.coord([api.value(2), 0])[0]];
      const style = { stroke: css("--strong"), lineWidth: 2, fill: "none" };
      const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });
      return { type: "group", children: [line(low, y, high, y), line(low, y - 5, low, y + 5), line(high, y - 5, high, y + 5)] };
    };
    return {
      ...base(), grid, yAxis: systemsAxis(names),
      xAxis: axis({ type: "value", name: label(name), nameLocation: "middle", nameGap: 24, scale: false }),
      series: [
        { type: "custom", renderItem: whisker, silent: true, z: 2, encode: { x: [1, 2], y: 0 },
          data: points.filter(({ of }) => of[1] !== null).map(({ at, of }) => [at, of[1], of[2]]) },
        { type: "scatter", symbolSize: 11, itemStyle: { color: css("--strong"), opacity: 1 }, z: 3,
          data: points.map(({ at, of }) => [of[0], at]),
          tooltip: { formatter: ({ value: [x, at] }) => {
            const of = data.systems[at].values[name];
            return `${names[at]}\n${label(name)} ${round(x)}${of[1] === null ? "" : ` [${round(of[1])}, ${round(of[2])}]`}`;
          } } },
      ],
    };
  };
  const heat = (name) => {
    const cells = [];
    data.organs.forEach((organ, y) => organ.values[name].forEach((v, x) => cells.push([x, y, v ?? "-"])));
    const most = Math.max(0.001, ...cells.map((cell) => cell[2] === "-" ? 0 : cell[2]));
    const scale = dark() ? ["#1d2127", "#1f4e79", "#4d94d6", "#bfe0ff"] : ["#f7fbff", "#b3d3ea", "#5399cb", "#0b4a85"];
    return {
      ...base(), grid: { left: 8, right: 16, top: 8, bottom: 64, containLabel: true },
      xAxis: axis({ type: "category", data: names, axisLabel: { color: css("--ink"), formatter: short, interval: 0, rotate: 28 }, axisTick: { show: false } }),
      yAxis: axis({ type: "category", data: data.organs.map((organ) => `${organ.label} (${organ.facts})`), inverse: true,
        axisLabel: { color: css("--ink"), interval: 0 }, axisTick: { show: false } }),
      visualMap: { min: 0, max: most, calculable: false, orient: "horizontal", left: "center", bottom: 0, itemHeight: 160,
        text: [most.toFixed(2), "0"], textStyle: { color: css("--ink") }, inRange: { color: scale } },
      series: [{
        type: "heatmap", data: cells, itemStyle: { borderColor: css("--paper"), borderWidth: 1 },
        label: { show: true, fontSize: 11, formatter: ({ value: [, , v] }) => v === "-" ? "" : v.toFixed(2) },
        emphasis: { itemStyle: { borderColor: css("--focus"), borderWidth: 2 } },
        tooltip: { formatter: ({ value: [x, y, v] }) => `${names[x]}\n${data.organs[y].label}: ${label(name)} ${round(v === "-" ? null : v)}` },
      }],
    };
  };
  const spread = () => ({
    ...base(), grid: { ...grid, top: 52 }, aria: { enabled: true, decal: { show: true } },
    legend: { top: 0, textStyle: { color: css("--ink") }, type: "scroll" },
    yAxis: systemsAxis(names), xAxis: axis({ type: "value", max: 100, name: "% of reports", nameLocation: "middle", nameGap: 24 }),
    color: dark() ? ["#f3bd55", "#cfe3f5", "#a3c8ea", "#74a9dc", "#4a88c7", "#5ad6ac", "#59626d"]
      : ["#e69f00", "#cfe3f5", "#9ecae8", "#5fa3d3", "#2c72ae", "#009e73", "#c3c9d0"],
    series: data.spread.bins.map((bin, at) => ({
      name: bin, type: "bar", stack: "all", barMaxWidth: 22,
      data: data.systems.map((system) => system.spread.total ? 100 * system.spread.counts[at] / system.spread.total : 0),
      tooltip: { formatter: ({ dataIndex }) => `${names[dataIndex]}\n${bin}: ${data.systems[dataIndex].spread.counts[at]} reports` },
    })),
  });

  const charts = [];
  const add = (id, make, height) => {
    const box = $(id);
    if (!box) return;
    box.style.height = `${height}px`;
    const chart = echarts.init(box, null, { renderer: "svg" });
    const picker = $(`${id}-of`);
    const redraw = () => chart.setOption(make(picker?.value), true);
    picker?.addEventListener("change", redraw);
    redraw();
    charts.push([chart, redraw]);
  };
  add("bars", bars, 90 + 30 * names.length);
  add("heat", heat, 170 + 24 * data.organs.length);
  add("spread", spread, 110 + 34 * names.length);
  const redraw = () => charts.forEach(([chart, again]) => { chart.resize(); again(); });
  document.addEventListener("themechange", redraw);
  addEventListener("resize", () => charts.forEach(([chart]) => chart.resize()));
  // Paper is light, whatever the screen is.
  let before;
  addEventListener("beforeprint", () => { before = document.documentElement.dataset.theme; document.documentElement.dataset.theme = "light"; redraw(); });
  addEventListener("afterprint", () => {
    if (before === undefined) delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = before;
    redraw();
  });
  document.body.dataset.ready = "yes";
})();
