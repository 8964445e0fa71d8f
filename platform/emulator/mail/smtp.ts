import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { domainToASCII } from 'node:url'
import { SMTPServer } from 'smtp-server'
import type { Clock } from '../clock/clock.ts'
import { wholeSecond } from '../clock/clock.ts'
import type { Faults } from '../faults/faults.ts'
import type { Mailbox } from './mailbox.ts'

const maxBytes = 25 * 1024 * 1024

/** Minimum number of recipients that every server must accept, and the maximum of many (RFC 5321, 4.5.3.1.8). */
const maxRecipients = 100

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** Checks the limits of RFC 5321, 4.5.3.1. smtp-server has already checked the syntax. */
function isAddress(address: string): boolean {
  const separator = address.lastIndexOf('@')
  const local = address.slice(0, separator)
  if (separator < 1 || local === '""' || Buffer.byteLength(local) > 64 || address.length - separator > 256) return false
  const domain = address.slice(separator + 1)
  return (
    domain.startsWith('[') ||
    domainToASCII(domain)
      .split('.')
      .every((part) => label.test(part))
  )
}

/** Text of the enhanced status 5.1.1 (RFC 3463, 3.2). */
const unknownMailbox = '5.1.1 The e-mail account that you tried to reach does not exist.'

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })

export interface MailServer {
  readonly port: number
  stop(): Promise<void>
}

export async function startMailServer(
  {
    mailbox,
    clock,
    faults,
    maySend,
  }: {
    readonly mailbox: Mailbox
    readonly clock: Clock
    readonly faults: Faults
    readonly maySend: (user: string, token: string, now: number) => boolean
  },
  { port, host }: { port: number; host: string },
): Promise<MailServer> {
  const server = new SMTPServer({
    banner: 'Trainyard emulator',
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // The emulator offers no TLS. Microsoft 365 accepts a login with TLS only.
    allowInsecureAuth: true,
    authMethods: ['XOAUTH2'],
    onAuth({ username, accessToken }, _session, done) {
      if (maySend(username?.toLowerCase() ?? '', accessToken ?? '', clock.now())) done(null, { user: username })
      else done(refusal(535, '5.7.3 Authentication unsuccessful'))
    },
    disableReverseLookup: true,
    size: maxBytes,
    closeTimeout: 200,
    onRcptTo({ address }, session, done) {
      if (session.envelope.rcptTo.length >= maxRecipients) done(refusal(452, '4.5.3 Too many recipients'))
      else if (!isAddress(address)) done(refusal(501, '5.1.3 Bad recipient address syntax'))
      else {
        const fault = faults.consume('Mail_Recipient', address)
        if (fault?.kind === 'rejectRecipient') done(refusal(Number(fault.code ?? 550), fault.message ?? unknownMailbox))
        else done()
      }
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', done)
      stream.on('end', () => {
        if (stream.sizeExceeded) {
          done(refusal(552, 'The mail is too large.'))
          return
        }
        try {
          const { mailFrom, rcptTo } = session.envelope
          mailbox.store({
            sender: mailFrom === false ? '' : mailFrom.address,
            recipients: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks),
            receivedAt: wholeSecond(clock.now()),
          })
          done(null, 'The emulator keeps it and delivers it to nobody')
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)))
        }
      })
    },
  })
  const listener = server.listen(port, host)
  await Promise.race([
    once(listener, 'listening'),
    once(server, 'error').then(([error]) => {
      throw error
    }),
  ])
  // A broken client connection must not stop the server.
  server.on('error', () => {})
  return {
    port: (listener.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve)
      }),
  }
}
