// render.mjs [--embed-fonts] [--width PX] (IN.vl.json OUT.svg)... draws each chart as SVG with the runtime of the
// report page. The package vega-cli is not used, because it downloads a canvas library. The browser bundles run in
// plain node.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { embedFonts } from './embed_fonts.mjs';

const here = dirname(fileURLToPath(import.meta.url));
for (const name of ['vega', 'vega-lite']) {
  const file = join(here, 'node_modules', name, 'build', `${name}.min.js`);
  vm.runInThisContext(readFileSync(file, 'utf8'), { filename: file });
}
const { vega, vegaLite } = globalThis;

// Advance widths of DejaVu Sans, ' ' to '~', in hundredths of the font size. Without a canvas, Vega assumes 80 for
// every character.
const ADVANCES = [32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
  34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99,
  69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63,
  59, 82, 59, 59, 52, 64, 34, 64, 84];
const OTHER_ADVANCE = 84; // width of '±' and '−'; other letters are narrower
const NO_BREAK_SPACE = '\u00a0';
const BOLD = 1.13; // width of DejaVu Sans Bold relative to DejaVu Sans

function textWidth(text, size, isBold) {
  let sum = 0;
  const letters = String(text).replaceAll(NO_BREAK_SPACE, ' ');
  for (const letter of letters) sum += ADVANCES[letter.codePointAt(0) - 32] ?? OTHER_ADVANCE;
  return (sum / 100) * size * (isBold ? BOLD : 1);
}

vega.textMetrics.width = (item, text) =>
  textWidth(text ?? item.text ?? '', item.fontSize ?? 11, item.fontWeight === 'bold' || item.fontWeight >= 600);

// A chart contains its data, so nothing is loaded.
const loader = { load: async (uri) => { throw new Error(`charts do not load anything, requested ${uri}`); },
  sanitize: async (uri) => ({ href: uri }) };

async function toSvg(chart) {
  const view = new vega.View(vega.parse(vegaLite.compile(chart).spec), { renderer: 'none', loader, logLevel: vega.Warn });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
}

const widthOf = (svg) => Number(/^<svg[^>]* width="([\d.]+)"/.exec(svg)[1]);

function wrapped(text, size, isBold, width) {
  const lines = [];
  for (const word of [text].flat().join(' ').split(' ')) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && textWidth(longer, size, isBold) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function wrapTitle(chart, width) {
  if (!chart.title) return;
  const { fontSize, subtitleFontSize } = chart.config.title;
  chart.title.text = wrapped(chart.title.text, fontSize, true, width);
  chart.title.subtitle = wrapped(chart.title.subtitle, subtitleFontSize, false, width);
}

// Moves legends below the views, one under the other.
function putLegendsBelow(chart, columns) {
  Object.assign(chart.config.legend, { orient: 'bottom', direction: 'vertical', columns,
    layout: { bottom: { direction: 'vertical', anchor: 'start' } } });
}

const PADDING = 5; // px around a picture, as in Vega
const MOST_ROUNDS = 8; // legends and ticks change slightly with the width of the views; two or three rounds are enough
const LEAST_SHARE = 0.55; // least share of the width for views beside a legend
const LEAST_VIEW = 60; // least width of a view, in px
const LEAST_PANEL = 100; // least width of a view in a grid

// Returns the chart with its views as wide as `columns` columns allow, and the width of the picture. The views keep
// their proportions. The title is omitted while the width is measured, because it can be wider than the views.
async function fitted(chart, width, columns) {
  const { title, ...fit } = structuredClone(chart);
  const view = fit.spec ?? fit;
  const shape = typeof view.height === 'number' ? view.height / view.width : null;
  if (fit.spec) {
    fit.columns = columns;
    // A shared axis is also drawn below empty cells (chart_style.cpp).
    const isFull = fit.facet.sort.length % columns === 0;
    fit.resolve = { ...fit.resolve, axis: { ...fit.resolve?.axis, x: isFull ? 'shared' : 'independent' } };
  }
  let svg = '';
  for (let round = 0; round < MOST_ROUNDS; ++round) {
    svg = await toSvg(fit);
    const missing = width - widthOf(svg);
    if (missing >= 0 && missing < columns) {
      fit.padding = { left: PADDING, top: PADDING, bottom: PADDING, right: PADDING + missing };
      svg = await toSvg({ ...fit, title });
      break;
    }
    view.width = Math.floor(view.width + missing / columns);
    if (view.width < LEAST_VIEW) break;
    if (shape) view.height = Math.round(view.width * shape);
  }
  return { svg, view: view.width };
}

// Draws the chart at a width, as a grid of panels if the panels have room. Reduces the number of columns and moves
// legends below the views, in one column if necessary, before the panels are stacked.
async function drawAtWidth(chart, width) {
  wrapTitle(chart, width - 2 * PADDING - 1); // the 1 allows for rounded widths
  const most = chart.columns ?? 1;
  const isGrid = most > 1 && chart.facet.sort.length > 1;
  for (const stacked of isGrid ? [false, true] : [true]) {
    for (const below of [0, 2, 1]) { // number of columns of legends below the views; 0: beside them
      const placed = structuredClone(chart);
      if (below) putLegendsBelow(placed, below);
      for (let columns = stacked ? 1 : most; columns >= (stacked ? 1 : 2); --columns) {
        const { svg, view } = await fitted(placed, width, columns);
        const hasRoom = view * columns >= LEAST_SHARE * width || (stacked && below);
        if (hasRoom && view >= (stacked ? LEAST_VIEW : LEAST_PANEL) && widthOf(svg) === width) return svg;
      }
    }
  }
  return null;
}

async function draw(input, width) {
  const chart = JSON.parse(readFileSync(input, 'utf8'));
  const svg = width === null ? await toSvg(chart) : await drawAtWidth(chart, width);
  if (svg === null) {
    throw new Error(`${basename(input, '.vl.json')} cannot be ${width} px wide: its texts need more`);
  }
  return svg;
}

const files = process.argv.slice(2);
const isEmbedding = files[0] === '--embed-fonts';
if (isEmbedding) files.shift();
const width = files[0] === '--width' ? Number(files.splice(0, 2)[1]) : null;
try {
  const svgs = [];
  for (let i = 0; i + 1 < files.length; i += 2) svgs.push(await draw(files[i], width));
  const pictures = isEmbedding ? embedFonts(svgs) : svgs;
  pictures.forEach((svg, i) => writeFileSync(files[2 * i + 1], svg));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
