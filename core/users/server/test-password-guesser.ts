import { Agent, request } from 'node:http'
import { argv, exit, stdout } from 'node:process'

// Runs as a separate process of login-storm.test.ts. Arguments: port, guesses per second, duration in seconds.

const [port, rate, seconds] = argv.slice(2).map(Number) as [number, number, number]
const ADDRESSES = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4']
/**
 * Number of users. With so many users, the guesses reach the limit of an address before the limit of any user.
 */
const ACCOUNTS = 5_000
const TICK_MS = 5

/** Maximum number of pending guesses, so that they do not pile up if the portal stops answering. */
const PENDING_MAX = 2_000

/**
 * Connections by address. Each address has its own connections, so that a waiting guess delays no guess from another
 * address.
 */
const agents = ADDRESSES.map(() => new Agent({ keepAlive: true }))
const byStatus: Record<string, number> = {}
const startedAt = performance.now()
const since = (): number => (performance.now() - startedAt) / 1_000
let sent = 0
let pending = 0

const ticking = setInterval(() => {
  const due = Math.min(since(), seconds) * rate
  for (; sent < due && pending < PENDING_MAX; sent += 1) guess(sent)
  if (since() < seconds) return
  clearInterval(ticking)
  stdout.write(JSON.stringify({ sent, byStatus }), () => exit())
}, TICK_MS)

function guess(number: number): void {
  pending += 1
  const from = number % ADDRESSES.length
  const sentRequest = request(
    {
      agent: agents[from]!,
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/api/user/login',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ADDRESSES[from]! },
    },
    (reply) => reply.resume().on('end', () => count(String(reply.statusCode))),
  )
  sentRequest.on('error', () => count('broke'))
  sentRequest.end(JSON.stringify({ email: `guessed${number % ACCOUNTS}@portal.test`, password: `guess ${number}` }))
}

function count(status: string): void {
  pending -= 1
  byStatus[status] = (byStatus[status] ?? 0) + 1
}
