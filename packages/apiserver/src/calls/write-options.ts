import { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import { forbiddenField, invalidOptions, invalidValue, required, tooLong, unsupported } from '../status/index.ts';
import type { Issue } from '../values/index.ts';
import type { Call } from './call.ts';

/** What a write asks for beside its object. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Who is recorded as the owner of the fields: `fieldManager`, or the User-Agent up to its first slash. */
  readonly manager: string;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** Of an apply: take fields from other managers. */
  readonly force: boolean;
  /** What the client wrote of them, as admission receives it; nothing for writes of the server's own. */
  readonly sent?: JsonObject | undefined;
}

const maxManagerBytes = 128;
const validations = ['', 'Ignore', 'Strict', 'Warn'];

export function dryRunIssues(values: readonly string[]): Issue[] {
  return values.every((value) => value === 'All') ? [] : [unsupported('dryRun', [...values], ['All'])];
}

/** The first character Go's unicode.IsPrint refuses: controls, format characters, and every space but the plain one. */
const unprintable = /[^\P{C}]|[^\P{Z} ]/u;

function managerIssues(manager: string): Issue[] {
  const found = unprintable.exec(manager);
  const code = found?.[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  const at = Buffer.byteLength(manager.slice(0, found?.index ?? 0));
  return [
    ...(Buffer.byteLength(manager) > maxManagerBytes ? [tooLong('fieldManager', maxManagerBytes)] : []),
    ...(found === null
      ? []
      : [invalidValue('fieldManager', manager, `invalid character U+${code} (at position ${at})`)]),
  ];
}

function applyIssues({ query, patchType, verb }: Call): Issue[] {
  if (verb !== 'patch') return [];
  if (patchType !== 'apply') {
    return query.has('force') ? [forbiddenField('force', 'may not be specified for non-apply patch')] : [];
  }
  return query.get('fieldManager') ? [] : [required('fieldManager', 'is required for apply patch')];
}

/** The User-Agent up to its first slash, as far as it is printable and short enough for a manager. */
function agentName(userAgent: string): string {
  let name = '';
  for (const character of userAgent.split('/', 1)[0] ?? '') {
    if (unprintable.test(character)) continue;
    if (Buffer.byteLength(name + character) > maxManagerBytes) break;
    name += character;
  }
  return name;
}

const optionsKind = { create: 'CreateOptions', update: 'UpdateOptions', patch: 'PatchOptions' } as const;

/** The options of a create, update or patch, or a refusal that names each wrong one. */
export function writeOptions(call: Call): WriteOptions {
  const { query, userAgent, verb } = call;
  const manager = query.get('fieldManager') ?? '';
  const validation = query.get('fieldValidation') ?? '';
  const issues = [
    ...applyIssues(call),
    ...managerIssues(manager),
    ...dryRunIssues(query.getAll('dryRun')),
    ...(validations.includes(validation) ? [] : [unsupported('fieldValidation', validation, validations)]),
  ];
  const kind = verb === 'create' || verb === 'update' || verb === 'patch' ? optionsKind[verb] : 'UpdateOptions';
  if (issues.length > 0) throw invalidOptions(kind, issues);
  return {
    dryRun: query.has('dryRun'),
    manager: manager === '' ? agentName(userAgent) : manager,
    fieldValidation: validation === '' ? 'Warn' : (validation as WriteOptions['fieldValidation']),
    force: isTrue(query.get('force')),
    sent: {
      ...(query.has('dryRun') && { dryRun: query.getAll('dryRun') }),
      ...(manager !== '' && { fieldManager: manager }),
      ...(validation !== '' && { fieldValidation: validation }),
    },
  };
}

/** How the server reads a boolean parameter: any word but these is true, the bare parameter included. */
export function isTrue(value: string | null): boolean {
  return value !== null && !['false', '0'].includes(value.toLowerCase());
}
