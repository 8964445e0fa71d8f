import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Aws } from '#src/aws/aws.ts'
import { azureOperations, openAzure } from '#src/azure/azure.ts'
import { Clock, type ClockMode } from '#src/clock/clock.ts'
import { Faults } from '#src/faults/faults.ts'
import { Mailbox } from '#src/mail/mailbox.ts'
import { startMailServer } from '#src/mail/smtp.ts'
import { openRazorpay } from '#src/razorpay/account.ts'
import { settle } from '#src/razorpay/bank.ts'
import { Book } from '#src/record/book.ts'
import { Settings } from '#src/record/settings.ts'
import { buildServer } from '#src/server.ts'

export interface EmulatorOptions {
  /** HTTP: the providers' interfaces, the control surface, the pages; DNS over UDP. 0: any free port. Default 4010. */
  port?: number
  /** Default 4025; 0: any free port. */
  smtpPort?: number
  /** Folder of the durable record; made when missing. */
  dataDir: string
  /** Factor on what long operations take. Default 1; 0: done in the same moment. */
  latency?: number
  /** Left out: as it was when the emulator last ran on this folder, at first `real`. */
  clock?: ClockMode
  /** Default 127.0.0.1. */
  host?: string
  /** Where Razorpay's events go. Left out: as it was, at first nowhere. */
  webhookUrl?: string
}

export interface Emulator {
  readonly port: number
  readonly smtpPort: number
  readonly url: string
  stop(): Promise<void>
}

/** The far end, running. Rejects when a port is taken. */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { port = 4010, smtpPort = 4025, dataDir, latency = 1, host = '127.0.0.1' } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const book = new Book(join(dataDir, 'cloud.db'), 'normal')
  const mailBook = new Book(join(dataDir, 'mail.db'), 'full')
  const paymentsBook = new Book(join(dataDir, 'payments.db'), 'normal')
  const settings = new Settings(book)
  const clock = new Clock(settings, options.clock)
  const cloud = openAzure(book, settings, latency)
  const mailbox = new Mailbox(mailBook)
  const faults = new Faults(book)
  const front = { cloud, clock, faults }
  const razorpay = openRazorpay({ book: paymentsBook, settings, clock, faults, latency })
  if (options.webhookUrl !== undefined) {
    razorpay.webhooks.url = options.webhookUrl
    razorpay.webhooks.active = true
  }
  const server = buildServer(front, azureOperations(cloud), mailbox, new Aws(book, clock.now(), latency), razorpay)
  const close = async (): Promise<void> => {
    await razorpay.webhooks.stop()
    await server.close()
    cloud.calls.write()
    book.close()
    paymentsBook.close()
    mailBook.close()
  }
  try {
    await server.listen({ port, host })
    razorpay.webhooks.start(() => settle(razorpay))
    const mail = await startMailServer(mailbox, clock, { port: smtpPort, host })
    const actual = (server.server.address() as AddressInfo).port
    return {
      port: actual,
      smtpPort: mail.port,
      url: `http://${host}:${actual}`,
      stop: async () => {
        await mail.stop()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
