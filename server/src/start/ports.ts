import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A port that a part is going to listen on, with the setting that chooses it. */
export interface PortWanted {
  readonly setting: string
  readonly host: string
  readonly port: number
}

/** A sentence for people about a port that can't be had. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken'
}

/** @param patience ms to wait for a port to become free: a killed start's parts need a moment to end */
export async function assertFree(wanted: readonly PortWanted[], patience: number): Promise<void> {
  const until = Date.now() + patience
  for (const port of wanted) {
    let code = await tryListen(port)
    while (code === 'EADDRINUSE' && Date.now() < until) {
      await pause(50)
      code = await tryListen(port)
    }
    if (code !== null) throw new PortTaken(sentence(port, code))
  }
}

/** Settles once something listens there. */
export async function listening(port: PortWanted, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await answers(port))) await pause(20)
}

function sentence({ setting, host, port }: PortWanted, code: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return (
        `Port ${port} is in use by another program. Stop that program, or choose another port: ` +
        `${setting}=${port < 65_435 ? port + 100 : port - 100} npm start`
      )
    case 'EACCES':
      return `Port ${port} is kept for the system's own services. Choose one above 1023: ${setting}=4000 npm start`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Set HOST to 127.0.0.1, or to 0.0.0.0 for all its addresses.`
    default:
      return `Nothing can listen on ${host} port ${port} (${code}). Choose another with ${setting}.`
  }
}

function tryListen({ host, port }: PortWanted): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

function answers({ host, port }: PortWanted): Promise<boolean> {
  const target = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new Promise((resolve) => {
    const socket = connect({ host: target, port })
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })
}
