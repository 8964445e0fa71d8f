import { request } from 'node:http'
import { expect, test } from 'vitest'
import { sharedTestEmulator } from './test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator()
const { port } = new URL(emulator.url)

const statusOf = (method: string, path: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (reply) => {
      reply.resume()
      resolve(reply.statusCode!)
    })
    sent.on('error', reject)
    sent.end(method === 'POST' ? 'state=1' : undefined)
  })

test.each([
  ['127.0.0.1', 200],
  ['localhost', 200],
  ['[::1]', 200],
  ['management.azure.com', 200],
  ['rebound.evil.test', 421],
  ['127.0.0.1.evil.test', 421],
])('answers requests for the host %s with %i', async (host, status) => {
  for (const name of [host, `${host}:${port}`])
    expect([await statusOf('GET', '/', { host: name }), await statusOf('GET', '/_truth', { host: name })]).toEqual([
      status,
      status,
    ])
})

test('accepts changes from its own pages and from programs only', async () => {
  const host = `127.0.0.1:${port}`
  const clear = (headers: Record<string, string>) => statusOf('DELETE', '/_faults', { host, ...headers })
  const refused: Record<string, string>[] = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: `http://${host}` },
  ]
  for (const headers of refused) expect([headers, await clear(headers)]).toEqual([headers, 403])
  const accepted: Record<string, string>[] = [
    {},
    { origin: `http://${host}` },
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
  ]
  for (const headers of accepted) expect(await clear(headers)).toBeLessThan(300)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  // Pages of a tool send these to an LMS.
  for (const path of ['/lms/auth', '/lms/courses/CS101/content'])
    expect(await statusOf('POST', path, { ...form, host, origin: 'https://tool.test' })).not.toBe(403)
})
