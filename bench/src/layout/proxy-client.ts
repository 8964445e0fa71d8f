import { setTimeout as pause } from 'node:timers/promises'
import { openEventStream, type EventStream } from '@trainyard/platform/test/event-stream.ts'
import { openMessage, openPage, type TestPage } from '@trainyard/remote-access/test/terminal-page.ts'

export interface ProxyClient {
  readonly token: string
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  listen(path: string): Promise<EventStream<unknown>>
  terminal(machine: string): Promise<TestPage>
}

const COOKIE = '__Host-trainyard_session'

/** Signs in like the login page and checks the attributes that browsers require for a cookie with this prefix. */
export async function signIn(url: string, email: string, password: string): Promise<ProxyClient> {
  const reply = await fetch(`${url}/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify({ email, password }),
  })
  const cookie = reply.headers.getSetCookie().find((text) => text.startsWith(`${COOKIE}=`))
  if (!reply.ok || cookie === undefined)
    throw new Error(`${email} could not sign in: ${reply.status} ${await reply.text()}`)
  for (const attribute of ['Secure', 'HttpOnly', 'Path=/']) {
    if (!cookie.includes(attribute)) throw new Error(`The session cookie lacks ${attribute}: ${cookie}`)
  }
  const token = cookie.slice(COOKIE.length + 1, cookie.indexOf(';'))
  const call: ProxyClient['call'] = async (method, path, body) => {
    try {
      const answer = await fetch(url + path, {
        method,
        headers: {
          cookie: `${COOKIE}=${token}`,
          origin: new URL(url).origin,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      })
      const text = await answer.text()
      return { status: answer.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
    } catch {
      return { status: 0, body: null }
    }
  }
  return {
    token,
    call,
    listen: (path) => openEventStream({ token, url }, path),
    async terminal(machine) {
      const { status, body } = await call('POST', '/remote/ticket', { vmName: machine })
      if (status !== 200) throw new Error(`No ticket: ${status} ${JSON.stringify(body)}`)
      const page = await openPage({ url, token })
      page.send(openMessage(machine, (body as { password: string }).password))
      await page.firstMessage('opened')
      while (!page.printed().includes('$ ')) await pause(20)
      return page
    },
  }
}

export async function retryUntil<T>(attempt: () => Promise<T | false>, limit = 120_000): Promise<[number, T]> {
  const startedAt = performance.now()
  let last: unknown
  while (performance.now() - startedAt < limit) {
    const found = await attempt().catch((error: unknown) => {
      last = error
      return false as const
    })
    if (found !== false) return [performance.now() - startedAt, found]
    await pause(50)
  }
  throw new Error(`Timed out after ${limit} ms`, { cause: last })
}
