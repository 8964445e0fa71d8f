import { readdirSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { makeAuthority } from '@trainyard/platform/server/doctor/test-certificate.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { lxdClient } from './client.ts'
import { replay, standIn } from '../test/stand-in.ts'

const signal = AbortSignal.timeout(60_000)
const RECORDED = new URL('../test/recorded/', import.meta.url)

/** Errors of the client by the daemon's text, from all recorded conversations. */
const errors = new Map<string, CloudError>()
let succeeded = 0

beforeAll(async () => {
  for (const name of readdirSync(RECORDED)) {
    const daemon = await replay(new URL(name, RECORDED))
    const client = lxdClient({ kind: 'socket', path: daemon.path }, 'default')
    for (const { method, path, body } of daemon.replies) {
      const { pathname, searchParams } = new URL(path, 'http://lxd')
      if (!pathname.startsWith('/1.0') || pathname.endsWith('/wait')) continue
      try {
        await client.send('replay', pathname.slice(5), { method, query: Object.fromEntries(searchParams) }, signal)
        succeeded++
      } catch (error) {
        if (!(error instanceof CloudError)) throw new Error(`${name} ${method} ${path}`, { cause: error })
        const { message } = (error.cause ?? {}) as { message?: string }
        errors.set(message ?? body.error ?? error.message, error)
      }
    }
    await daemon.close()
  }
})

test('reads every recorded conversation, and finds the failures of operations that are read with status 200', () => {
  expect(succeeded).toBeGreaterThan(50)
  expect(errors.size).toBeGreaterThan(40)
})

test.each([
  ['This "instances" entry already exists', 'conflict', false],
  ['Instance is busy running a "create" operation', 'conflict', false],
  ['Image alias not found', 'refused', true],
  ['Image not provided for instance creation', 'refused', true],
  ['Failed getting remote image info', 'unreachable', false],
  ['Must specify one of alias', 'refused', true],
  ["doesn't match instance type", 'refused', true],
  ['is not supported on this server', 'refused', true],
  ['Invalid instance name: Name must not start with a number', 'refused', true],
  ['Invalid value: lots', 'refused', true],
  ['Unknown configuration key: nosuch', 'refused', true],
  ['Requested profile "nosuch"', 'refused', true],
  ['Storage pool not found', 'refused', true],
  ['Instance storage pool not found', 'conflict', false],
  ['Disk quota exceeded', 'refused', true],
  ["Provided instance type doesn't exist", 'refused', true],
  ['Privileged containers are forbidden', 'refused', true],
  ['Network not allowed in project', 'unauthorised', false],
  ['not authorized', 'unauthorised', false],
  ['The instance is already running', 'conflict', false],
  ['The instance is already stopped', 'conflict', false],
  ['Failed shutting down instance', 'conflict', false],
  ["The container isn't running", 'conflict', false],
  ['Instance is frozen', 'conflict', false],
  ["can't be cancelled", 'conflict', false],
  ['Instance not found', 'conflict', false],
  ['Alias already exists', 'conflict', false],
  ['The network ACL already exists', 'conflict', false],
  ['Missing event connection with target cluster member', 'unreachable', false],
  ['Unable to connect to: 127.0.0.1:8452', 'unreachable', false],
] as const)('reports the recorded text %j as %s', (text, kind, final) => {
  const found = [...errors].filter(([message]) => message.includes(text)).map(([, error]) => error)
  expect(found.length).toBeGreaterThan(0)
  // "Instance storage pool not found" contains the text of another refusal.
  expect(found.some((error) => error.kind === kind && error.final === final)).toBe(true)
})

let daemon: Awaited<ReturnType<typeof standIn>> | null = null
afterEach(async () => {
  await daemon?.close()
  daemon = null
})

test('reports an operation that the daemon has forgotten as an unknown outcome', async () => {
  daemon = await standIn()
  const { operations } = daemon
  const client = lxdClient({ kind: 'socket', path: daemon.path }, 'default')
  // The daemon was restarted between the two requests.
  daemon.failures.push({ on: /state/, text: '', effect: () => setImmediate(() => operations.clear()) })
  const body = { action: 'start' }
  await expect(client.send('start it', 'instances/a/state', { method: 'PUT', body }, signal)).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'LXD no longer knows the outcome of the request to start it.',
  })
})

test('reports a resource in an unknown project as an error, not as absent', async () => {
  daemon = await standIn()
  const client = lxdClient({ kind: 'socket', path: daemon.path }, 'nosuch')
  await expect(client.find('read it', 'instances/a', {}, signal)).rejects.toMatchObject({ kind: 'unauthorised' })
  const known = lxdClient({ kind: 'socket', path: daemon.path }, 'default')
  expect(await known.find('read it', 'instances/a', {}, signal)).toBeNull()
})

test('reports a daemon that does not answer as unreachable', async () => {
  const client = lxdClient({ kind: 'socket', path: '/nonexistent/unix.socket' }, 'default')
  await expect(client.send('read it', '', {}, signal)).rejects.toMatchObject({ kind: 'unreachable' })
})

test('connects by TLS with its certificate, only to the server with the pinned one', async () => {
  const [server, portal] = [makeAuthority(), makeAuthority()]
  const seen: string[] = []
  const listener = createServer(
    { cert: server.cert, key: server.key, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      seen.push((request.socket as TLSSocket).getPeerX509Certificate()!.toString())
      response.end(JSON.stringify({ type: 'sync', metadata: {} }))
    },
  )
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const { cert: certificate, key } = portal
  const clientFor = (serverCertificate: string) =>
    lxdClient({ kind: 'tls', url, certificate, key, serverCertificate }, 'default')
  await clientFor(server.cert).send('read it', '', {}, signal)
  expect(seen).toEqual([certificate])
  await expect(clientFor(makeAuthority().cert).send('read it', '', {}, signal)).rejects.toMatchObject({
    kind: 'unreachable',
  })
  listener.setSecureContext(server.certify('lxd.test', 30))
  await expect(clientFor(server.cert).send('read it', '', {}, signal)).rejects.toThrow('another certificate')
  expect(seen).toHaveLength(1)
  listener.closeAllConnections()
  await new Promise((resolve) => listener.close(resolve))
})
