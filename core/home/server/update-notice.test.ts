import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { guardedFetch } from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { productVersion } from '@trainyard/platform/server/config/config.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { checkForUpdate } from './update-notice.ts'

const portal = await sharedPortal()
await createSubjects(portal)
let reply: (response: ServerResponse) => void
const requests: IncomingMessage[] = []
const peer = createServer((request, response) => {
  requests.push(request)
  reply(response)
})
await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`
afterAll(() => {
  peer.closeAllConnections()
  peer.close()
})

const open = { emulator: null, privateHosts: [] }
const check = (
  policy: Parameters<typeof guardedFetch>[0] = { ...open, privateOrigins: [origin] },
  signal?: AbortSignal,
) => checkForUpdate(portal.app.db, `${origin}/versions.json`, guardedFetch(policy), signal)
const publish = (content: unknown) => {
  reply = (response) => response.end(JSON.stringify(content))
}
async function shown(): Promise<unknown> {
  const answer = await portal.request('GET', '/admin/attention', { uid: await portal.sessionOf(PEOPLE.superadmin) })
  return ((await answer.json()) as { update: unknown }).update
}

test('shows a newer version until the portal has it, and sends nothing but its own version', async () => {
  expect(await shown()).toBeNull()
  const newer = { version: '99.1.0', url: 'https://example.com/99.1.0' }
  publish({ ...newer, more: 'ignored' })
  await check()
  expect(await shown()).toEqual(newer)
  const [{ method, url, headers }] = requests as [IncomingMessage]
  expect({ method, url, headers }).toEqual({
    method: 'GET',
    url: `/versions.json?version=${productVersion()}`,
    headers: { host: origin.slice('http://'.length), accept: 'application/json', connection: 'close' },
  })
  publish({ version: productVersion(), url: newer.url })
  await check()
  expect(await shown()).toBeNull()
})

test('a malicious server changes nothing, and the task says what is wrong', async () => {
  const newer = { version: '99.1.0', url: 'https://example.com/99.1.0' }
  publish(newer)
  await check()
  const invalid = /^UPDATE_URL: .* does not answer with a version and its address\.$/
  const answers: [(response: ServerResponse) => void, RegExp][] = [
    [(response) => response.end('<!doctype html><title>Login</title>'), invalid],
    [(response) => response.end(JSON.stringify({ version: '99.2.0', url: 'javascript:alert(1)' })), invalid],
    [(response) => response.end(JSON.stringify({ version: '99.2.0 <b>', url: newer.url })), invalid],
    [(response) => response.end('[]'), invalid],
    [
      (response) => {
        const part = Buffer.alloc(1 << 16, ' ')
        const send = () => {
          while (!response.destroyed && response.write(part));
        }
        response.on('drain', send)
        send()
      },
      /sends more than 512 kB\.$/,
    ],
    [(response) => response.writeHead(302, { location: `${origin}/private` }).end(), /answers 302\.$/],
  ]
  for (const [answer, reason] of answers) {
    reply = answer
    await expect(check()).rejects.toMatchObject({ message: expect.stringMatching(reason), retryAfter: 3600 })
  }
  expect(requests.filter(({ url }) => url === '/private')).toEqual([])
  // A server that never answers.
  reply = () => undefined
  await expect(check(undefined, AbortSignal.timeout(100))).rejects.toThrow(/does not respond\.$/)
  await expect(check(open)).rejects.toThrow('must start with https://')
  const address = `https://127.0.0.1:${origin.split(':')[2]}/`
  await expect(checkForUpdate(portal.app.db, address, guardedFetch(open))).rejects.toThrow(
    'an address of a private network',
  )
  expect(await shown()).toEqual(newer)
})
