import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { callsTo } from '#src/testing/far-end.ts'
import { lifeOf, machine, openLab, putMachine } from '#src/testing/lab.ts'

let dataDir: string
let child: ChildProcess

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trainyard-emulator-'))
})
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await rm(dataDir, { recursive: true, force: true })
})

async function start(env: Record<string, string> = {}) {
  child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), {
    execArgv: [],
    env: { ...process.env, EMULATOR_PORT: '0', EMULATOR_SMTP_PORT: '0', EMULATOR_DATA: dataDir, ...env },
  })
  const [{ ready, port, smtpPort }] = (await once(child, 'message')) as [
    { ready: boolean; port: number; smtpPort: number },
  ]
  expect(ready).toBe(true)
  return { ...callsTo(`http://127.0.0.1:${port}`), smtpPort, stop: async () => {} }
}

async function kill() {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('killed in the middle of an operation, it ends it when its time has come', async () => {
  const before = await start({ EMULATOR_CLOCK: 'stepped' })
  await openLab(before)
  await putMachine(before, 'one')
  await before.advance(44)
  const { now } = (await before.control('GET', '/_clock')).body
  await kill()
  const after = await start()
  expect((await after.control('GET', '/_clock')).body).toEqual({ mode: 'stepped', now })
  expect((await after.arm('GET', machine('one'))).body.properties.provisioningState).toBe('Creating')
  await after.advance(1)
  expect((await after.arm('GET', machine('one'))).body.properties.provisioningState).toBe('Succeeded')
  const runs = new Date(new Date(now).getTime() + 1000).toISOString()
  expect(await lifeOf(after, 'one')).toMatchObject({ exists: true, billed: [{ from: runs, to: null }] })
})

test('what was acknowledged before a kill stands after it', async () => {
  const before = await start({ EMULATOR_LATENCY: '0' })
  await openLab(before)
  const acknowledged = new Set<string>()
  const sending = Array.from({ length: 40 }, async (_, number) => {
    const reply = await putMachine(before, `m-${number}`).catch(() => undefined)
    if (reply?.status === 201) acknowledged.add(`m-${number}`)
    if (acknowledged.size === 20) child.kill('SIGKILL')
  })
  await Promise.all(sending)
  if (child.signalCode === null) await once(child, 'exit')
  expect(acknowledged.size).toBeGreaterThanOrEqual(20)
  const after = await start()
  const { machines } = (await after.control('GET', '/_truth?part=machines')).body as { machines: { name: string }[] }
  const standing = machines.map(({ name }) => name)
  expect(standing).toEqual(expect.arrayContaining([...acknowledged]))
  expect(new Set(standing).size).toBe(standing.length)
})

test('a mail that was taken survives a kill, and is read as it was written', async () => {
  const before = await start()
  const transport = createTransport({ host: '127.0.0.1', port: before.smtpPort, secure: false, ignoreTLS: true })
  await transport.sendMail({
    from: 'Trainyard <no-reply@trainyard.test>',
    to: 'learner@acme.test',
    subject: 'Your machine is ready',
    messageId: '<invitation-1@trainyard.test>',
    text: 'Set your password: http://127.0.0.1:4000/invite/abc?x=1&y=2',
    html: '<p>Set your password: <a href="http://127.0.0.1:4000/invite/abc">here</a></p><script>alert(1)</script>',
  })
  transport.close()
  await kill()
  const after = await start()
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
  expect(list).toContain('<a href="/mailbox/1">Your machine is ready</a>')
  const page = await (await fetch(`${after.url}/mailbox/1`)).text()
  expect(page).toContain('<a href="http://127.0.0.1:4000/invite/abc?x=1&amp;y=2"')
  expect(page).not.toContain('<script>')
})

test('it goes within a second when it is told to, and when its parent goes', async () => {
  await start()
  const told = performance.now()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(performance.now() - told).toBeLessThan(1000)
  await start()
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
})
