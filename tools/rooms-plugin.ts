// The oxlint rule that keeps the arrows of tools/rooms.ts: every import of a room, type-only ones included.
import { dirname, relative, resolve, sep } from 'node:path';
import { atomicUpdates } from './atomic-updates.ts';
import { type House, houses } from './rooms.ts';

const workspace = resolve(import.meta.dirname, '..');

/** The room of a file: '' for files of the house in no room, undefined for files outside. */
function roomOf(house: House, file: string): string | undefined {
  const parts = relative(resolve(workspace, house.root), file).split(sep);
  if (parts[0] === '..') return undefined;
  return parts.length === 1 ? '' : parts[0];
}

function ownPackage(specifier: string): boolean {
  return /^(kilter|@kilter\/[^/]+)(\/|$)/.test(specifier);
}

function throughDoor(house: House, room: string, target: string): boolean {
  const root = resolve(workspace, house.root, room);
  return house.withoutDoor.includes(room) || target === resolve(root, 'index.ts');
}

function sameRoom(house: House, from: string, target: string): string | undefined {
  const room = roomOf(house, from) ?? '';
  if (target === resolve(workspace, house.root, room, 'index.ts') && !isTest(from)) {
    return `inside ${room}, import the file itself, not the room's own index.ts`;
  }
  return undefined;
}

function isTest(file: string): boolean {
  return /\.test(-d|-support)?\.ts$/.test(file);
}

export function problem(house: House, from: string, specifier: string): string | undefined {
  const room = roomOf(house, from);
  if (room === undefined || room === '') return undefined;
  const uses = house.rooms[room];
  if (uses === undefined)
    return `${room} is not a room: add it to tools/rooms.ts and ARCHITECTURE.md, or move the file`;
  if (ownPackage(specifier)) {
    const allowed = house.packages.includes(specifier) || isTest(from);
    return allowed
      ? undefined
      : `${room} may not import ${specifier}; it may import: ${house.packages.join(', ') || 'no package of this workspace'}`;
  }
  if (!specifier.startsWith('.')) return undefined;
  const target = resolve(dirname(from), specifier);
  const other = roomOf(house, target);
  if (other === room) return sameRoom(house, from, target);
  if (isTest(from)) return undefined;
  if (other === undefined || other === '') return `${room} may not leave its house: ${specifier}`;
  if (!uses.includes('*') && !uses.includes(other)) {
    return `${room} may not use ${other}; it may use: ${uses.join(', ') || 'nothing'}. Move the code, or change tools/rooms.ts and ARCHITECTURE.md`;
  }
  return throughDoor(house, other, target) ? undefined : `enter ${other} through its index.ts`;
}

interface Context {
  readonly filename: string;
  report(problem: { node: unknown; message: string }): void;
}
interface Import {
  readonly type?: string;
  readonly source?: { readonly value?: unknown } | null;
}

const arrows = {
  create(context: Context): Record<string, (node: Import) => void> {
    const check = (node: Import): void => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      for (const house of houses) {
        const message = problem(house, context.filename, specifier);
        if (message !== undefined) context.report({ node, message });
      }
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

/** Names are listed by hand at every door: a re-export of everything promises by accident. */
const noExportAll = {
  create(context: Context): Record<string, (node: Import) => void> {
    return {
      ExportAllDeclaration: (node) => context.report({ node, message: 'list the exported names; no `export *`' }),
    };
  },
};

interface Member {
  readonly object?: { readonly name?: string };
  readonly property?: { readonly name?: string };
}

/** Process-wide handlers live in the manager's signal file and in programs, nowhere else. */
const noProcessOn = {
  create(context: Context): Record<string, (node: Member) => void> {
    return {
      MemberExpression: (node) => {
        const name = node.property?.name;
        if (node.object?.name === 'process' && (name === 'on' || name === 'once')) {
          context.report({ node, message: 'process.on belongs into manager/signals.ts' });
        }
      },
    };
  },
};

export default {
  meta: { name: 'rooms' },
  rules: { arrows, 'atomic-updates': atomicUpdates, 'no-export-all': noExportAll, 'no-process-on': noProcessOn },
};
