import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { Clock } from '#src/clock/clock.ts'
import { wholeSecond } from '#src/clock/clock.ts'
import type { Mailbox } from '#src/mail/mailbox.ts'

const largest = 25 * 1024 * 1024

export interface MailServer {
  readonly port: number
  stop(): Promise<void>
}

/** Takes every mail for everybody; says 250 when the mail is on disk and not before. */
export async function startMailServer(
  mailbox: Mailbox,
  clock: Clock,
  { port, host }: { port: number; host: string },
): Promise<MailServer> {
  const server = new SMTPServer({
    banner: 'Trainyard emulator',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: largest,
    closeTimeout: 200,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', done)
      stream.on('end', () => {
        if (stream.sizeExceeded) {
          done(Object.assign(new Error('The mail is too large.'), { responseCode: 552 }))
          return
        }
        try {
          const { mailFrom, rcptTo } = session.envelope
          mailbox.take({
            sender: mailFrom === false ? '' : mailFrom.address,
            recipients: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks),
            receivedAt: wholeSecond(clock.now()),
          })
          done()
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
  // A client that breaks its connection off is no event for the whole server.
  server.on('error', () => {})
  return {
    port: (listener.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve)
      }),
  }
}
