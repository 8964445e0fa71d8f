import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyText, overHttp, requestHandler, type WireReply, type WireRequest } from './wire.ts'

const REQUEST: WireRequest = {
  method: 'POST',
  protocol: 'https:',
  hostname: 'iam.amazonaws.com',
  path: '/',
  headers: {},
  body: 'Action=GetUser',
}
const XML = { 'content-type': 'text/xml' }
const JSON_1_1 = { 'content-type': 'application/x-amz-json-1.1' }
const GOOD = '<GetUserResponse xmlns="x"><GetUserResult/></GetUserResponse>'

const answered = (reply: WireReply, request: Partial<WireRequest> = {}) =>
  requestHandler(async () => reply, 1_000).handle({ ...REQUEST, ...request })

describe('a response', () => {
  test.each<[string, number, Record<string, string>, string]>([
    ['of XML', 200, XML, GOOD],
    ['with a prologue and an end of line', 200, XML, `<?xml version="1.0"?>\n${GOOD}\n`],
    ['of JSON', 200, JSON_1_1, '{"Accounts":[]}'],
    ['of JSON that is empty', 200, JSON_1_1, ''],
    // The SDK reads an error response in any format.
    ['that is a failure', 404, { 'content-type': 'text/html' }, '<html>'],
    ['that leads elsewhere', 300, {}, ''],
  ])('is returned unchanged: %s', async (_, status, headers, body) => {
    const { response } = await answered({ status, headers, body })
    expect({ ...response, body: response.body.toString() }).toEqual({ statusCode: status, headers, body })
  })

  test.each<[string, Record<string, string>, string]>([
    ['half of one', XML, GOOD.slice(0, -1)],
    ['the page of some proxy', { 'content-type': 'text/html' }, '<html></html>'],
    ['XML that is no reply', XML, '<html></html>'],
    ['half of one in JSON', JSON_1_1, '{"Accounts":['],
    ['one of no type', {}, GOOD],
  ])('is rejected as unreadable: %s', async (_, headers, body) => {
    await expect(answered({ status: 200, headers, body })).rejects.toMatchObject({ kind: 'unreachable' })
  })
})

test('does not send a request whose path is not /', async () => {
  const sent: WireRequest[] = []
  const handler = requestHandler(async (request) => {
    sent.push(request)
    return { status: 200, headers: XML, body: GOOD }
  }, 1_000)
  await expect(handler.handle({ ...REQUEST, path: '/../other' })).rejects.toMatchObject({ kind: 'refused' })
  expect(sent).toEqual([])
  await handler.handle(REQUEST)
  expect(sent).toEqual([REQUEST])
})

test.each([
  ['with the caller', 240_000, () => AbortSignal.timeout(10)],
  ['by itself', 10, undefined],
  ['by itself, though the caller has time', 10, () => new AbortController().signal],
])('ends a call without a response: %s', async (_, limit, caller) => {
  const handler = requestHandler(
    (_request, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    limit,
  )
  await expect(handler.handle(REQUEST, { ...(caller && { abortSignal: caller() }) })).rejects.toThrow(/timeout/)
})

test.each([
  ['Action=a', 'Action=a'],
  [new TextEncoder().encode('{"é":1}'), '{"é":1}'],
  [undefined, ''],
  [{}, ''],
])('sends the body %s as %j', (body, text) => {
  expect(bodyText({ ...REQUEST, body })).toBe(text)
})

describe('the HTTP transport', () => {
  const seen: { url?: string; headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      seen.push({ ...(request.url === undefined ? {} : { url: request.url }), headers: request.headers, body })
      if (body === 'away') response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
      else response.writeHead(400, { 'x-amzn-requestid': 'r-1' }).end('no')
    })
  })
  let port: number
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())
  const send = (overrides: Partial<WireRequest>) =>
    overHttp({ ...REQUEST, protocol: 'http:', hostname: '127.0.0.1', port, ...overrides }, AbortSignal.timeout(10_000))

  test('sends a request as it was signed, and returns the whole response', async () => {
    const headers = { host: 'elsewhere', 'content-length': '999', 'x-signed': 'yes' }
    expect(await send({ headers, path: '/?a=b' })).toMatchObject({
      status: 400,
      body: 'no',
      headers: { 'x-amzn-requestid': 'r-1' },
    })
    expect(seen.at(-1)).toMatchObject({
      url: '/?a=b',
      body: 'Action=GetUser',
      headers: { host: `127.0.0.1:${port}`, 'content-length': '14', 'x-signed': 'yes' },
    })
  })

  test('does not follow redirects', async () => {
    await expect(send({ body: 'away' })).rejects.toThrow('fetch failed')
  })
})
