import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../test/ports.ts'
import { type Certified, makeAuthority } from './test-certificate.ts'
import { failedWith, sharedDoctorPortal } from '../../test/doctor-portal.ts'

const authority = makeAuthority()
const before = getCACertificates('default')
setDefaultCACertificates([...before, authority.cert])
afterAll(() => setDefaultCACertificates(before))
const doctorPortal = await sharedDoctorPortal()

const PASSWORD = 'correct horse/7'
const runChecks = (settings = {}) => doctorPortal.examine(['SMTP', 'Emulator'], settings)
const seenAt = async (SMTP_URL: string) => (await runChecks({ SMTP_URL }))['SMTP: TLS and login']

async function mailServer(options: SMTPServerOptions & Partial<Certified>) {
  const emails: string[] = []
  const server = new SMTPServer({
    ...options,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'portal' && password === PASSWORD) done(null, { user: username })
      else done(new Error(`No account ${username} with ${password}`))
    },
    onData(stream, _session, done) {
      emails.push('one')
      stream.resume().on('end', () => done())
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => {
    server.listen(0, '0.0.0.0', resolve)
  })
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(resolve)
      }),
  )
  return { port: (server.server.address() as AddressInfo).port, emails }
}

const login = `portal:${encodeURIComponent(PASSWORD)}`

test("accepts the emulator's mail server", async () => {
  expect(await runChecks()).toEqual({ 'Emulator: runs': 'green', 'SMTP: TLS and login': 'green' })
})

test('logs in with TLS and sends no e-mail', async () => {
  const { port, emails } = await mailServer({ secure: true, ...authority.certify('localhost', 30) })
  expect(await seenAt(`smtps://${login}@localhost:${port}`)).toBe('green')
  const starttls = await mailServer(authority.certify('localhost', 30))
  expect(await seenAt(`smtp://${login}@localhost:${starttls.port}`)).toBe('green')
  expect([...emails, ...starttls.emails]).toEqual([])
})

test('reports a wrong password without printing it, even if the server quotes it', async () => {
  const { port } = await mailServer({ secure: true, ...authority.certify('localhost', 30) })
  const SMTP_URL = `smtps://portal:wrong-password@localhost:${port}`
  expect(await seenAt(SMTP_URL)).toEqual(failedWith(/No account portal with wrong-password/, /password in SMTP_URL/))
  const output = await doctorPortal.output('SMTP', { SMTP_URL })
  expect(output).toContain('No account portal with (secret)')
  expect(output).not.toContain('wrong-password')
})

test('sends no password to a remote server without TLS', async () => {
  const { port } = await mailServer({ disabledCommands: ['STARTTLS'] })
  expect(await seenAt(`smtp://${login}@0.0.0.0:${port}`)).toEqual(failedWith(/STARTTLS/i, /smtps:/))
})

test('reports a server that does not speak TLS on an smtps port', async () => {
  const { port } = await mailServer({})
  expect(await seenAt(`smtps://${login}@localhost:${port}`)).toEqual(
    failedWith(/: The server does not respond with TLS\.$/, /STARTTLS \(port 587\)/),
  )
})

test('reports an untrusted certificate', async () => {
  const { port } = await mailServer({ secure: true, ...makeAuthority().certify('localhost', 30) })
  expect(await seenAt(`smtps://${login}@localhost:${port}`)).toEqual(
    failedWith(/certificate/, /certificate for the name/),
  )
})

test('reports that no server responds', async () => {
  expect(await seenAt(`smtp://127.0.0.1:${await freePort()}`)).toEqual(failedWith(/ECONNREFUSED/, /host and port/))
})

test('checks the login with an access token of Entra, and the permission to send with Graph', async () => {
  const withToken = { MAIL_METHOD: 'smtp-oauth2', MAIL_FROM: 'Trainyard <trainyard@localhost.test>' }
  const groups = ['SMTP', 'Mail', 'Azure', 'Emulator']
  expect(await doctorPortal.examine(groups, withToken)).toMatchObject({ 'SMTP: TLS and login': 'green' })
  expect(await doctorPortal.examine(groups, { ...withToken, MAIL_FROM: 'other@localhost.test' })).toMatchObject({
    'SMTP: TLS and login': failedWith(/535/, /New-ServicePrincipal/),
  })
  expect(await doctorPortal.examine(groups, { MAIL_METHOD: 'graph' })).toMatchObject({
    'Mail: Microsoft Graph': 'green',
  })
  await doctorPortal.control('POST', '/_tenant', { permissions: ['Application.Read.All'] })
  expect(await doctorPortal.examine(groups, { MAIL_METHOD: 'graph' })).toMatchObject({
    'Mail: Microsoft Graph': failedWith(/not granted Mail.Send/, /admin consent/),
  })
  await doctorPortal.control('POST', '/_tenant', {})
})
