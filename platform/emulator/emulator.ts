import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Clock, type ClockMode } from './clock/clock.ts'
import { Faults } from './faults/faults.ts'
import { Mailbox } from './mail/mailbox.ts'
import { startMailServer } from './mail/smtp.ts'
import type { Part, PartOptions } from './part.ts'
import { CallCounts } from './record/call-counts.ts'
import { Database } from './record/database.ts'
import { Settings } from './record/settings.ts'
import { buildServer, mountParts } from './server.ts'

export interface EmulatorOptions extends PartOptions {
  /** Port of HTTP, and of DNS over UDP. 0: any free port. Default: 4010. */
  port?: number
  /** Port of SMTP. 0: any free port. Default: 4025. */
  smtpPort?: number
  /** Mode of the clock. Default: the mode of the last run in this folder, in the first run `real`. */
  clock?: ClockMode
  host?: string
}

export interface Emulator {
  readonly port: number
  readonly smtpPort: number
  readonly url: string
  stop(): Promise<void>
}

export async function runEmulator(parts: readonly Part[], options: EmulatorOptions): Promise<Emulator> {
  const { port = 4010, smtpPort = 4025, dataDir, host = '127.0.0.1' } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const records: Database[] = []
  const open = (file: string, durability: 'normal' | 'full' = 'normal'): Database => {
    const opened = new Database(join(dataDir, file), durability)
    records.push(opened)
    return opened
  }
  const database = open('cloud.db')
  const settings = new Settings(database)
  const clock = new Clock(settings, options.clock)
  const calls = new CallCounts(database)
  const faults = new Faults(database)
  const mailbox = new Mailbox(open('mail.db', 'full'))
  const emulated = { options, database, settings, clock, faults, mailbox, calls, tabs: [], openRecord: open }
  const server = buildServer(clock)
  const mounted = mountParts(parts, { ...emulated, server })
  const close = async (): Promise<void> => {
    for (const { stop } of mounted) await stop?.()
    await server.close()
    calls.write()
    for (const record of records) record.close()
  }
  try {
    await server.listen({ port, host })
    for (const { start } of mounted) start?.()
    const maySend = (user: string, token: string, now: number): boolean =>
      mounted.some((part) => part.maySend?.(user, token, now) ?? false)
    const mail = await startMailServer({ mailbox, clock, faults, maySend }, { port: smtpPort, host })
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
