import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Proof } from '../secrets/proof.ts'
import { type Check, type Finding, green, notUsed, red } from './check.ts'
import { clockFinding, timed } from './clock.ts'
import { isLoopback } from '../providers/loopback.ts'

export interface PublicUrlOptions {
  readonly publicUrl: string
  readonly prove: (nonce: string) => Proof
}

/** Checks that PUBLIC_URL leads to this very portal, by a certificate that browsers believe. */
export function publicUrlChecks({ publicUrl, prove }: PublicUrlOptions): {
  readonly all: readonly Check[]
  readonly reached: Check
} {
  const group = 'PUBLIC_URL'
  const url = new URL(publicUrl)
  const certificate: Check = {
    group,
    name: 'certificate',
    otherwise: `Let the reverse proxy at ${url.host} serve a certificate for that name, from an authority that browsers know, with its intermediate certificates.`,
    run: (signal) => certificateFinding(url, signal),
  }
  const reached: Check = {
    group,
    name: 'this very portal',
    otherwise: `Start the portal (npm start; under systemd trainyard-api), and let ${url.origin} lead to it: name, firewall, reverse proxy.`,
    async run(signal) {
      const nonce = randomBytes(24).toString('base64url')
      const { proof } = await proofAt(publicUrl, nonce, signal)
      return proof?.portal === prove(nonce).portal
        ? green(`${publicUrl} leads to this portal.`)
        : red(
            `What answers at ${publicUrl} is not this portal, or has other SECRET_KEYS.`,
            'Let PUBLIC_URL name this portal, and give all its processes the same SECRET_KEYS.',
          )
    },
  }
  const clock: Check = {
    group,
    name: 'clock',
    needs: [reached],
    otherwise: `Look at the reverse proxy at ${url.host}.`,
    async run(signal) {
      const { result, ...when } = await timed(() => proofAt(publicUrl, randomBytes(24).toString('base64url'), signal))
      return result.date === null
        ? red(`${url.host} sends no Date header.`, 'Let the reverse proxy pass the header on.')
        : clockFinding(`The clock of ${url.host}`, result.date, when)
    },
  }
  return { all: [certificate, reached, clock], reached }
}

/** Asks whoever answers there for a proof; null: it is none of ours. Throws when nobody answers. */
export async function proofAt(
  publicUrl: string,
  nonce: string,
  signal: AbortSignal,
): Promise<{ readonly proof: Partial<Proof> | null; readonly date: Date | null }> {
  const reply = await fetch(`${publicUrl}/api/health/proof?nonce=${nonce}`, { signal, redirect: 'error' }).catch(
    (error: unknown) => {
      throw new Error(`${publicUrl} can not be fetched: ${reasonOf(error)}.`, { cause: error })
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

/** fetch hides why it failed in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (!(cause instanceof Error)) return String(cause)
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message
}

/** Days before its end that a certificate should long have been renewed. */
const DAYS_LEFT = 7
const DAY = 86_400_000

async function certificateFinding(url: URL, signal: AbortSignal): Promise<Finding> {
  if (url.protocol !== 'https:') {
    return isLoopback(url.hostname)
      ? notUsed('People on this machine alone use it, without https.')
      : red(
          'People send their passwords there in clear: it is no https.',
          'Put a reverse proxy with a certificate in front of the portal, and let PUBLIC_URL begin with https.',
        )
  }
  const ends = await certificateEnd(url, signal).catch((error: unknown) => {
    if (error instanceof Unreachable) return error
    throw error
  })
  if (ends instanceof Unreachable)
    return red(ends.message, `Let ${url.host} lead to your reverse proxy: name, firewall.`)
  const days = Math.floor((ends.getTime() - Date.now()) / DAY)
  const day = ends.toISOString().slice(0, 10)
  return days < DAYS_LEFT
    ? red(`The certificate of ${url.host} ends on ${day}.`, 'Renew it now, and see why that was not done by itself.')
    : green(`The certificate of ${url.host} is believed, and good until ${day}.`)
}

/** Nobody was there to show a certificate. */
class Unreachable extends Error {}

/** The end of a certificate that Node believes for this name. Throws with OpenSSL's reason when it does not, or Unreachable. */
function certificateEnd(url: URL, signal: AbortSignal): Promise<Date> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = connect({
      host,
      port: Number(url.port || 443),
      ...(isIP(host) === 0 ? { servername: host } : {}),
    })
    const leave = () => socket.destroy(new Error('it does not answer in time'))
    signal.addEventListener('abort', leave)
    socket.once('close', () => signal.removeEventListener('abort', leave))
    socket.once('error', (error) => {
      reject(
        'syscall' in error
          ? new Unreachable(`${url.host} can not be reached: ${reasonOf(error)}.`, { cause: error })
          : new Error(`The certificate of ${url.host} is not believed: ${reasonOf(error)}.`, { cause: error }),
      )
    })
    socket.once('secureConnect', () => {
      const { valid_to: end } = socket.getPeerCertificate()
      socket.end()
      resolve(new Date(end))
    })
  })
}
