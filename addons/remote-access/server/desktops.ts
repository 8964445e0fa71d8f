import type { Duplex } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import { type Desktop, DesktopError, type Desktops } from './desktop.ts'
import type { Routes } from '@trainyard/templates/server/machine-address.ts'
import { REMOTE_PROTOCOLS } from '@trainyard/machines/server/ssh/probe.ts'
import { ShellError } from '@trainyard/machines/server/ssh/shell-error.ts'
import { dial } from '@trainyard/machines/server/ssh/dial.ts'

const TIMEOUT_MS = 10_000
const CHAIN_MAX = 10

export function rdpDesktops(routes: Routes): Desktops {
  return {
    async open({ address, network, isTrustedCertificate }, request, signal) {
      const socket = await dial({ address, network }, routes, signal, REMOTE_PROTOCOLS.Windows.port).catch(
        (cause: unknown) => {
          if (!(cause instanceof ShellError)) throw cause
          const kind = cause.kind === 'noGateway' ? 'noGateway' : 'unreachable'
          throw new DesktopError(kind, cause.message, { cause })
        },
      )
      const stop = () => socket.destroy()
      signal.addEventListener('abort', stop, { once: true })
      try {
        const confirm = await readConfirm(socket, request)
        if (!choosesTls(confirm)) throw new DesktopError('withoutTls', `${address} does not speak TLS.`)
        const stream = await startTls(socket)
        const chain = chainOf(stream)
        if (chain[0] === undefined || !(await isTrustedCertificate(chain[0]))) {
          throw new DesktopError('otherCertificate', `${address} presented a different certificate.`)
        }
        return { confirm, chain, stream } satisfies Desktop
      } catch (error) {
        socket.destroy()
        throw error
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

function readConfirm(socket: Duplex, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const settle = (outcome: () => void) => {
      clearTimeout(timeout)
      socket.off('data', onData).off('error', fail).off('close', fail)
      socket.pause()
      outcome()
    }
    const fail = (cause?: unknown) =>
      settle(() => reject(new DesktopError('unreachable', 'The machine did not confirm the connection.', { cause })))
    const onData = (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      if (received[0] !== 3) return fail()
      if (received.length >= 4 && received.length >= received.readUInt16BE(2)) settle(() => resolve(received))
    }
    const timeout = setTimeout(fail, TIMEOUT_MS)
    socket.on('data', onData).on('error', fail).on('close', fail)
    socket.write(request)
  })
}

/** TLS, CredSSP, or CredSSP with early authorisation (MS-RDPBCGR, section 2.2.1.2.1), and no other data. */
const choosesTls = (confirm: Buffer): boolean =>
  confirm.length === confirm.readUInt16BE(2) &&
  confirm.length >= 19 &&
  confirm[5] === 0xd0 &&
  confirm[11] === 2 &&
  [1, 2, 8].includes(confirm.readUInt32LE(15))

function startTls(socket: Duplex): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    // Machines use self-signed certificates. isTrustedCertificate compares them with the pinned one.
    const stream = connect({ socket, rejectUnauthorized: false, minVersion: 'TLSv1.2' })
    const fail = (cause?: unknown) => {
      clearTimeout(timeout)
      stream.destroy()
      reject(new DesktopError('unreachable', 'The TLS handshake with the machine failed.', { cause }))
    }
    const timeout = setTimeout(fail, TIMEOUT_MS)
    stream.once('error', fail).once('close', fail)
    stream.once('secureConnect', () => {
      clearTimeout(timeout)
      stream.off('error', fail).off('close', fail)
      resolve(stream)
    })
  })
}

function chainOf(stream: TLSSocket): Buffer[] {
  const chain: Buffer[] = []
  let certificate = stream.getPeerX509Certificate()
  while (certificate !== undefined && chain.length < CHAIN_MAX) {
    chain.push(certificate.raw)
    certificate = certificate.issuerCertificate
  }
  return chain
}
