import type { Duplex } from 'node:stream'
import { REMOTE_PROTOCOLS, type AccessProbe } from './probe.ts'
import type { Routes } from '@trainyard/templates/server/machine-address.ts'
import { ShellError } from './shell-error.ts'
import { dial } from './dial.ts'

const TIMEOUT_MS = 5_000

/** The server sends its version first, possibly after other lines (RFC 4253, section 4.2). */
const SSH_GREETING = /^(?:[^\r\n]{0,255}\r?\n){0,20}?SSH-(?:2\.0|1\.99)-/
const SSH_MAX_BYTES = 8_192

/** Connection request of X.224 that offers TLS and CredSSP (MS-RDPBCGR, sections 2.2.1.1 and 2.2.1.2). */
const RDP_REQUEST = Buffer.from('030000130ee000000000000100080003000000', 'hex')
const isRdpConfirm = (bytes: Buffer): boolean => bytes[0] === 3 && bytes[1] === 0 && bytes[5] === 0xd0

export function accessProbe(routes: Routes): AccessProbe {
  return {
    async responds(at, os, signal) {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      try {
        const socket = await dial(at, routes, deadline, REMOTE_PROTOCOLS[os].port)
        try {
          return await (os === 'Windows' ? rdpGreets(socket, deadline) : sshGreets(socket, deadline))
        } finally {
          socket.destroy()
        }
      } catch (error) {
        if (error instanceof ShellError) return false
        throw error
      }
    },
  }
}

const sshGreets = (socket: Duplex, signal: AbortSignal) =>
  readUntil(socket, signal, (received) => {
    if (SSH_GREETING.test(received.toString('latin1'))) return true
    return received.length >= SSH_MAX_BYTES ? false : null
  })

function rdpGreets(socket: Duplex, signal: AbortSignal): Promise<boolean> {
  socket.write(RDP_REQUEST)
  return readUntil(socket, signal, (received) => (received.length < 6 ? null : isRdpConfirm(received)))
}

function readUntil(
  socket: Duplex,
  signal: AbortSignal,
  decide: (received: Buffer) => boolean | null,
): Promise<boolean> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    const fail = () => resolve(false)
    signal.addEventListener('abort', fail, { once: true })
    socket.on('error', fail).on('close', fail)
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      const verdict = decide(received)
      if (verdict !== null) resolve(verdict)
    })
  })
}
