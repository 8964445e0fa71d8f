import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import ssh2, { type Client, type ClientChannel, type SFTPWrapper } from 'ssh2'
import { expect, test } from 'vitest'
import { inGroup } from '@trainyard/platform/emulator/test/test-emulator.ts'
import {
  location,
  machine,
  network,
  openLab,
  putMachine,
  recordedMachine,
  securityGroup,
  sshRule,
} from '@trainyard/platform/emulator/test/lab.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const PASSWORD = 'Sup3r-secret'

const emulator = await sharedTestEmulator({ clock: 'stepped' })
await openLab(emulator)
await openSsh()
await putMachine(emulator, 'tux')
await emulator.advance(60)
const address = await addressOf('tux')

/** Without a security group, no connection from the internet is admitted. */
async function openSsh(): Promise<void> {
  const rules = [{ name: 'ssh', properties: sshRule }]
  await emulator.arm('PUT', securityGroup('ssh'), { location, properties: { securityRules: rules } })
  await emulator.advance(10)
  const properties = { addressPrefix: '10.0.0.0/17', networkSecurityGroup: { id: securityGroup('ssh') } }
  await emulator.arm('PUT', `${network('net')}/subnets/default`, { properties })
  await emulator.advance(10)
}

async function addressOf(name: string): Promise<string> {
  const { body } = await emulator.arm('GET', `${inGroup}/providers/Microsoft.Network/publicIPAddresses/${name}`)
  return body.properties.ipAddress as string
}

function tunnel(target: string): Promise<{ status: number; socket: Socket }> {
  const { hostname, port } = new URL(emulator.url)
  return new Promise((resolve, reject) => {
    const connecting = request({ host: hostname, port, method: 'CONNECT', path: target })
    connecting.on('connect', (reply, socket, firstBytes) => {
      // The server sends first, possibly in the same packet.
      socket.unshift(firstBytes)
      resolve({ status: reply.statusCode!, socket })
    })
    connecting.on('error', reject)
    connecting.end()
  })
}

interface Login {
  readonly client: Client
  readonly key: string
  readonly closed: Promise<void>
}

async function logIn(username = 'learner', password = PASSWORD): Promise<Login> {
  const { socket: sock } = await tunnel(`${address}:22`)
  const client = new ssh2.Client()
  let key = ''
  const closed = new Promise<void>((resolve) => client.on('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    client.on('ready', resolve).on('error', reject)
    client.connect({
      sock,
      username,
      password,
      hostVerifier: (offeredKey: Buffer) => {
        key = offeredKey.toString('base64')
        return true
      },
    })
  })
  return { client, key, closed }
}

const run = (client: Client, command: string) =>
  new Promise<{ out: string; code: number }>((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) return reject(error)
      let output = ''
      let code = -1
      channel.on('data', (chunk: Buffer) => (output += chunk.toString()))
      channel.on('exit', (exit: number) => (code = exit))
      channel.on('close', () => resolve({ out: output, code }))
    })
  })

const openShell = (client: Client) =>
  new Promise<ClientChannel>((resolve, reject) => {
    client.shell({ cols: 80, rows: 24 }, (error, channel) => (error ? reject(error) : resolve(channel)))
  })

async function until(channel: ClientChannel, expectedText: string): Promise<string> {
  let received = ''
  for await (const chunk of channel.iterator({ destroyOnReturn: false })) {
    received += String(chunk)
    if (received.includes(expectedText)) return received
  }
  throw new Error(`The channel ended without ${expectedText}: ${received}`)
}

test("serves SSH with the machine's password, and keeps its files and host key", async () => {
  const first = await logIn()
  expect(await run(first.client, 'whoami; echo kept > note; nosuch')).toEqual({ out: 'learner\n', code: 127 })
  first.client.end()
  const secondClient = await logIn()
  expect(await run(secondClient.client, 'cat note')).toEqual({ out: 'kept\n', code: 0 })
  expect(secondClient.key).toBe(first.key)
  secondClient.client.end()
})

test('refuses another password, account or port', async () => {
  await expect(logIn('learner', 'wrong')).rejects.toThrow(/authentication methods failed/)
  await expect(logIn('root')).rejects.toThrow(/authentication methods failed/)
  const targets = [`${address}:23`, '203.0.113.254:22', '127.0.0.1:22', 'localhost:22', '169.254.169.254:22']
  const statuses = await Promise.all(targets.map(async (target) => (await tunnel(target)).status))
  expect(statuses).toEqual([504, 502, 502, 400, 502])
})

