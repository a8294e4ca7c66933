// Opens reports of hand-made runs (make_pages.cpp) in headless Chromium. Each page must draw every
// point without errors, and must not send requests. Run with: BLOOMETRY_REPORT_PAGES=<make_pages
// binary> node --test report.test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const playwright = join(here, '../../../../experiments/chart/node_modules/playwright-core/index.mjs');
const chromium = process.env.BLOOMETRY_CHROMIUM ?? '/usr/bin/chromium';
const maker = process.env.BLOOMETRY_REPORT_PAGES ?? '';

const missing = [[playwright, 'playwright-core (npm ci in experiments/chart)'], [chromium, 'Chromium'],
  [maker, 'the program that makes the pages (BLOOMETRY_REPORT_PAGES)']].find(([file]) => !existsSync(file));
const skip = missing ? `${missing[1]} is not here` : false;

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

let folder;
let browser;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'bloometry-pages-'));
  execFileSync(maker, [join(folder, 'pages')]);
  const { chromium: driver } = await import(pathToFileURL(playwright).href);
  browser = await driver.launchPersistentContext(join(folder, 'profile'),
    { executablePath: chromium, args: FLAGS, viewport: { width: 1200, height: 900 } });
});

after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

// Opens a report and waits until every chart is drawn. Records all requests, errors and dialogs of
// the page until that time.
async function open(name) {
  const page = await browser.newPage();
  const seen = { requests: [], errors: [] };
  page.on('request', (request) => seen.requests.push(request.url()));
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) seen.errors.push(message.text()); });
  page.on('pageerror', (error) => seen.errors.push(String(error)));
  page.on('dialog', (dialog) => { seen.errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  const url = pathToFileURL(join(folder, 'pages', name, 'report.html')).href;
  await page.goto(url);
  if (await page.locator('#data').count()) {
    await page.waitForSelector('html[data-ready="true"]', { timeout: 60_000 });
    await page.evaluate(() => window.bloometryDrawAll());
  }
  return { page, url, seen };
}

function assertQuiet({ url, seen }) {
  assert.deepEqual(seen.errors, []);
  assert.deepEqual(seen.requests.filter((request) => request !== url && !/^(data|blob):/.test(request)), []);
}

const specs = (name) => Object.fromEntries(readdirSync(join(folder, 'pages', name, 'charts')).sort()
  .filter((file) => file.endsWith('.vl.json'))
  .map((file) => [file.replace('.vl.json', ''), JSON.parse(readFileSync(join(folder, 'pages', name, 'charts', file)))]));

// drawnMarks() returns the number of drawn marks that represent one row each: symbols and cells,
// but not lines and intervals. A point without false positives has a mark only if its upper bound
// is informative (selection.hpp).
const hasMark = (chart, value) =>
  !(chart.startsWith('rate_vs') && 'x' in value) || value.num_false_positives > 0 || 'is_upper_bound' in value;
const drawnMarks = (page, chart) => page.locator(`[data-chart="${chart}"] svg g[class*="measured"] > path`).count();

// Returns the lines of a CSV file as objects.
function tableOf(file) {
  const lines = readFileSync(file, 'latin1').trimEnd().split('\n')
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((cell) => cell[1] ?? cell[2]));
  const header = lines.shift();
  return lines.map((cells) => Object.fromEntries(header.map((column, i) => [column, cells[i]])));
}

for (const name of ['large', 'one_series', 'one_point', 'hundred_facets', 'hostile', 'requested']) {
  test(`${name}: drawn point marks equal the plotted rows, quietly, and nothing leaves the page`, { skip }, async () => {
    const opened = await open(name);
    const charts = specs(name);
    assert.ok(Object.keys(charts).length > 0);
    assert.equal(await opened.page.locator('.chart svg.marks').count(), Object.keys(charts).length);
    for (const [chart, spec] of Object.entries(charts)) {
      const marked = spec.data.values.filter((value) => hasMark(chart, value));
      assert.ok(marked.length > 0, chart);
      assert.equal(await drawnMarks(opened.page, chart), marked.length, chart);
      const table = tableOf(join(folder, 'pages', name, 'charts', `${chart}.csv`));
      assert.equal(table.filter((line) => line.mark && line.num_queries).length, marked.length, `${chart}.csv`);
    }
    assertQuiet(opened);
    await opened.page.close();
  });
}

test('large: a full grid has all standard charts', { skip }, () => {
  assert.deepEqual(Object.keys(specs('large')), ['excess_funnel', 'fill', 'p_value_qq', 'pareto', 'rate_vs_bits_per_key',
    'rate_vs_n_over_capacity', 'rate_vs_num_hashes', 'rate_vs_theory', 'relative_error_heatmap']);
});

