import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** A call of a load client, as it is sent again and again. */
export interface LoadCall {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly body?: object
  /** Address of the client, as the portal's proxy reports it. */
  readonly address?: string
}

/** Arguments of the process, as JSON. */
export type LoadArguments =
  /**
   * Makes the calls in turn, `perSecond`, in `phases` of `seconds`. Prints a line at the start of each phase, and at the
   * end the phase, the duration in ms and the status of each call.
   */
  | {
      readonly measure: readonly LoadCall[]
      readonly url: string
      readonly perSecond: number
      readonly seconds: number
      readonly phases: number
    }
  /** Makes the calls until the process is killed. */
  | { readonly attack: readonly Attack[]; readonly url: string }

type Measurement = Extract<LoadArguments, { measure: unknown }>

export interface Measured {
  readonly phase: number
  readonly ms: number
  readonly status: number | null
}

export interface Attack {
  readonly connections: number
  readonly call: LoadCall
  /**
   * `repeat` sends the next call after each reply, `unread` never reads the reply, `unfinished` sends one byte of the
   * body, and `upgrade` opens a WebSocket.
   */
  readonly how: 'repeat' | 'unread' | 'unfinished' | 'upgrade'
}

/** Time in which an attack opens its connections. */
const OPENING_MS = 5_000

const given = JSON.parse(process.argv[2]!) as LoadArguments
const { hostname, port, host } = new URL(given.url)

const headersOf = ({ token, address, body }: LoadCall) => ({
  host,
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(address !== undefined && { 'x-forwarded-for': address }),
  ...(body !== undefined && { 'content-type': 'application/json' }),
})

/** Returns the status of the reply, or null for a closed connection. */
function send(call: LoadCall, agent: Agent, isRead = true): Promise<number | null> {
  return new Promise((resolve) => {
    const options = { agent, hostname, port, method: call.method, path: `/api${call.path}`, headers: headersOf(call) }
    const sent = request(options, (reply) => {
      if (isRead) reply.resume().on('close', () => resolve(reply.statusCode!))
      else reply.on('close', () => resolve(null))
    })
    sent.on('error', () => resolve(null))
    sent.end(call.body === undefined ? undefined : JSON.stringify(call.body))
  })
}

async function sendRaw(call: LoadCall, how: 'unfinished' | 'upgrade'): Promise<void> {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const more =
    how === 'unfinished'
      ? ['content-length: 1000']
      : ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', `origin: http://${host}`]
  const names = Object.entries(headersOf(call)).map(([name, value]) => `${name}: ${value}`)
  const key = how === 'upgrade' ? ['sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='] : []
  socket.write(`${[`${call.method} /api${call.path} HTTP/1.1`, ...names, ...more, ...key].join('\r\n')}\r\n\r\n`)
  if (how === 'unfinished') socket.write('{')
  socket.resume()
  await once(socket, 'close')
}

async function attack({ connections, call, how }: Attack): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const one = async (index: number) => {
    await sleep((index / connections) * OPENING_MS)
    for (;;) {
      if (how === 'repeat') await send(call, agent)
      else if (how === 'unread') await send(call, agent, false)
      else await sendRaw(call, how)
      // A refused connection is opened again without exhausting this process.
      await sleep(how === 'repeat' ? 0 : 100)
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, index) => one(index)))
}

async function measure({ measure: calls, perSecond, seconds, phases }: Measurement): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const replies: Promise<Measured>[] = []
  const start = performance.now()
  const perPhase = perSecond * seconds
  for (let n = 0; n < phases * perPhase; n += 1) {
    if (n % perPhase === 0) process.stdout.write('phase\n')
    await sleep(Math.max(0, start + (n * 1_000) / perSecond - performance.now()))
    const sentAt = performance.now()
    const reply = send(calls[n % calls.length]!, agent)
    const phase = Math.floor(n / perPhase)
    replies.push(reply.then((status) => ({ phase, ms: performance.now() - sentAt, status })))
  }
  process.stdout.write(JSON.stringify(await Promise.all(replies)))
  agent.destroy()
}

if ('measure' in given) await measure(given)
else {
  // Attackers use the processors of other machines.
  setPriority(constants.priority.PRIORITY_LOW)
  // Sockets that are not read do not keep a process alive.
  setInterval(() => {}, 60_000)
  const all = given.attack.map(attack)
  process.stdout.write('started\n')
  await Promise.all(all)
}
