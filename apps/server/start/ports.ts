import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface RequiredPort {
  readonly setting: string
  readonly host: string
  readonly port: number
}

class PortTaken extends Error {
  override readonly name = 'PortTaken'
}

/** Milliseconds to wait for a port, because an ended process frees its ports after a moment. */
const FREE_MS = 5_000

/** Throws if a port is in use. */
export async function assertFree(requested: readonly RequiredPort[]): Promise<void> {
  const until = Date.now() + FREE_MS
  for (const port of requested) {
    let code = await tryListen(port)
    while (code === 'EADDRINUSE' && Date.now() < until) {
      await pause(50)
      code = await tryListen(port)
    }
    if (code !== null) throw new PortTaken(sentence(port, code, 'start'))
  }
}

export function explainListenError(port: RequiredPort, part: string, error: unknown): unknown {
  const { syscall, code = '' } = error as NodeJS.ErrnoException
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error
  return new PortTaken(sentence(port, code, part), { cause: error })
}

function sentence({ setting, host, port }: RequiredPort, code: string, part: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return (
        `Port ${port} is in use by another program. Stop that program, or choose another port: ` +
        `${setting}=${port < 65_435 ? port + 100 : port - 100} ${npm(part)}`
      )
    case 'EACCES':
      return `Port ${port} is reserved for system services. Choose a port above 1023: ${setting}=4000 ${npm(part)}`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.`
    default:
      return `Cannot listen on ${host} port ${port} (${code}). Choose another with ${setting}.`
  }
}

const npm = (part: string): string => (part === 'start' ? 'npm start' : `npm run ${part}`)

function tryListen({ host, port }: RequiredPort): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
