import { type Setting, settings } from './settings.ts';

/** A variable others define and that is honoured, too. */
export interface InputVariable {
  readonly names: readonly string[];
  readonly help: string;
}

/** What is read of the environment beside the variables of the settings. */
export const inputVariables: readonly InputVariable[] = [
  { names: ['KUBECONFIG'], help: 'Kubeconfig files, merged as kubectl merges them: the first to say something wins.' },
  {
    names: ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
    help: 'The proxy to the API server, unless the kubeconfig names one, and the hosts reached without; also in lower case.',
  },
  { names: ['POD_NAMESPACE'], help: 'The namespace of this pod: where the Lease is.' },
  {
    names: ['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'],
    help: 'The API server, as the kubelet tells every pod; used with the service account where there is no kubeconfig.',
  },
];

function settingLines({ flags: [flag = '', ...others], value, variable, help, default: otherwise }: Setting): string[] {
  const also = others.map((other) => `, --${other}`).join('');
  return [
    `  --${flag}${also}${value === undefined ? '' : ` ${value}`}`,
    `      ${help} [$${variable}; default: ${otherwise}]`,
  ];
}

function variableLines({ names, help }: InputVariable): string[] {
  return [`  ${names.map((name) => `$${name}`).join(', ')}`, `      ${help}`];
}

/** What `--help` prints. */
export function helpText(program: string): string {
  return [
    `Usage: ${program} [flags]`,
    '',
    'A flag wins over its environment variable, which wins over what the program sets.',
    '',
    ...settings.flatMap(settingLines),
    '  --help',
    '      Print this and exit.',
    '',
    'Also read from the environment:',
    '',
    ...inputVariables.flatMap(variableLines),
    '',
  ].join('\n');
}
