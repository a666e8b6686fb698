// The page with plots: one file, nothing loaded from anywhere.
import { shown } from '../harness/figures.ts';
import { ratioTo, type Shown, summaries, type Summary } from './summary.ts';

const colors: Readonly<Record<string, string>> = {
  kilter: '#2563eb',
  'controller-runtime': '#0d9488',
  'kube-rs': '#c2410c',
  'client-node': '#7c3aed',
  polled: '#c2410c',
};
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const size = { label: 150, bar: 420, row: 24, width: 760 };

function bar(all: readonly Summary[], one: Summary, place: { y: number; most: number }): string {
  const { y, most } = place;
  const at = (value: number): number => size.label + (Math.max(0, value) / most) * size.bar;
  const ratio = ratioTo(all, one);
  const text = `${shown(one.median)}${ratio === '' ? '' : ` · ${ratio}`}`;
  const middle = y + size.row / 2;
  return `<text x="${size.label - 8}" y="${middle + 4}" text-anchor="end">${escaped(one.contestant)}</text>
<rect x="${size.label}" y="${y + 4}" width="${Math.max(1, at(one.median) - size.label).toFixed(1)}" height="${size.row - 8}" fill="${colors[one.contestant] ?? '#666'}"><title>${escaped(`${one.contestant}: ${shown(one.median)} (${shown(one.low)} to ${shown(one.high)})`)}</title></rect>
<line class="spread" x1="${at(one.low).toFixed(1)}" x2="${at(one.high).toFixed(1)}" y1="${middle}" y2="${middle}"/>
<text x="${(at(Math.max(one.high, one.median)) + 8).toFixed(1)}" y="${middle + 4}">${escaped(text)}</text>`;
}

function plot(result: Shown, figure: { name: string; unit: string }): string {
  const all = summaries(result, figure.name);
  if (all.length === 0) return '';
  const most = Math.max(...all.map(({ high }) => high), 1e-9);
  const bars = all.map((one, i) => bar(all, one, { y: i * size.row, most }));
  const title = `${figure.name}, ${figure.unit}`;
  return `<figure><figcaption>${escaped(title)}</figcaption><svg viewBox="0 0 ${size.width} ${all.length * size.row}" role="img" aria-label="${escaped(title)}">${bars.join('\n')}</svg></figure>`;
}

function section(result: Shown): string {
  const { scenario, outcomes } = result;
  const missing = outcomes
    .filter(({ notRun }) => notRun !== undefined)
    .map(({ contestant, notRun }) => `<li>not run: ${escaped(contestant)} (${escaped(notRun ?? '')})</li>`);
  const plots = scenario.figures.map((figure) => plot(result, figure)).join('\n');
  return `<section id="${escaped(scenario.name)}"><h2>${escaped(scenario.title)}</h2><p>${escaped(scenario.how)}</p>${plots}${missing.length > 0 ? `<ul>${missing.join('')}</ul>` : ''}</section>`;
}

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:820px;margin:2rem auto;padding:0 1rem;color:#1f2937;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin:2.2rem 0 .3rem}p{margin:.3rem 0 1rem;color:#4b5563}
figure{margin:0 0 .8rem}figcaption{font-weight:600;font-size:.85rem}svg{width:100%;height:auto;display:block}
svg text{font:12px system-ui,sans-serif;fill:#374151}svg .spread{stroke:#111827;stroke-width:1.5}ul{color:#6b7280;padding-left:1.2rem}
@media(prefers-color-scheme:dark){body{background:#111827;color:#e5e7eb}p,ul{color:#9ca3af}svg text{fill:#d1d5db}svg .spread{stroke:#f9fafb}}`;

export function reportPage(results: readonly Shown[], { title, about }: { title: string; about: string }): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style></head>
<body><h1>${escaped(title)}</h1><p>${escaped(about)} Bars are medians, lines the spread of all rounds; less is better everywhere, and the factor is how much more another takes than Kilter.</p>
${results.map(section).join('\n')}
</body></html>
`;
}
