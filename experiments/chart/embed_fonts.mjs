// embedFonts(svgs) returns the pictures with an embedded subset of the font DejaVu Sans, which contains the letters of
// the pictures. Machines without this font therefore show the same pictures. The Python package fontTools makes one
// subset of the font for all pictures of a call.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = '/usr/share/fonts/truetype/dejavu';
const PYTHON = '/usr/bin/python3';
const FONTS = [
  { file: 'DejaVuSans.ttf', weight: 'normal', isUsed: () => true },
  { file: 'DejaVuSans-Bold.ttf', weight: 'bold', isUsed: (svg) => /font-weight="(bold|[6-9]00)"/.test(svg) },
];

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text) => text.replace(/&(\w+);/g, (all, name) => ENTITIES[name] ?? all);

function lettersOf(svgs) {
  const letters = new Set(' ');
  for (const svg of svgs) {
    for (const [, text] of svg.matchAll(/<t(?:ext|span)\b[^>]*>([^<]+)</g)) {
      for (const letter of unescaped(text)) letters.add(letter);
    }
  }
  return [...letters].sort().join('');
}

function subset(file, letters, folder) {
  const font = join(FOLDER, file);
  if (!existsSync(font)) throw new Error(`cannot embed ${file} in svg: not in ${FOLDER} (Debian: fonts-dejavu-core)`);
  const output = join(folder, `${file}.woff`);
  const run = spawnSync(PYTHON, ['-m', 'fontTools.subset', font, `--text=${letters}`, '--flavor=woff',
    '--layout-features=', `--output-file=${output}`], { encoding: 'utf8' });
  if (run.status !== 0) {
    const why = run.error?.message ?? run.stderr.trim().split('\n').at(-1);
    throw new Error(`cannot embed ${file} in svg: ${why} (Debian: python3-fonttools)`);
  }
  return readFileSync(output).toString('base64');
}

export function embedFonts(svgs) {
  const letters = lettersOf(svgs);
  const folder = mkdtempSync(join(tmpdir(), 'bloometry-fonts-'));
  try {
    const faces = FONTS.map(({ file, weight, isUsed }) => {
      if (!svgs.some(isUsed)) return { isUsed, face: '' };
      const data = subset(file, letters, folder);
      return { isUsed, face: `@font-face{font-family:"DejaVu Sans";font-weight:${weight};`
        + `src:url(data:font/woff;base64,${data}) format("woff")}` };
    });
    return svgs.map((svg) => {
      const style = faces.filter(({ isUsed }) => isUsed(svg)).map(({ face }) => face).join('');
      return svg.replace('>', () => `><defs><style>${style}</style></defs>`);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
