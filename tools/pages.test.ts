import { expect, test } from 'vitest';
import { missingOf, pages } from './pages.ts';

test('what the pages for readers name exists: links, scripts, error codes, metrics, flags, files', () => {
  const all = Object.entries(pages());
  expect(all.length).toBeGreaterThan(25);
  expect(all.flatMap(([page, text]) => missingOf(page, text))).toEqual([]);
});

test('what does not exist is found', () => {
  const page = [
    '# Here',
    '[there](nowhere.md) [heading](#here) [no heading](#gone) [other](caches.md#indexes) [none](caches.md#none)',
    '`npm run demo` `npm run damo`, `CLIENT_CONFLICT` `CLIENT_CONFLICTS` `NODE_OPTIONS`',
    '`kilter_cache_bytes` `kilter_cache_bites`, `--leader-elect` `--leader-elected` `--save-dev`',
    '`tools/pages.ts` `tools/page.ts`',
  ].join('\n');
  expect(missingOf('docs/guide/planted.md', page)).toEqual([
    'docs/guide/planted.md: link nowhere.md',
    'docs/guide/planted.md: link #gone',
    'docs/guide/planted.md: link caches.md#none',
    'docs/guide/planted.md: script damo',
    'docs/guide/planted.md: code CLIENT_CONFLICTS',
    'docs/guide/planted.md: metric kilter_cache_bites',
    'docs/guide/planted.md: flag leader-elected',
    'docs/guide/planted.md: file tools/page.ts',
  ]);
});
