import { startEmulator } from '@trainyard/modules/emulator.ts'
import { type WorldName, worldNames } from '@trainyard/azure/emulator/worlds.ts'

function numberSetting(name: string, defaultValue: number): number {
  const text = process.env[name]
  if (text === undefined || text === '') return defaultValue
  const value = Number(text)
  if (Number.isFinite(value) && value >= 0) return value
  process.stderr.write(`${name} must be a number of at least 0, but is '${text}'.\n`)
  process.exit(2)
}

function clockMode(): 'real' | 'stepped' | undefined {
  const text = process.env.EMULATOR_CLOCK
  if (text === undefined || text === '') return undefined
  if (text === 'real' || text === 'stepped') return text
  process.stderr.write(`EMULATOR_CLOCK must be real or stepped, but is '${text}'.\n`)
  process.exit(2)
}

function world(): WorldName | undefined {
  const text = process.env.EMULATOR_WORLD
  if (text === undefined || text === '') return undefined
  const found = worldNames.find((name) => name === text)
  if (found !== undefined) return found
  process.stderr.write(`EMULATOR_WORLD must be ${worldNames.join(' or ')}, but is '${text}'.\n`)
  process.exit(2)
}

// The record contains sent mails with links and first passwords, so other users of this host must not read it.
process.umask(0o077)
const clock = clockMode()
const chosenWorld = world()
const emulator = await startEmulator({
  port: numberSetting('EMULATOR_PORT', 4010),
  smtpPort: numberSetting('EMULATOR_SMTP_PORT', 4025),
  dataDir: process.env.EMULATOR_DATA ?? './data/emulator',
  latency: numberSetting('EMULATOR_LATENCY', 1),
  ...(clock === undefined ? {} : { clock }),
  ...(chosenWorld === undefined ? {} : { world: chosenWorld }),
  ...(process.env.EMULATOR_WEBHOOK_URL ? { webhookUrl: process.env.EMULATOR_WEBHOOK_URL } : {}),
})

function stop(): void {
  void emulator.stop().finally(() => process.exit(0))
}

process.once('SIGTERM', stop)
process.once('SIGINT', stop)

// If another process started the emulator, report the ports to it and exit when it exits.
if (process.send === undefined) {
  process.stdout.write(`The emulator listens on ${emulator.url}, its mail server on port ${emulator.smtpPort}.\n`)
} else {
  process.once('disconnect', stop)
  process.send({ ready: true, port: emulator.port, smtpPort: emulator.smtpPort })
}
