import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Proof } from '../run/secrets/proof.ts'
import { type Check, type Finding, green, notUsed, red } from './check.ts'
import { clockFinding, timed } from './clock.ts'
import { isLoopback } from '../providers/loopback.ts'

export interface PublicUrlOptions {
  readonly publicUrl: string
  readonly prove: (nonce: string) => Proof
}

export function publicUrlChecks({ publicUrl, prove }: PublicUrlOptions): {
  readonly all: readonly Check[]
  readonly reached: Check
} {
  const group = 'PUBLIC_URL'
  const url = new URL(publicUrl)
  const certificate: Check = {
    group,
    name: 'certificate',
    otherwise: `Configure the reverse proxy at ${url.host} with a certificate for this name from a publicly trusted authority, including intermediate certificates.`,
    run: (signal) => certificateFinding(url, signal),
  }
  const reached: Check = {
    group,
    name: 'this portal',
    otherwise: `Start the portal (npm start, or npm run api), and make ${url.origin} lead to it: check DNS, firewall and reverse proxy.`,
    async run(signal) {
      const nonce = randomBytes(24).toString('base64url')
      const { proof } = await proofAt(publicUrl, nonce, signal)
      return proof?.portal === prove(nonce).portal
        ? green(`${publicUrl} leads to this portal.`)
        : red(
            `The server at ${publicUrl} is not this portal or has other SECRET_KEYS.`,
            'Set PUBLIC_URL to this portal, and use the same SECRET_KEYS for all its processes.',
          )
    },
  }
  const clock: Check = {
    group,
    name: 'clock',
    needs: [reached],
    otherwise: `Check the reverse proxy at ${url.host}.`,
    async run(signal) {
      const { result, ...when } = await timed(() => proofAt(publicUrl, randomBytes(24).toString('base64url'), signal))
      return result.date === null
        ? red(`${url.host} sends no Date header.`, 'Configure the reverse proxy to forward the header.')
        : clockFinding(`The clock of ${url.host}`, result.date, when)
    },
  }
  return { all: [certificate, reached, clock], reached }
}

/**
 * Fetches the proof of a server. Returns null if the server is not a Trainyard portal. Throws if no server responds.
 */
export async function proofAt(
  publicUrl: string,
  nonce: string,
  signal: AbortSignal,
): Promise<{ readonly proof: Partial<Proof> | null; readonly date: Date | null }> {
  const reply = await fetch(`${publicUrl}/api/health/proof?nonce=${nonce}`, { signal, redirect: 'error' }).catch(
    (error: unknown) => {
      throw new Error(`${publicUrl} cannot be fetched: ${reasonOf(error)}.`, { cause: error })
    },
  )
  const text = await reply.text()
  const date = reply.headers.get('date')
  return { proof: proofIn(text), date: date === null ? null : new Date(date) }
}

function proofIn(text: string): Partial<Proof> | null {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' ? read : null
  } catch {
    return null
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (!(cause instanceof Error)) return String(cause)
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message
}

/** Number of days before the expiry of a certificate at which the doctor reports it. */
const DAYS_LEFT = 7
const DAY = 86_400_000

async function certificateFinding(url: URL, signal: AbortSignal): Promise<Finding> {
  if (url.protocol !== 'https:') {
    return isLoopback(url.hostname)
      ? notUsed('The portal is only used on this machine, without https.')
      : red(
          'Passwords are sent unencrypted: PUBLIC_URL does not use https.',
          'Put a reverse proxy with a certificate in front of the portal, and set PUBLIC_URL to its https address.',
        )
  }
  const ends = await certificateEnd(url, signal).catch((error: unknown) => {
    if (error instanceof Unreachable) return error
    throw error
  })
  if (ends instanceof Unreachable)
    return red(ends.message, `Make ${url.host} lead to your reverse proxy: check DNS and firewall.`)
  const days = Math.floor((ends.getTime() - Date.now()) / DAY)
  const day = ends.toISOString().slice(0, 10)
  return days < DAYS_LEFT
    ? red(`The certificate of ${url.host} expires on ${day}.`, 'Renew it now, and check why automatic renewal failed.')
    : green(`The certificate of ${url.host} is trusted and valid until ${day}.`)
}

class Unreachable extends Error {}

/** @throws Error with OpenSSL's reason if the certificate is not trusted; Unreachable if no server responds */
function certificateEnd(url: URL, signal: AbortSignal): Promise<Date> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = connect({
      host,
      port: Number(url.port || 443),
      ...(isIP(host) === 0 ? { servername: host } : {}),
    })
    const disconnect = () => socket.destroy(new Error('it did not respond in time'))
    signal.addEventListener('abort', disconnect)
    socket.once('close', () => signal.removeEventListener('abort', disconnect))
    socket.once('error', (error) => {
      reject(
        'syscall' in error
          ? new Unreachable(`${url.host} cannot be reached: ${reasonOf(error)}.`, { cause: error })
          : new Error(`The certificate of ${url.host} is not trusted: ${reasonOf(error)}.`, { cause: error }),
      )
    })
    socket.once('secureConnect', () => {
      const { valid_to: end } = socket.getPeerCertificate()
      socket.end()
      resolve(new Date(end))
    })
  })
}
