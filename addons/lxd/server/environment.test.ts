import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '@trainyard/platform/server/config/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'lxd-config-'))
afterAll(() => rmSync(folder, { recursive: true }))
const read = (env: NodeJS.ProcessEnv) => readConfig({ TRAINYARD_DATA: folder, ...env }).config
const tls = {
  LXD_URL: 'https://lxd.example.com:8443',
  LXD_CLIENT_CERTIFICATE_PATH: 'portal.pem',
  LXD_SERVER_CERTIFICATE_PATH: 'server.pem',
}

test('has no LXD and stays a demo without settings', () => {
  expect(read({})).toMatchObject({ lxd: null, demo: true })
})

test('is no demo with real machines, and connects to them directly', () => {
  const { lxd, demo, remote, emulator } = read({ LXD_SOCKET: '/run/lxd', LXD_SIZES: 'small=1:512:5, large=4:8192:40' })
  expect({ demo, sshProxy: remote.sshProxy }).toEqual({ demo: false, sshProxy: null })
  // It still has the mailbox.
  expect(emulator.needed).toBe(true)
  expect(lxd).toMatchObject({
    at: { kind: 'socket', path: '/run/lxd' },
    project: 'default',
    sizes: [
      { name: 'small', cores: 1, memoryMb: 512, diskGb: 5 },
      { name: 'large', cores: 4, memoryMb: 8192, diskGb: 40 },
    ],
  })
})

test('is a demo with emulated Azure and real machines with DEMO_PROVIDER, and listens on this host only', () => {
  const demo = { DEMO_PROVIDER: 'lxd' }
  expect(read(demo)).toMatchObject({
    demo: true,
    azure: { emulated: true },
    lxd: { at: { kind: 'socket', path: '/var/lib/lxd/unix.socket' } },
  })
  expect(read({ ...demo, LXD_SOCKET: '/run/lxd' }).lxd?.at).toEqual({ kind: 'socket', path: '/run/lxd' })
  expect(() => read({ ...demo, HOST: '0.0.0.0' })).toThrow('HOST is 0.0.0.0, and this portal has demo accounts')
  expect(() => read({ DEMO_PROVIDER: 'other' })).toThrow('must be lxd')
})

test('reads a server on another host', () => {
  expect(read({ ...tls, LXD_CLOSED_RANGES: '198.51.100.0/24' }).lxd).toMatchObject({
    at: { kind: 'tls', url: tls.LXD_URL, serverCertificatePath: 'server.pem' },
    closedRanges: ['198.51.100.0/24'],
  })
})

test.each([
  [{ LXD_URL: tls.LXD_URL }, 'LXD_CLIENT_CERTIFICATE_PATH and LXD_SERVER_CERTIFICATE_PATH must be set too'],
  [{ ...tls, LXD_SOCKET: '/run/lxd' }, 'Set only one of LXD_SOCKET and LXD_URL.'],
  [{ LXD_SOCKET: '/run/lxd', LXD_SIZES: 'small=1' }, 'must be sizes like small=1:1024:10'],
  [{ LXD_SOCKET: '/run/lxd', LXD_CLOSED_RANGES: 'x' }, 'must be IPv4 prefixes'],
])('refuses %j', (env, message) => {
  expect(() => read(env)).toThrow(message)
})
