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
import { applyDueAnswers } from '#src/razorpay/bank.ts'
import { Database } from '#src/record/database.ts'
import { Settings } from '#src/record/settings.ts'
import { applyWorld, type WorldName } from '#src/worlds.ts'
import { buildServer } from '#src/server.ts'

export interface EmulatorOptions {
  /** Port of HTTP, and of DNS over UDP. 0: any free port. Default: 4010. */
  port?: number
  /** Port of SMTP. 0: any free port. Default: 4025. */
  smtpPort?: number
  dataDir: string
  /** Factor on the duration of long-running operations. Default: 1. With 0 they end at once. */
  latency?: number
  /** Mode of the clock. Default: the mode of the last run in this folder, in the first run `real`. */
  clock?: ClockMode
  host?: string
  /** Address that receives Razorpay's events. Default: the address of the last run; in the first run, there is none. */
  webhookUrl?: string
  /** Ready-made subscription. Default: the subscription of the last run; in the first run, `open`. */
  world?: WorldName
}

export interface Emulator {
  readonly port: number
  readonly smtpPort: number
  readonly url: string
  stop(): Promise<void>
}

export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { port = 4010, smtpPort = 4025, dataDir, latency = 1, host = '127.0.0.1' } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = new Database(join(dataDir, 'cloud.db'), 'normal')
  const mailDatabase = new Database(join(dataDir, 'mail.db'), 'full')
  const paymentDatabase = new Database(join(dataDir, 'payments.db'), 'normal')
  const settings = new Settings(database)
  const clock = new Clock(settings, options.clock)
  const cloud = openAzure(database, settings, latency)
  if (options.world !== undefined) applyWorld(cloud, options.world)
  const mailbox = new Mailbox(mailDatabase)
  const faults = new Faults(database)
  const context = { cloud, clock, faults }
  const razorpay = openRazorpay({ database: paymentDatabase, settings, clock, faults, latency })
  if (options.webhookUrl !== undefined) {
    razorpay.webhooks.url = options.webhookUrl
    razorpay.webhooks.active = true
  }
  const server = buildServer(
    context,
    azureOperations(cloud),
    mailbox,
    new Aws(database, clock.now(), latency),
    razorpay,
  )
  const close = async (): Promise<void> => {
    await razorpay.webhooks.stop()
    await server.close()
    cloud.calls.write()
    database.close()
    paymentDatabase.close()
    mailDatabase.close()
  }
  try {
    await server.listen({ port, host })
    razorpay.webhooks.start(() => applyDueAnswers(razorpay))
    const mail = await startMailServer(mailbox, clock, faults, settings, { port: smtpPort, host })
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