test('opens a terminal that follows the size of its window', async () => {
  const { client } = await logIn()
  const channel = await openShell(client)
  expect(await until(channel, '$ ')).toContain('learner@lab:~$ ')
  channel.write('touch aaaaaaaaaaaa bbbbbbbbbbbb && ls\r')
  expect(await until(channel, 'bbbbbbbbbbbb  note')).toBeDefined()
  channel.setWindow(24, 20, 0, 0)
  channel.write('ls\r')
  expect(await until(channel, 'note\r\n')).toContain('aaaaaaaaaaaa\r\nbbbbbbbbbbbb\r\n')
  channel.write('\x04')
  expect(await until(channel, 'logout')).toBeDefined()
  client.end()
})

test("shares files between SFTP and the shell, within the account's permissions", async () => {
  const { client } = await logIn()
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) =>
    client.sftp((error, opened) => (error ? reject(error) : resolve(opened))),
  )
  const callSftp = <T>(start: (done: (error: Error | null | undefined, value?: T) => void) => void) =>
    new Promise<T>((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value as T))))
  const large = randomBytes(300_000)
  await callSftp((done) => sftp.writeFile('sent.bin', large, done))
  const hash = createHash('sha256').update(large).digest('hex')
  expect((await run(client, 'sha256sum sent.bin; ls -l sent.bin')).out).toMatch(
    new RegExp(`^${hash}  sent.bin\n.* 300000 .* sent.bin\n$`),
  )
  await run(client, 'echo by the shell > /tmp/made')
  expect((await callSftp<Buffer>((done) => sftp.readFile('/tmp/made', done))).toString()).toBe('by the shell\n')
  expect(
    (await callSftp<{ filename: string }[]>((done) => sftp.readdir('.', done))).map((each) => each.filename),
  ).toContain('sent.bin')
  await expect(callSftp((done) => sftp.rename('sent.bin', '/tmp/made', done))).rejects.toThrow('File exists')
  await expect(callSftp((done) => sftp.writeFile('/etc/hosts', 'x', done))).rejects.toThrow('Permission denied')
  await expect(callSftp((done) => sftp.writeFile('../other/x', 'x', done))).rejects.toThrow('Permission denied')
  await expect(callSftp((done) => sftp.readFile('none', done))).rejects.toThrow('No such file')
  client.end()
})

test('halts the machine and closes the connection on a shutdown from inside', async () => {
  const { client, closed } = await logIn()
  const channel = await openShell(client)
  await until(channel, '$ ')
  client.on('error', () => {})
  channel.write('sudo shutdown -h now\r')
  await closed
  expect((await recordedMachine(emulator, 'tux')).power).toBe('stopped')
  expect((await tunnel(`${address}:22`)).status).toBe(502)
  await emulator.arm('POST', `${machine('tux')}/start`)
  await emulator.advance(30)
})

test('closes connections to a machine that is deallocated', async () => {
  const { client, closed } = await logIn()
  client.on('error', () => {})
  await emulator.arm('POST', `${machine('tux')}/deallocate`)
  await closed
  await emulator.advance(60)
  await emulator.arm('POST', `${machine('tux')}/start`)
  await emulator.advance(30)
  const again = await logIn()
  expect((await run(again.client, 'cat note')).out).toBe('kept\n')
  again.client.end()
})

test('closes connections to a machine that is restarted', async () => {
  const { client, closed } = await logIn()
  client.on('error', () => {})
  expect((await run(client, 'cat note')).out).toBe('kept\n')
  await emulator.arm('POST', `${machine('tux')}/restart`)
  await emulator.advance(60)
  await closed
  const again = await logIn()
  expect((await run(again.client, 'cat note')).out).toBe('kept\n')
  again.client.end()
})

test('shows another host key after the machine was replaced', async () => {
  const before = await logIn()
  before.client.end()
  await emulator.control('POST', '/_machines/tux/hostKey')
  const after = await logIn()
  after.client.end()
  expect(after.key).not.toBe(before.key)
})
