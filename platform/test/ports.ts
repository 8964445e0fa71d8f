import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** First port, below the system's ephemeral ports, which are 32768 and up on Linux, and 49152 and up elsewhere. */
const FIRST = 20_000
const LAST = 32_000
const given = new Set<number>()

/**
 * Returns a free port of this host for a process that a test starts, kills and restarts. It is not an ephemeral port,
 * so no other connection can take it in the meantime. Never returns the same port twice.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(FIRST, LAST)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
  throw new Error(`Found no free port from ${FIRST} to ${LAST}.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
