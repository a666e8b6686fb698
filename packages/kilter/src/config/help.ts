import { type Setting, settings, type Settings } from './settings.ts';

/** A variable others define and that is honoured, too. */
export interface InputVariable {
  readonly names: readonly string[];
  readonly help: string;
}

/** What is read of the environment beside the variables of the settings. */
export const inputVariables: readonly InputVariable[] = [
  {
    names: ['KUBECONFIG'],
    help: 'Kubeconfig files, merged as kubectl merges them: the first file that sets a value wins.',
  },
  {
    names: ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
    help: 'The proxy for the API server, unless the kubeconfig names one, and the hosts reached without a proxy; also in lower case.',
  },
  { names: ['POD_NAMESPACE'], help: 'The namespace of this pod: where the Lease is.' },
  {
    names: ['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'],
    help: 'The API server, as the kubelet tells every pod; used with the service account where there is no kubeconfig.',
  },
  { names: ['NO_COLOR'], help: 'If set to anything, log lines at a terminal have no colours.' },
];

function settingLines(setting: Setting, code: Settings): string[] {
  const {
    flags: [flag = '', ...others],
    value,
    variable,
    help,
    name,
  } = setting;
  // What this program does without the flag, which is what its code says before it is the table's default.
  const otherwise = code[name] === undefined ? setting.default : String(code[name]);
  const also = others.map((other) => `, --${other}`).join('');
  return [
    `  --${flag}${also}${value === undefined ? '' : ` ${value}`}`,
    `      ${help} [$${variable}; default: ${otherwise}]`,
  ];
}

function variableLines({ names, help }: InputVariable): string[] {
  return [`  ${names.map((name) => `$${name}`).join(', ')}`, `      ${help}`];
}

/** What `--help` prints, with the defaults of this program. */
export function helpText(program: string, code: Settings = {}): string {
  return [
    `Usage: ${program} [flags]`,
    '',
    'A flag wins over its environment variable, which wins over what the program sets.',
    '',
    ...settings.flatMap((setting) => settingLines(setting, code)),
    '  --help',
    '      Print this and exit.',
    '',
    'Also read from the environment:',
    '',
    ...inputVariables.flatMap(variableLines),
    '',
  ].join('\n');
}