test('large: a picture of the whole page, taken without scrolling, shows every chart', { skip }, async () => {
  const page = await browser.newPage();
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(pathToFileURL(join(folder, 'pages', 'large', 'report.html')).href);
  await page.waitForSelector('html[data-ready="true"]');
  assert.equal(await page.evaluate(() => window.scrollY), 0);
  assert.equal(await page.locator('.chart svg.marks').count(), Object.keys(specs('large')).length);
  await page.close();
});

test('one_series: a small page is drawn when it is loaded', { skip }, async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    window.addEventListener('load', () => { window.drawnAtLoad = document.querySelectorAll('.chart svg.marks').length; });
    performance.now = () => 0; // a machine that needs less than a second
  });
  await page.goto(pathToFileURL(join(folder, 'pages', 'one_series', 'report.html')).href);
  assert.equal(await page.evaluate(() => window.drawnAtLoad), Object.keys(specs('one_series')).length);
  await page.close();
});

// Records two numbers for each chart when its drawing starts: the number of frames shown so far,
// and the chart's distance below the window. Makes the clock of the page run fast, so that the page
// counts as a large one.
function noteDrawing() {
  window.begun = [];
  let frames = 0;
  const countFrame = () => { frames += 1; requestAnimationFrame(countFrame); };
  requestAnimationFrame(countFrame);
  let calls = 0;
  performance.now = () => { calls += 1; return 2000 * calls; };
  let embed;
  Object.defineProperty(window, 'vegaEmbed', {
    get: () => embed && ((box, ...rest) => {
      window.begun.push({ chart: box.dataset.chart, frames, below: box.getBoundingClientRect().top - window.innerHeight });
      return embed(box, ...rest);
    }),
    set: (loaded) => { embed = loaded; },
  });
}

test('large: charts are drawn one by one from the visible part on, and hardly move', { skip }, async () => {
  const page = await browser.newPage();
  await page.addInitScript(noteDrawing);
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(pathToFileURL(join(folder, 'pages', 'large', 'report.html')).href);
  const top = () => page.locator('.chart').last().evaluate((box) => box.getBoundingClientRect().top + window.scrollY);
  const before = await top();
  await page.waitForSelector('html[data-ready="true"]');
  assert.ok(Math.abs(await top() - before) < 150, `${before} became ${await top()}`);
  const begun = await page.evaluate(() => window.begun);
  assert.equal(begun.length, Object.keys(specs('large')).length);
  assert.equal(begun[0].chart, 'rate_vs_bits_per_key');
  for (const [i, { frames, below }] of begun.entries()) {
    assert.ok(i === 0 || frames > begun[i - 1].frames, JSON.stringify(begun));
    assert.ok(i === 0 || below >= begun[i - 1].below, JSON.stringify(begun));
  }
  await page.close();
});

test('large: printed headings have no boxes that Chromium leaves out of repeated headings', { skip }, async () => {
  const { page } = await open('large');
  await page.emulateMedia({ media: 'print' });
  const displays = await page.locator('table.points thead').evaluate((head) => [head, ...head.querySelectorAll('*')]
    .map((element) => getComputedStyle(element).display));
  assert.deepEqual([...new Set(displays)], ['table-header-group', 'table-row', 'table-cell', 'contents']);
  await page.close();
});

test('large: names in the table are not broken in a narrow window', { skip }, async () => {
  const { page } = await open('large');
  await page.setViewportSize({ width: 390, height: 800 });
  const broken = await page.evaluate(() => [...document.querySelectorAll('table.points td:nth-child(3), table.settings th')]
    .flatMap((cell) => {
      const text = cell.firstChild;
      if (!text?.data) return [];
      return [...text.data.matchAll(/\S+/g)].filter((word) => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length > 1;
      }).map((word) => word[0]);
    }));
  assert.deepEqual(broken, []);
  await page.close();
});

test('large: the table of points fits its column, sorts and filters', { skip }, async () => {
  const { page } = await open('large');
  await page.setViewportSize({ width: 1280, height: 900 });
  const table = page.locator('table.points');
  assert.ok(await table.evaluate((element) => element.offsetWidth <= 1016));
  const column = (number) => table.locator(`tbody tr:visible td:nth-child(${number})`).allTextContents();
  const numbers = async () => (await column(4)).map((text) => Number(text.replaceAll(',', '')));
  const ascending = (list) => [...list].sort((a, b) => a - b);
  await table.locator('th button').nth(3).click();
  assert.deepEqual(await numbers(), ascending(await numbers()));
  await table.locator('th button').nth(3).click();
  assert.deepEqual(await numbers(), ascending(await numbers()).reverse());
  const all = await table.locator('tbody tr').count();
  const [first] = await column(4);
  await page.locator('input.filter').fill(first);
  const shown = await table.locator('tbody tr:visible').count();
  assert.ok(shown > 0 && shown < all, `${shown} of ${all}`);
  await page.close();
});

