import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import ssh2, { type Client, type ClientChannel, type SFTPWrapper } from 'ssh2'
import { expect, test } from 'vitest'
import { inGroup } from '#test/far-end.ts'
import { lifeOf, machine, openLab, putMachine } from '#test/lab.ts'
import { sharedFarEnd } from '#test/shared.ts'

const PASSWORD = 'Sup3r-secret'

const farEnd = await sharedFarEnd({ clock: 'stepped' })
await openLab(farEnd)
await putMachine(farEnd, 'tux')
await farEnd.advance(60)
const address = await addressOf('tux')

async function addressOf(name: string): Promise<string> {
  const { body } = await farEnd.arm('GET', `${inGroup}/providers/Microsoft.Network/publicIPAddresses/${name}`)
  return body.properties.ipAddress as string
}

function tunnel(target: string): Promise<{ status: number; socket: Socket }> {
  const { hostname, port } = new URL(farEnd.url)
  return new Promise((resolve, reject) => {
    const asking = request({ host: hostname, port, method: 'CONNECT', path: target })
    asking.on('connect', (reply, socket, head) => {
      // The machine speaks first, perhaps in the same packet.
      socket.unshift(head)
      resolve({ status: reply.statusCode!, socket })
    })
    asking.on('error', reject)
    asking.end()
  })
}

interface Login {
  readonly client: Client
  readonly key: string
  /** Settles when the connection is gone. */
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
      hostVerifier: (shown: Buffer) => {
        key = shown.toString('base64')
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
      let out = ''
      let code = -1
      channel.on('data', (chunk: Buffer) => (out += chunk.toString()))
      channel.on('exit', (exit: number) => (code = exit))
      channel.on('close', () => resolve({ out, code }))
    })
  })

const openShell = (client: Client) =>
  new Promise<ClientChannel>((resolve, reject) => {
    client.shell({ cols: 80, rows: 24 }, (error, channel) => (error ? reject(error) : resolve(channel)))
  })

async function until(channel: ClientChannel, wanted: string): Promise<string> {
  let seen = ''
  for await (const chunk of channel.iterator({ destroyOnReturn: false })) {
    seen += String(chunk)
    if (seen.includes(wanted)) return seen
  }
  throw new Error(`It ended without ${wanted}: ${seen}`)
}

test('a machine answers real SSH with its own password, and keeps its files and its key', async () => {
  const first = await logIn()
  expect(await run(first.client, 'whoami; echo kept > note; nosuch')).toEqual({ out: 'learner\n', code: 127 })
  first.client.end()
  const second = await logIn()
  expect(await run(second.client, 'cat note')).toEqual({ out: 'kept\n', code: 0 })
  expect(second.key).toBe(first.key)
  second.client.end()
})

test('another password, another account and another port are refused', async () => {
  await expect(logIn('learner', 'wrong')).rejects.toThrow(/authentication methods failed/)
  await expect(logIn('root')).rejects.toThrow(/authentication methods failed/)
  const targets = [`${address}:23`, '203.0.113.254:22', '127.0.0.1:22', 'localhost:22', '169.254.169.254:22']
  const statuses = await Promise.all(targets.map(async (target) => (await tunnel(target)).status))
  expect(statuses).toEqual([502, 502, 502, 400, 502])
})

test('a terminal has a prompt, and follows the size of its window', async () => {
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

test('files sent by SFTP are those that the shell sees, within the rights of the account', async () => {
  const { client } = await logIn()
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) =>
    client.sftp((error, opened) => (error ? reject(error) : resolve(opened))),
  )
  const does = <T>(ask: (done: (error: Error | null | undefined, value?: T) => void) => void) =>
    new Promise<T>((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value as T))))
  const large = randomBytes(300_000)
  await does((done) => sftp.writeFile('sent.bin', large, done))
  const hash = createHash('sha256').update(large).digest('hex')
  expect((await run(client, 'sha256sum sent.bin; ls -l sent.bin')).out).toMatch(
    new RegExp(`^${hash}  sent.bin\n.* 300000 .* sent.bin\n$`),
  )
  await run(client, 'echo by the shell > /tmp/made')
  expect((await does<Buffer>((done) => sftp.readFile('/tmp/made', done))).toString()).toBe('by the shell\n')
  expect(
    (await does<{ filename: string }[]>((done) => sftp.readdir('.', done))).map((each) => each.filename),
  ).toContain('sent.bin')
  await expect(does((done) => sftp.rename('sent.bin', '/tmp/made', done))).rejects.toThrow('File exists')
  await expect(does((done) => sftp.writeFile('/etc/hosts', 'x', done))).rejects.toThrow('Permission denied')
  await expect(does((done) => sftp.writeFile('../other/x', 'x', done))).rejects.toThrow('Permission denied')
  await expect(does((done) => sftp.readFile('none', done))).rejects.toThrow('No such file')
  client.end()
})

test('a shutdown from inside halts the machine, and takes the connection with it', async () => {
  const { client, closed } = await logIn()
  const channel = await openShell(client)
  await until(channel, '$ ')
  client.on('error', () => {})
  channel.write('sudo shutdown -h now\r')
  await closed
  expect((await lifeOf(farEnd, 'tux')).power).toBe('stopped')
  expect((await tunnel(`${address}:22`)).status).toBe(502)
  await farEnd.arm('POST', `${machine('tux')}/start`)
  await farEnd.advance(30)
})

test('a machine that is stopped through the interface ends what is connected to it', async () => {
  const { client, closed } = await logIn()
  client.on('error', () => {})
  await farEnd.arm('POST', `${machine('tux')}/deallocate`)
  await closed
  await farEnd.advance(60)
  await farEnd.arm('POST', `${machine('tux')}/start`)
  await farEnd.advance(30)
  const again = await logIn()
  expect((await run(again.client, 'cat note')).out).toBe('kept\n')
  again.client.end()
})

// @covers A92
test('a machine that is restarted ends what is connected to it', async () => {
  const { client, closed } = await logIn()
  client.on('error', () => {})
  expect((await run(client, 'cat note')).out).toBe('kept\n')
  await farEnd.arm('POST', `${machine('tux')}/restart`)
  await farEnd.advance(60)
  await closed
  const again = await logIn()
  expect((await run(again.client, 'cat note')).out).toBe('kept\n')
  again.client.end()
})

test('a machine that somebody has put in its place shows another key', async () => {
  const before = await logIn()
  before.client.end()
  await farEnd.control('POST', '/_machines/tux/hostKey')
  const after = await logIn()
  after.client.end()
  expect(after.key).not.toBe(before.key)
})
