import { setTimeout as pause } from 'node:timers/promises'
import { hear, type Heard } from '@trainyard/server/test/event-stream.ts'
import { openMessage, openPage, type TestPage } from '@trainyard/server/test/terminal-page.ts'

/** Somebody who comes through the proxy, with the cookie that a browser would keep. */
export interface Visitor {
  readonly token: string
  /** Answers status and body; 0 where nobody answered. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  listen(path: string): Promise<Heard<unknown>>
  /** Opens a terminal on a machine and settles when it prompts. */
  terminal(machine: string): Promise<TestPage>
}

const COOKIE = '__Host-trainyard_session'

/** Signs in as the login page does, and holds the cookie against what browsers ask of one with its prefix. */
export async function signIn(url: string, email: string, password: string): Promise<Visitor> {
  const reply = await fetch(`${url}/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify({ email, password }),
  })
  const cookie = reply.headers.getSetCookie().find((text) => text.startsWith(`${COOKIE}=`))
  if (!reply.ok || cookie === undefined)
    throw new Error(`${email} is not let in: ${reply.status} ${await reply.text()}`)
  for (const word of ['Secure', 'HttpOnly', 'Path=/']) {
    if (!cookie.includes(word)) throw new Error(`The session's cookie is not ${word}: ${cookie}`)
  }
  const token = cookie.slice(COOKIE.length + 1, cookie.indexOf(';'))
  const ask: Visitor['ask'] = async (method, path, body) => {
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
    ask,
    listen: (path) => hear({ token, url }, path),
    async terminal(machine) {
      const { status, body } = await ask('POST', '/remote/ticket', { vmName: machine })
      if (status !== 200) throw new Error(`No ticket: ${status} ${JSON.stringify(body)}`)
      const page = await openPage({ url, token })
      page.send(openMessage(machine, (body as { password: string }).password))
      await page.told('opened')
      while (!page.printed().includes('$ ')) await pause(20)
      return page
    },
  }
}

/** Tries until it works, at most so long; answers the milliseconds that it took. */
export async function untilWorks<T>(attempt: () => Promise<T | false>, limit = 120_000): Promise<[number, T]> {
  const began = performance.now()
  let last: unknown
  while (performance.now() - began < limit) {
    const found = await attempt().catch((error: unknown) => {
      last = error
      return false as const
    })
    if (found !== false) return [performance.now() - began, found]
    await pause(50)
  }
  throw new Error(`Waited ${limit} ms in vain`, { cause: last })
}