test('large: no text of an axis or legend is cut off by the edge of its chart', { skip }, async () => {
  const { page } = await open('large');
  const outside = await page.evaluate(() => [...document.querySelectorAll('.chart svg.marks')].flatMap((svg) => {
    const frame = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].filter((text) => {
      const box = text.getBoundingClientRect();
      return text.textContent && box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1 ||
        box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
    }).map((text) => text.textContent);
  }));
  assert.deepEqual(outside, []);
  await page.close();
});

test('one_series: hover shows the counts in a tooltip and in the panel', { skip }, async () => {
  const { page } = await open('one_series');
  const chart = 'rate_vs_n_over_capacity';
  const [row] = specs('one_series')[chart].data.values;
  await page.locator(`[data-chart="${chart}"] svg g[class*="measured"] > path`).first().hover();
  const falsePositives = row.num_false_positives.toLocaleString('en-US');
  await page.waitForSelector('#vg-tooltip-element.visible');
  assert.match(await page.locator('#vg-tooltip-element').textContent(), new RegExp(`${falsePositives} of 100,000 queries`));
  const panel = await page.locator(`#${chart} .detail`).textContent();
  assert.match(panel, new RegExp(`${falsePositives} of 100,000 queries`));
  assert.match(panel, /95 % interval/);
  assert.match(panel, /hashes k5/);
  assert.match(panel, /theory0\.\d+ \(exact theory\)/);
  await page.close();
});

test('one_series: a clicked point stays in the panel until it is released', { skip }, async () => {
  const { page } = await open('one_series');
  const marks = page.locator('[data-chart="rate_vs_n_over_capacity"] svg g[class*="measured"] > path');
  const panel = page.locator('#rate_vs_n_over_capacity .detail');
  await marks.nth(1).click();
  const clicked = await panel.textContent();
  await marks.nth(3).hover();
  assert.equal(await panel.textContent(), clicked);
  assert.match(clicked, /keys inserted n50,000/);
  await page.locator('[data-chart="rate_vs_n_over_capacity"]').press('Escape');
  assert.match(await panel.textContent(), /Hover over a point/);
  await page.close();
});

test('one_series: arrow keys step through the points', { skip }, async () => {
  const { page } = await open('one_series');
  const chart = page.locator('[data-chart="rate_vs_n_over_capacity"]');
  const panel = page.locator('#rate_vs_n_over_capacity .detail');
  await chart.press('ArrowRight');
  assert.match(await panel.textContent(), /keys inserted n20,000/);
  await chart.press('ArrowRight');
  assert.match(await panel.textContent(), /keys inserted n50,000/);
  await chart.press('ArrowLeft');
  await chart.press('ArrowLeft');
  assert.match(await panel.textContent(), /keys inserted n300,000/);
  await page.close();
});

test('hostile: texts from config and rows are shown unchanged and are not executed', { skip }, async () => {
  const { page } = await open('hostile');
  assert.match(await page.locator('h1').textContent(), /<\/script><script>window\.hacked=1<\/script>.*\{\{css\}\}&amp;/);
  const mark = page.locator('[data-chart="rate_vs_num_hashes"] svg g[class*="measured"] > path').first();
  await mark.hover({ force: true });
  await mark.click({ force: true });
  assert.match(await page.locator('#rate_vs_num_hashes .detail').textContent(), /<img src=x/);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img').count(), 0);
  await page.close();
});

test('empty: the page of a run without rows states it', { skip }, async () => {
  const opened = await open('empty');
  assert.match(await opened.page.locator('.notice').textContent(), /does not have rows yet/);
  assert.match(await opened.page.locator('#verdict').textContent(), /No data/);
  assert.equal(await opened.page.locator('.chart').count(), 0);
  assertQuiet(opened);
  await opened.page.close();
});

test('hundred_facets: every view has a title and a readable size', { skip }, async () => {
  const { page } = await open('hundred_facets');
  const views = page.locator('[data-chart="rate_vs_num_hashes"] svg g.role-scope.cell > g > path.background');
  assert.equal(await views.count(), 100);
  const box = await views.first().boundingBox();
  assert.ok(box.width >= 150 && box.height >= 100, JSON.stringify(box));
  await page.close();
});

test('dark and narrow: the page does not scroll sideways, and text has enough contrast', { skip }, async () => {
  const { page } = await open('large');
  await page.setViewportSize({ width: 390, height: 800 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  await page.emulateMedia({ colorScheme: 'dark' });
  const fill = await page.locator('.chart svg text').first().evaluate((text) => getComputedStyle(text).fill);
  assert.equal(fill, 'rgb(230, 232, 235)');
  await page.close();
});
