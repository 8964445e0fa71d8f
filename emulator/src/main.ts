import { startEmulator } from '#src/emulator.ts'

function whole(name: string, usual: number): number {
  const text = process.env[name]
  if (text === undefined || text === '') return usual
  const value = Number(text)
  if (Number.isFinite(value) && value >= 0) return value
  process.stderr.write(`${name} should be a number of at least 0, and is '${text}'.\n`)
  process.exit(2)
}

function clockMode(): 'real' | 'stepped' | undefined {
  const text = process.env.EMULATOR_CLOCK
  if (text === undefined || text === '') return undefined
  if (text === 'real' || text === 'stepped') return text
  process.stderr.write(`EMULATOR_CLOCK should be real or stepped, and is '${text}'.\n`)
  process.exit(2)
}

// Its record holds the emails that were sent, with links and first passwords: for nobody else on this machine.
process.umask(0o077)
const clock = clockMode()
const emulator = await startEmulator({
  port: whole('EMULATOR_PORT', 4010),
  smtpPort: whole('EMULATOR_SMTP_PORT', 4025),
  dataDir: process.env.EMULATOR_DATA ?? './data/emulator',
  latency: whole('EMULATOR_LATENCY', 1),
  ...(clock === undefined ? {} : { clock }),
  ...(process.env.EMULATOR_WEBHOOK_URL ? { webhookUrl: process.env.EMULATOR_WEBHOOK_URL } : {}),
})

function stop(): void {
  void emulator.stop().finally(() => process.exit(0))
}

process.once('SIGTERM', stop)
process.once('SIGINT', stop)

// Started by another process, it tells where it listens and goes when that process goes.
if (process.send === undefined) {
  process.stdout.write(`The emulator listens on ${emulator.url}, its mail on port ${emulator.smtpPort}.\n`)
} else {
  process.once('disconnect', stop)
  process.send({ ready: true, port: emulator.port, smtpPort: emulator.smtpPort })
}
