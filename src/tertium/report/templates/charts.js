// Charts by Vega-Embed, drawn to the width of the page.
(() => {
  "use strict";
  const save = (figure, view) => {
    const button = figure.querySelector(".save");
    button.hidden = false;
    button.onclick = async () => {
      const style = getComputedStyle(document.documentElement);
      const drawn = await view.toSVG();
      // Files have no style sheet: insert the colours.
      const whole = drawn.replace(/var\((--[a-z-]+)\)/g,
        (_, name) => style.getPropertyValue(name).trim());
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([whole], {type: "image/svg+xml"}));
      link.download = figure.id + ".svg";
      link.click();
      URL.revokeObjectURL(link.href);
    };
  };
  const columns = (figure) => {
    const width = figure.querySelector(".chart").clientWidth;
    const panel = Number(figure.dataset.panel);
    return Math.max(1, Math.min(4, Math.floor(width / panel)));
  };
  const draw = async (figure) => {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const chart = figure.querySelector(".chart");
    const controls = figure.querySelector(".controls");
    if (spec.columns) {
      spec.columns = columns(figure);
      figure.dataset.columns = spec.columns;
      const lacking = Number(figure.dataset.panel) - chart.clientWidth;
      if (lacking > 0 && spec.spec.width > 0) {
        spec.spec.width = Math.max(120, spec.spec.width - lacking);
      }
      if (figure.dataset.labels) {
        // Panels share the labels of the first in a row, and the whole width.
        const free = chart.clientWidth - Number(figure.dataset.labels);
        spec.spec.width = Math.max(120, Math.floor(free / spec.columns) - 24);
      }
    }
    const chosen = figure.view ? Array.from(spec.params || [], ({name}) =>
      [name, figure.view.signal(name)]) : [];
    if (figure.view) figure.view.finalize();
    controls.replaceChildren();
    try {
      const made = await vegaEmbed(chart, spec, {mode: "vega-lite", renderer: "svg",
        actions: false, bind: controls, defaultStyle: false, logLevel: 1,
        tooltip: {disableDefaultStyle: true}});
      figure.view = made.view;
      for (const [name, value] of chosen) made.view.signal(name, value);
      await made.view.runAsync();
      // A list with one option is not a choice.
      for (const select of controls.querySelectorAll("select")) {
        if (select.options.length < 2) select.closest(".vega-bind").hidden = true;
      }
      save(figure, made.view);
      figure.dataset.state = "drawn";
    } catch (error) {
      chart.textContent = "This chart could not be drawn: " + error.message;
      figure.dataset.state = "failed";
      console.error(error);
    }
  };
  const figures = Array.from(document.querySelectorAll("figure.vega"));
  (async () => { for (const figure of figures) await draw(figure); })();
  let later;
  addEventListener("resize", () => {
    clearTimeout(later);
    later = setTimeout(() => {
      for (const figure of figures) {
        const now = figure.dataset.columns;
        if (now && Number(now) !== columns(figure)) draw(figure);
      }
    }, 250);
  });
})();
