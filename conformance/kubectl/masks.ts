// What may differ between two runs of one command, each with its reason. All else is compared.

interface Mask {
  readonly pattern: RegExp;
  readonly becomes: string;
  readonly because: string;
}

/** The letters and digits of generated names and hashes. */
const generated = '[bcdfghjklmnpqrstvwxz2456789]';

export const masks: readonly Mask[] = [
  { pattern: /https:\/\/127\.0\.0\.1:\d+/g, becomes: '<server>', because: 'each server has a port of its own' },
  { pattern: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, becomes: '<uid>', because: 'chance' },
  { pattern: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, becomes: '<time>', because: 'when it ran' },
  { pattern: /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, becomes: '<time>', because: 'when it ran' },
  { pattern: /(resourceVersion"?: ?")\d+/g, becomes: '$1<rv>', because: 'counts everything that is stored' },
  {
    pattern: new RegExp(`-(?:${generated}{8,10})-(?:${generated}{5})(?![\\w-])`, 'g'),
    becomes: '-<hash>-<id>',
    because: 'a hash of the memory layout of the template, and chance',
  },
  { pattern: new RegExp(`-(?:${generated}{8,10})(?![\\w-])`, 'g'), becomes: '-<hash>', because: 'as above' },
  { pattern: /(pod-template-hash["']?[=:] ?"?)\w+/g, becomes: '$1<hash>', because: 'as above' },
  { pattern: /\b\d{1,3}(?:\.\d{1,3}){3}\b/g, becomes: '<ip>', because: 'allocated at random' },
  { pattern: /\b3[0-2]\d{3}\b/g, becomes: '<port>', because: 'a node port, allocated at random' },
  { pattern: /\bv1\.\d+\.\d+[\w.+-]*/g, becomes: '<version>', because: 'the version is not what is compared' },
  { pattern: /(?<![\w.-])(?:\d+[smhd]){1,2}(?![\w-])/g, becomes: '<age>', because: 'how long ago' },
  { pattern: /(Resource Version: +)\d+/g, becomes: '$1<rv>', because: 'as above' },
  {
    pattern: new RegExp(`debugger-${generated}{5}`, 'g'),
    becomes: 'debugger-<id>',
    because: 'chosen at random by kubectl',
  },
  { pattern: /^Waiting for [^\n]*\n/gm, becomes: '', because: 'how often it looks depends on time' },
  {
    pattern: /^pod\/web-<hash>-<id> condition met\n/gm,
    becomes: '',
    because: 'one that is gone before kubectl looks is not waited for',
  },
  { pattern: /^Events:[^]*$/m, becomes: 'Events: <masked>\n', because: 'which have come by then depends on time' },
  { pattern: /<unknown>(?= *\n)/g, becomes: '<age>', because: 'how long ago, within the second' },
];

/** The text without what may differ; columns are as wide as what was masked in them, so that spaces do not count. */
export function masked(text: string, nodes: readonly string[]): string {
  let result = text;
  for (const node of nodes) result = result.replaceAll(node, '<node>');
  for (const { pattern, becomes } of masks) result = result.replace(pattern, becomes);
  return result
    .replaceAll(/[ \t]{2,}/g, '  ')
    .replaceAll(/ +\n/g, '\n')
    .replaceAll(/-{4,}/g, '---');
}
