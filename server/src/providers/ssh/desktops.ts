import type { Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { type Desktop, DesktopError, type Desktops } from '../desktop.ts'
import { ENTRANCES } from '../greeting.ts'
import { ShellError } from '../shell.ts'
import { dial } from './dial.ts'

/** Timeout of the connection confirm, and of the TLS handshake. */
const PATIENCE_MS = 10_000
/** TCP keep-alive interval, which detects a machine that vanished without closing the connection. */
const KEEPALIVE_MS = 15_000
const CHAIN_MOST = 10

/** @param proxy URL of an HTTP proxy to the machines; null: direct */
export function rdpDesktops({ proxy }: { readonly proxy: string | null }): Desktops {
  return {
    async open({ address, isItsCertificate }, request, signal) {
      const socket = await dial(address, proxy, signal, ENTRANCES.Windows.port).catch((cause: unknown) => {
        throw cause instanceof ShellError ? new DesktopError('unreachable', cause.message, { cause }) : cause
      })
      const stop = () => socket.destroy()
      signal.addEventListener('abort', stop, { once: true })
      try {
        socket.setKeepAlive(true, KEEPALIVE_MS)
        const confirm = await confirmed(socket, request)
        if (!choosesTls(confirm)) throw new DesktopError('withoutTls', `${address} does not speak TLS.`)
        const stream = await secured(socket)
        const chain = chainOf(stream)
        if (chain[0] === undefined || !(await isItsCertificate(chain[0]))) {
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

function confirmed(socket: Socket, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let heard = Buffer.alloc(0)
    const settle = (outcome: () => void) => {
      clearTimeout(impatience)
      socket.off('data', hear).off('error', fail).off('close', fail)
      socket.pause()
      outcome()
    }
    const fail = (cause?: unknown) =>
      settle(() => reject(new DesktopError('unreachable', 'The machine did not confirm the connection.', { cause })))
    const hear = (bytes: Buffer) => {
      heard = Buffer.concat([heard, bytes])
      if (heard[0] !== 3) return fail()
      if (heard.length >= 4 && heard.length >= heard.readUInt16BE(2)) settle(() => resolve(heard))
    }
    const impatience = setTimeout(fail, PATIENCE_MS)
    socket.on('data', hear).on('error', fail).on('close', fail)
    socket.write(request)
  })
}

/**
 * Returns true if the machine chose a protocol over TLS: TLS itself, CredSSP, or CredSSP with early authorisation. The
 * response must consist of exactly this packet. Source: MS-RDPBCGR, section 2.2.1.2.1
 */
const choosesTls = (confirm: Buffer): boolean =>
  confirm.length === confirm.readUInt16BE(2) &&
  confirm.length >= 19 &&
  confirm[5] === 0xd0 &&
  confirm[11] === 2 &&
  [1, 2, 8].includes(confirm.readUInt32LE(15))

function secured(socket: Socket): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    // Machines use self-signed certificates. isTrustedCertificate compares them with the pinned one.
    const stream = connect({ socket, rejectUnauthorized: false, minVersion: 'TLSv1.2' })
    const fail = (cause?: unknown) => {
      clearTimeout(impatience)
      stream.destroy()
      reject(new DesktopError('unreachable', 'The TLS handshake with the machine failed.', { cause }))
    }
    const impatience = setTimeout(fail, PATIENCE_MS)
    stream.once('error', fail).once('close', fail)
    stream.once('secureConnect', () => {
      clearTimeout(impatience)
      stream.off('error', fail).off('close', fail)
      resolve(stream)
    })
  })
}

function chainOf(stream: TLSSocket): Buffer[] {
  const chain: Buffer[] = []
  let certificate = stream.getPeerX509Certificate()
  while (certificate !== undefined && chain.length < CHAIN_MOST) {
    chain.push(certificate.raw)
    certificate = certificate.issuerCertificate
  }
  return chain
}
