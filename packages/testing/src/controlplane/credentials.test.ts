import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { clientCertificate, tokenTable, writeClusterCredentials, writeEtcdCredentials } from './credentials.ts';
import { clusterFiles, etcdFiles } from './flags.ts';

const folder = mkdtempSync(join(tmpdir(), 'kilter-cluster-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const now = Date.now();

describe('credentials of a cluster', () => {
  const files = clusterFiles(folder);
  const authority = writeClusterCredentials(files, now);
  const read = (path: string): string => readFileSync(path, 'utf8');

  test('the server is known by the names it is called by', () => {
    const certificate = new X509Certificate(read(files.certificate));
    expect(certificate.checkIssued(new X509Certificate(authority.certificate))).toBe(true);
    expect(certificate.checkIP('127.0.0.1')).toBeDefined();
    expect(certificate.checkHost('localhost')).toBeDefined();
    expect(certificate.checkHost('kubernetes.default.svc')).toBeDefined();
  });

  test('a client certificate carries name and groups', () => {
    const { certificate, key } = clientCertificate(authority, { name: 'jane', groups: ['devs', 'qa'], now });
    expect(new X509Certificate(certificate).subject).toBe('O=devs\nO=qa\nCN=jane');
    expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });

  test('service accounts have a key of their own, in the form Kubernetes reads', () => {
    expect(read(files.serviceAccountKey)).toMatch(/^-----BEGIN EC PRIVATE KEY-----/);
  });

  test.each(['authority', 'authorityKey', 'key', 'serviceAccountKey'] as const)('%s is for its owner alone', (name) => {
    expect(statSync(files[name]).mode & 0o077).toBe(0);
  });

  test('etcd and its clients are of one authority, each for its own use', () => {
    const etcd = etcdFiles(mkdtempSync(join(folder, 'etcd-')));
    const tls = writeEtcdCredentials(etcd, now);
    const ca = new X509Certificate(tls.ca);
    for (const path of [etcd.certificate, etcd.clientCertificate]) {
      expect(new X509Certificate(read(path)).checkIssued(ca)).toBe(true);
    }
    expect(new X509Certificate(read(etcd.certificate)).keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(new X509Certificate(read(etcd.clientCertificate)).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  });

  test('the token table quotes what it must, and who has no groups has no column for them', () => {
    const text = tokenTable({ t1: { name: 'jane', groups: ['devs', 'qa'] }, t2: { name: 'a "b", c' } });
    expect(text).toBe('"t1","jane","jane","devs,qa"\n"t2","a ""b"", c","a ""b"", c"\n');
  });
});
