import { request } from 'node:http'
import { BlockList, connect, isIPv4, type Socket } from 'node:net'
import { ShellError } from '../shell.ts'

const SSH_PORT = 22
const TIMEOUT_MS = 10_000

/** This host, private networks and provider metadata services: never a cloud machine's public address. */
const NOT_PUBLIC = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['168.63.129.16', 32],
  ['224.0.0.0', 3],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix)
}

/**
 * @param proxy URL of an HTTP proxy (CONNECT); null: direct
 * @throws ShellError unreachable
 */
export async function dial(
  address: string,
  proxy: string | null,
  signal: AbortSignal,
  port: number = SSH_PORT,
): Promise<Socket> {
  if (!isIPv4(address) || NOT_PUBLIC.check(address)) {
    throw new ShellError('unreachable', `${address} is not a public address of a cloud machine.`)
  }
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  const socket = await (proxy === null ? direct(address, port, deadline) : through(proxy, address, port, deadline))
  socket.setNoDelay(true)
  return socket
}

function direct(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal })
    socket.once('error', (cause) => reject(unreachable(host, cause)))
    socket.once('connect', () => resolve(socket))
  })
}

function through(proxy: string, address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const at = new URL(proxy)
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: at.hostname,
      port: at.port === '' ? 80 : Number(at.port),
      method: 'CONNECT',
      path: `${address}:${port}`,
      agent: false,
      signal,
    })
    outgoing.once('error', (cause) => reject(unreachable(address, cause)))
    outgoing.once('response', (reply) =>
      reject(unreachable(address, new Error(`The proxy answered ${reply.statusCode}.`))),
    )
    outgoing.once('connect', (reply, socket, head) => {
      if (reply.statusCode !== 200) {
        socket.destroy()
        reject(unreachable(address, new Error(`The proxy answered ${reply.statusCode}.`)))
        return
      }
      // The machine speaks first, possibly in the same packet as the proxy's response.
      socket.unshift(head)
      resolve(socket)
    })
    outgoing.end()
  })
}

const unreachable = (address: string, cause: Error) =>
  new ShellError('unreachable', `${address} could not be reached.`, { cause })
