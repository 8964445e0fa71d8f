import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { durationOf } from '@trainyard/azure/emulator/durations.ts'
import { callsTo, type TestEmulator } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { recordedMachine, machine, openLab, putMachine } from '@trainyard/platform/emulator/test/lab.ts'

let folder: string
const children = new Set<ChildProcess>()

/** Timeout of tests that start the emulator twice, in milliseconds, generous for a busy host. */
const timeoutMs = 60_000

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trainyard-emulator-'))
})
afterAll(async () => {
  await Promise.all([...children].map(kill))
  await rm(folder, { recursive: true, force: true })
})

interface Running extends TestEmulator {
  readonly child: ChildProcess
}

/** Starts the emulator as a separate process. Processes with the same record name share a record. */
async function start(record: string, env: Record<string, string> = {}): Promise<Running> {
  const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), {
    execArgv: [],
    env: {
      ...process.env,
      EMULATOR_PORT: '0',
      EMULATOR_SMTP_PORT: '0',
      EMULATOR_DATA: join(folder, record),
      // The program shares this cache. The first process that exits normally stores its compiled code there.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      ...env,
    },
  })
  children.add(child)
  const [{ ready, port, smtpPort }] = (await once(child, 'message')) as [
    { ready: boolean; port: number; smtpPort: number },
  ]
  expect(ready).toBe(true)
  return { ...callsTo(`http://127.0.0.1:${port}`), smtpPort, child, stop: () => kill(child) }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test(
  'exits after SIGTERM, and when its parent exits',
  async () => {
    const { child } = await start('empty')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    const orphan = await start('empty')
    orphan.child.disconnect()
    expect(await once(orphan.child, 'exit')).toEqual([0, null])
  },
  timeoutMs,
)

describe('after a kill', () => {
  let now: string
  let after: TestEmulator

  beforeAll(async () => {
    const before = await start('killed', { EMULATOR_CLOCK: 'stepped' })
    await openLab(before)
    await putMachine(before, 'one')
    await before.advance(Math.floor(durationOf('machineCreateLinux', 'one')))
    now = (await before.control('GET', '/_clock')).body.now as string
    await sendInvitation(before.smtpPort)
    await before.stop()
    after = await start('killed')
  })

  test('finishes an operation when it is due', async () => {
    expect((await after.control('GET', '/_clock')).body).toEqual({ mode: 'stepped', now })
    expect((await after.arm('GET', machine('one'))).body.properties.provisioningState).toBe('Creating')
    await after.advance(1)
    expect((await after.arm('GET', machine('one'))).body.properties.provisioningState).toBe('Succeeded')
    const { exists, billed } = await recordedMachine(after, 'one')
    expect({ exists, billed }).toEqual({ exists: true, billed: [{ from: expect.any(String), to: null }] })
    const delayMs = Date.parse(billed[0]!.from) - Date.parse(now)
    expect(delayMs >= 0 && delayMs <= 1_000).toBe(true)
  })

  test('retains an accepted mail unchanged', async () => {
    const { mails } = (await after.control('GET', '/_truth?part=mails')).body
    expect(mails).toMatchObject([
      {
        to: ['learner@acme.test'],
        from: 'no-reply@trainyard.test',
        subject: 'Your machine is ready',
        messageId: '<invitation-1@trainyard.test>',
        text: expect.stringContaining('/invite/abc?x=1&y=2'),
        html: expect.stringContaining('<a href='),
      },
    ])
    const list = await (await fetch(`${after.url}/mailbox`)).text()
    expect(list).toMatch(/<a [^>]*href="\/mailbox\/1">Your machine is ready<\/a>/)
    const page = await (await fetch(`${after.url}/mailbox/1`)).text()
    expect(page).toContain('<a href="http://127.0.0.1:4000/invite/abc?x=1&amp;y=2"')
    expect(page).not.toContain('<script>')
  })
})

async function sendInvitation(port: number): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true })
  await transport.sendMail({
    from: 'Trainyard <no-reply@trainyard.test>',
    to: 'learner@acme.test',
    subject: 'Your machine is ready',
    messageId: '<invitation-1@trainyard.test>',
    text: 'Set your password: http://127.0.0.1:4000/invite/abc?x=1&y=2',
    html: '<p>Set your password: <a href="http://127.0.0.1:4000/invite/abc">here</a></p><script>alert(1)</script>',
  })
  transport.close()
}

test(
  'keeps every change that was acknowledged before a kill',
  async () => {
    const before = await start('storm', { EMULATOR_LATENCY: '0' })
    await openLab(before)
    const acknowledged = new Set<string>()
    const sending = Array.from({ length: 40 }, async (_, number) => {
      const reply = await putMachine(before, `m-${number}`).catch(() => undefined)
      if (reply?.status === 201) acknowledged.add(`m-${number}`)
      if (acknowledged.size === 20) before.child.kill('SIGKILL')
    })
    await Promise.all(sending)
    await before.stop()
    expect(acknowledged.size).toBeGreaterThanOrEqual(20)
    const after = await start('storm')
    const { machines } = (await after.control('GET', '/_truth?part=machines')).body as { machines: { name: string }[] }
    const existing = machines.map(({ name }) => name)
    expect(existing).toEqual(expect.arrayContaining([...acknowledged]))
    expect(new Set(existing).size).toBe(existing.length)
  },
  timeoutMs,
)
