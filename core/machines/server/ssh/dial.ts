import { request } from 'node:http'
import { BlockList, connect, isIPv4, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { hasAddress, type MachineAddress, type Routes } from '@trainyard/templates/server/machine-address.ts'
import { ShellError } from './shell-error.ts'

const SSH_PORT = 22
const TIMEOUT_MS = 10_000
/** TCP keep-alive interval, which detects a machine that vanished without closing the connection. */
const KEEPALIVE_MS = 15_000

/**
 * Addresses of this host and of provider metadata services. A machine never has one of them, not even in a private
 * network.
 */
const NEVER = blockListOf([
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['100.100.100.200', 32],
  ['224.0.0.0', 3],
])

/** Addresses in private networks, which are never a cloud machine's public address. */
const PRIVATE = blockListOf([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
])

function blockListOf(networks: readonly (readonly [address: string, prefix: number])[]): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of networks) list.addSubnet(address, prefix)
  return list
}

/** Returns false for names, this host, and provider metadata services. */
export const canBeMachine = (address: string): boolean => isIPv4(address) && !NEVER.check(address)

/**
 * Connects to a machine at its public address, or at a private address in the ranges of its network.
 * @throws ShellError unreachable, noGateway
 */
export async function dial(
  { address, network }: MachineAddress,
  { proxy, gateways = null }: Routes,
  signal: AbortSignal,
  port: number = SSH_PORT,
): Promise<Duplex> {
  if (network === null && (!canBeMachine(address) || PRIVATE.check(address))) {
    throw new ShellError('unreachable', `${address} is not a public address of a cloud machine.`)
  }
  if (network !== null && (!canBeMachine(address) || !hasAddress(network, address))) {
    throw new ShellError('unreachable', `${address} is not in the address ranges of its private network.`)
  }
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  if (network?.route === 'gateway') {
    if (gateways === null) throw new ShellError('noGateway', 'This process reaches no gateway.')
    return gateways.connect(network, address, port, deadline)
  }
  return connectTo(address, port, network?.route === 'host' ? null : proxy, deadline)
}

/** Connects directly or through a proxy, without a check of the address. @throws ShellError unreachable */
export async function connectTo(
  address: string,
  port: number,
  proxy: string | null,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await (proxy === null ? direct(address, port, signal) : connectThrough(proxy, address, port, signal))
  socket.setNoDelay(true)
  socket.setKeepAlive(true, KEEPALIVE_MS)
  return socket
}

function direct(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    // The option `signal` of `connect` would also end an open connection, after the time limit of connecting.
    const abort = () => socket.destroy(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', (cause) => reject(unreachable(host, cause)))
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort)
      resolve(socket)
    })
  })
}

function connectThrough(proxy: string, address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const at = new URL(proxy)
  const login = [at.username, at.password].map(decodeURIComponent).join(':')
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: at.hostname,
      port: at.port === '' ? 80 : Number(at.port),
      method: 'CONNECT',
      path: `${address}:${port}`,
      ...(at.username === ''
        ? {}
        : { headers: { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` } }),
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
      // The machine sends first, possibly in the same packet as the proxy's response.
      socket.unshift(head)
      resolve(socket)
    })
    outgoing.end()
  })
}

const unreachable = (address: string, cause: Error) =>
  new ShellError('unreachable', `${address} could not be reached.`, { cause })
