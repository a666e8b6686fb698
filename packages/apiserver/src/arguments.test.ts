import { describe, expect, test } from 'vitest';
import { help, parseArguments, parseUsers } from './arguments.ts';

const plain = {
  act: 'serve',
  port: 0,
  kubeconfig: '.kilter/apiserver/kubeconfig',
  users: undefined,
  snapshot: undefined,
  authorization: 'AlwaysAllow',
  workloads: true,
  nodes: 1,
};

describe('the command line', () => {
  test.each<[string, string[], object]>([
    ['nothing', [], plain],
    ['a port', ['--port', '6443'], { ...plain, port: 6443 }],
    ['with an equals sign', ['--nodes=3'], { ...plain, nodes: 3 }],
    ['RBAC', ['--authorization-mode=RBAC'], { ...plain, authorization: 'RBAC' }],
    ['no workloads', ['--no-workloads'], { ...plain, workloads: false }],
    [
      'files',
      ['--kubeconfig', 'k', '--users', 'u', '--snapshot', 's'],
      { ...plain, kubeconfig: 'k', users: 'u', snapshot: 's' },
    ],
    ['help beside others', ['--port', '1', '--help'], { act: 'help' }],
  ])('%s', (_, args, request) => {
    expect(parseArguments(args)).toEqual(request);
  });

  test.each<[string, string[], string]>([
    ['an invalid port', ['--port', 'x'], '--port x is not a port: give a number from 0 to 65535'],
    ['a port too high', ['--port', '65536'], 'give a number from 0 to 65535'],
    ['no name of a snapshot', ['--snapshot='], '--snapshot needs the name of a file'],
    ['no name of users', ['--users='], '--users needs the name of a file'],
    ['no name of a kubeconfig', ['--kubeconfig='], '--kubeconfig needs the name of a file'],
    ['a negative count', ['--nodes=-1'], 'give a number from 0 to 1000'],
    ['an unknown flag', ['--prot', '1'], "Unknown option '--prot'"],
    ['an argument', ['start'], "Unexpected argument 'start'"],
    ['a flag without its value', ['--port'], "Option '--port <value>' argument missing"],
    ['nodes without workloads', ['--no-workloads', '--nodes', '2'], '--nodes has no effect with --no-workloads'],
  ])('%s is refused with a cure', (_, args, message) => {
    const request = parseArguments(args);
    expect(request).toEqual({ act: 'refuse', message: expect.stringContaining(message) as string });
    expect(request).toHaveProperty('message', expect.stringContaining('--help'));
  });

  test('the help names every flag', () => {
    for (const flag of ['--port', '--kubeconfig', '--users', '--snapshot', '--no-workloads', '--nodes', '--help'])
      expect(help).toContain(flag);
  });
});

describe('a file of users', () => {
  test('is that of --token-auth-file', () => {
    expect(parseUsers('# people\nt1,alice,1,"dev,ops"\n\nt2,bob,2\r\nt3,eve,,team\n')).toEqual({
      t1: { name: 'alice', uid: '1', groups: ['dev', 'ops'] },
      t2: { name: 'bob', uid: '2', groups: [] },
      t3: { name: 'eve', groups: ['team'] },
    });
  });

  test.each([
    ['token', 1],
    ['ok,name,1\ntoken,name', 2],
    [',name,1', 1],
  ])('%j is refused by its line', (text, line) => {
    expect(parseUsers(text)).toEqual({ problem: `line ${line} is not token,name,uid,"group1,group2"` });
  });
});
