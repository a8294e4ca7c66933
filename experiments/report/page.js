'use strict';
// Draws the charts of a report. Shows all details of the point that the reader hovers over, clicks
// or reaches with the arrow keys.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);

  // Returns the value of a column (page_data.hpp) at an index, or null if the record does not have
  // the field.
  const reader = ({ all, texts, at, values }) =>
    (values ? (i) => values[i] : texts ? (i) => (at[i] === null ? null : texts[at[i]]) : () => all);

  // Returns an object that creates records from the columns on demand.
  function recordsOf({ length, columns }) {
    const readers = Object.entries(columns).map(([name, column]) => [name, reader(columns[column.as] ?? column)]);
    return {
      length,
      at: (i) => {
        const record = {};
        for (const [name, read] of readers) {
          const value = read(i);
          if (value !== null) record[name] = value;
        }
        return record;
      },
    };
  }

  const rows = recordsOf(data.rows);

  const count = (value) => value.toLocaleString('en-US');
  const rate = (value) => (value === 0 ? '0' : Number(value.toPrecision(6)).toString());

  // The fields of a point in the panel. Each field has a title and a function that returns the
  // text, or undefined if the point does not have the field.
  const FIELDS = [
    ['variant', (p) => p.variant],
    ['parameters', (p) => (p.params === '{}' ? undefined : p.params)],
    ['keys', (p) => p.keys],
    ['hash', (p) => p.hash],
    ['probe scheme', (p) => p.probes],
    ['churn', (p) => p.churn_rounds && `${count(p.churn_rounds)} ${p.churn_rounds === 1 ? 'round' : 'rounds'}: erase ` +
      `${rate(p.churn_erase)}, reinsert ${rate(p.churn_reinsert)}, wrongful erases ${rate(p.churn_wrongful_erases)}`],
    ['window', (p) => p.window_size && `${count(p.window_size)} ${p.window_unit}: reinserts ` +
      `${rate(p.window_reinsert)}, erases ${rate(p.window_erase)}`],
    ['window violations', (p) => p.num_window_violations && `${count(p.num_window_violations)} of ` +
      `${count(p.num_window_queries)} keys in the window`],
    ['expired keys present', (p) => p.num_expired_queries > p.num_expired_retained &&
      `${count(p.num_expired_present)} of ${count(p.num_expired_queries - p.num_expired_retained)}`],
    ['stream', (p) => p.stream_zipf && `Zipf(${rate(p.stream_zipf)}) of ${count(p.stream_num_distinct)} keys: ` +
      `inserts ${p.stream_insert} items, ` +
      (p.stream_clear_every ? `cleared every ${count(p.stream_clear_every)} inserts` : 'never cleared')],
    ['originals stopped', (p) => p.num_originals !== undefined &&
      `${count(p.num_originals_stopped)} of ${count(p.num_originals)}`],
    ['duplicates passed', (p) => p.num_duplicates !== undefined &&
      `${count(p.num_duplicates_passed)} of ${count(p.num_duplicates)}`],
    ['duplicates lost', (p) => p.num_lost_duplicates && `${count(p.num_lost_duplicates)} of ` +
      `${count(p.num_held_duplicates)} that the filter held`],
    ['trial', (p) => p.trial?.toString()],
    ['keys inserted n', (p) => p.num_inserted !== undefined && count(p.num_inserted)],
    ['capacity', (p) => p.capacity && `${count(p.capacity)} (n is ${rate(p.num_inserted / p.capacity)} of it)`],
    ['memory', (p) => p.num_bits && `${count(p.num_bits)} bits` +
      (p.num_inserted ? `, ${Number((p.num_bits / (p.capacity || p.num_inserted)).toPrecision(4))} per key` : '')],
    ['counters', (p) => p.num_counters && count(p.num_counters)],
    ['hashes k', (p) => p.num_hashes],
    ['target rate', (p) => p.target_false_positive_rate && rate(p.target_false_positive_rate)],
    ['trials', (p) => p.num_trials && count(p.num_trials)],
    ['false positives', (p) => `${count(p.num_false_positives)} of ${count(p.num_queries)} queries`],
    ['false negatives', (p) => p.num_false_negatives && count(p.num_false_negatives)],
    ['refused inserts', (p) => p.num_refused_inserts && `${count(p.num_refused_inserts)} over ` +
      `${count(p.num_trials)} ${p.num_trials === 1 ? 'trial' : 'trials'}, so the filters contain fewer than n keys`],
    ['observed rate', (p) => p.observed_false_positive_rate !== undefined && rate(p.observed_false_positive_rate)],
    ['95 % interval', (p) => p.interval_upper !== undefined && `${rate(p.interval_lower)} to ${rate(p.interval_upper)}`],
    ['theory', (p) => p.theory_name && `${rate(p.expected_false_positive_rate)} (${p.theory_name})`],
    ['classic formula', (p) => p.classic_false_positive_rate !== undefined && rate(p.classic_false_positive_rate)],
    ['rate given the filters’ own state', (p) => p.conditional_false_positive_rate !== undefined &&
      rate(p.conditional_false_positive_rate)],
    ['fill ratio', (p) => p.observed_fill_ratio !== undefined && `${rate(p.observed_fill_ratio)} measured` +
      (p.expected_fill_ratio === undefined ? '' : `, ${rate(p.expected_fill_ratio)} expected`)],
    ['call', (p) => p.call],
    ['time per negative query', (p) => p.ns && `${p.ns.toPrecision(3)} ns (${p.ns_min.toPrecision(3)} to ` +
      `${p.ns_max.toPrecision(3)})`],
    ['expected false positives', (p) => p.expected_false_positives !== undefined && rate(p.expected_false_positives)],
    ['excess', (p) => p.excess !== undefined && `${p.excess.toFixed(2)} standard errors`],
    ['relative error', (p) => p.relative_error !== undefined && `${(100 * p.relative_error).toFixed(2)} %`],
    ['p-value of the false positives', (p) => (p.min_false_positives_p_value ?? p.p_value)?.toPrecision(3)],
    ['p-value of the fill', (p) => p.min_fill_p_value?.toPrecision(3)],
    ['p-value of the refused inserts', (p) => p.min_refused_inserts_p_value?.toPrecision(3)],
    ['p-value of the expired keys', (p) => p.min_expired_p_value?.toPrecision(3)],
    ['exempt from the tests', (p) => p.exemption_reason],
  ];

  function describe(panel, point) {
    const list = document.createElement('dl');
    for (const [title, text] of FIELDS) {
      const value = text(point);
      if (value === undefined || value === false || value === null || value === 0) continue;
      const item = document.createElement('div');
      item.append(Object.assign(document.createElement('dt'), { textContent: title }));
      item.append(Object.assign(document.createElement('dd'), { textContent: value }));
      list.append(item);
    }
    panel.replaceChildren(list);
  }

  const invite = (panel) => {
    panel.textContent = 'Hover over a point, click it, or step to it with the arrow keys. The counts, interval and ' +
      'parameters of the point appear here.';
  };

  // Returns the point under the mouse, or null for other marks. Lines and intervals also have data
  // but do not represent a single row.
  const pointOf = (item) => (item?.mark?.name?.includes('measured') && item.datum?.id !== undefined ? item.datum : null);

  function listen(box, panel, view, points) {
    let kept = -1;
    const keep = (id) => {
      kept = id;
      view.signal('picked', id).runAsync();
      if (id < 0) invite(panel); else describe(panel, points[id]);
    };
    view.addEventListener('mouseover', (event, item) => {
      const point = pointOf(item);
      if (point && kept < 0) describe(panel, points[point.id]);
    });
    view.addEventListener('click', (event, item) => keep(pointOf(item)?.id ?? -1));
    box.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === 'Escape') keep(-1);
      if (step === undefined || points.length === 0) return;
      event.preventDefault();
      keep(kept < 0 ? (step > 0 ? 0 : points.length - 1) : (kept + step + points.length) % points.length);
    });
  }

  async function draw(box, { name, spec, rows: rowOfPoint, fields }) {
    const panel = box.parentElement.querySelector('.detail');
    const added = recordsOf(fields);
    const points = rowOfPoint.map((row, id) => ({ ...(row === null ? {} : rows.at(row)), ...added.at(id), id }));
    spec.data.values = points;
    spec.config.background = 'transparent';
    delete spec.title; // the heading above the chart shows the title
    try {
      const actions = { export: true, source: false, compiled: false, editor: false };
      const { view } = await vegaEmbed(box, spec, { renderer: 'svg', actions, downloadFileName: name });
      listen(box, panel, view, points);
      invite(panel);
      (window.bloometryViews ??= {})[name] = view;
    } catch (error) {
      box.replaceChildren(Object.assign(document.createElement('p'), {
        className: 'error', textContent: `This chart could not be drawn: ${error.message}` }));
      console.error(error);
    } finally {
      box.style.height = '';
    }
  }

  // The script draws all charts without waiting for the reader to scroll, so that a picture of the
  // whole page, taken without scrolling, shows every chart. The page is ready when all charts are
  // drawn.
  const boxes = new Map(data.charts.map((chart) => [
    document.querySelector(`[data-chart="${CSS.escape(chart.name)}"]`), chart]));
  const drawn = new Map();
  const drawOnce = (box) => {
    if (!drawn.has(box)) drawn.set(box, draw(box, boxes.get(box)));
    return drawn.get(box);
  };

  // Returns the approximate height of the chart, so that drawing this chart hardly moves the other
  // charts.
  function expectedHeight({ facet, columns, ...spec }) {
    const AXIS = 55; // px, including the titles of the axis and of the view
    const PADDING = 25;
    const { height } = spec.spec ?? spec;
    const viewHeight = height.step ? height.step * spec.encoding.y.sort.length : height;
    return (facet ? Math.ceil(facet.sort.length / columns) : 1) * (viewHeight + AXIS) + PADDING;
  }
  for (const [box, chart] of boxes) box.style.height = `${expectedHeight(chart.spec)}px`;

  // Waits for the next frame. Before the next frame, the browser paints.
  const nextFrame = () => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });

  // Returns the chart without a drawing that is closest to the visible part of the page.
  function nextBox() {
    const distance = (box) => {
      const { top, bottom } = box.getBoundingClientRect();
      return Math.max(top - window.innerHeight, -bottom, 0);
    };
    const left = [...boxes.keys()].filter((box) => !drawn.has(box));
    return left.sort((a, b) => distance(a) - distance(b))[0];
  }

  // Draws the charts of a small page before the browser shows it. On a page that needs longer, the
  // browser paints after each further chart, so that the first charts appear at once.
  async function drawAll() {
    const PATIENCE = 1000; // ms
    const begin = performance.now();
    for (let box; (box = nextBox());) {
      await drawOnce(box);
      if (performance.now() - begin > PATIENCE && !document.hidden) await nextFrame();
    }
    document.documentElement.dataset.ready = 'true';
  }
  drawAll();
  window.bloometryDrawAll = async () => { for (const box of boxes.keys()) await drawOnce(box); };
  window.addEventListener('beforeprint', window.bloometryDrawAll);
})();
