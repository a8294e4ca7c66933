// render.mjs (IN.vl.json OUT.svg)...: draws each chart as SVG with the runtime that the page uses.
// vega-cli would want a canvas that is downloaded; the browser bundles run in plain node.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const here = dirname(fileURLToPath(import.meta.url));
for (const name of ['vega', 'vega-lite']) {
  const file = join(here, 'node_modules', name, 'build', `${name}.min.js`);
  vm.runInThisContext(readFileSync(file, 'utf8'), { filename: file });
}
const { vega, vegaLite } = globalThis;

// A chart holds its data; nothing is loaded from anywhere.
const loader = { load: async (uri) => { throw new Error(`charts load nothing, asked for ${uri}`); },
  sanitize: async (uri) => ({ href: uri }) };

async function draw(input, output) {
  const spec = vegaLite.compile(JSON.parse(readFileSync(input, 'utf8'))).spec;
  const view = new vega.View(vega.parse(spec), { renderer: 'none', loader, logLevel: vega.Warn });
  writeFileSync(output, await view.toSVG());
  view.finalize();
}

const files = process.argv.slice(2);
for (let i = 0; i + 1 < files.length; i += 2) await draw(files[i], files[i + 1]);
