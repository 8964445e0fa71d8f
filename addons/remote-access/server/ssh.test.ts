/** @module-tag full */
import { sql } from 'kysely'
import ssh2 from 'ssh2'
import { Duplex } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { REMOTE_MESSAGES, REMOTE_SOCKET, SSH_SOCKET } from '../contract/remote-words.ts'
import type { Scope } from '@trainyard/platform/contract/scope.ts'
import { WATCHING } from '../contract/watching.ts'
import { sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'
import { send } from '@trainyard/platform/test/caller.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedTerminals, TRAINING } from '../test/terminals.ts'

const at = await sharedTerminals()
await until(
  'the host keys are recorded',
  () => at.env.db.selectFrom('machine').select('host_key').execute(),
  (rows) => rows.every(({ host_key }) => host_key !== null),
)
const { name: machine } = await at.machineOf('one@acme.test')

let count = 0
async function keyOf(email: string, scopes: readonly Scope[] = ['machine:connect']): Promise<string> {
  const body = { name: `Key ${(count += 1)}`, kind: 'personal', scopes, days: 1, networks: [] }
  const reply = await send('POST', `${at.url}/user/keys`, body, { authorization: `Bearer ${at.tokens.get(email)}` })
  return (reply.body as { key: string }).key
}
const connect = (key: string, vmName = machine) =>
  send('POST', `${at.url}/remote/ssh`, { vmName }, { authorization: `Bearer ${key}` })
const learnerKey = await keyOf('one@acme.test')

const sockets: WebSocket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close()
  await until('all rows are closed', at.rows, ({ open }) => open === 0)
})

interface Connection {
  readonly socket: WebSocket
  readonly stream: Duplex
  /** Sentence with which the portal ends the connection. */
  readonly ended: Promise<string>
}

/** Opens the socket and presents a ticket; rejects with the status if the socket is refused. */
async function open(headers: Record<string, string>, ticket: string, path = SSH_SOCKET): Promise<Connection> {
  const socket = new WebSocket(at.url.replace('http', 'ws') + path, { headers })
  sockets.push(socket)
  await new Promise((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('unexpected-response', (_request, reply) => reject(new Error(String(reply.statusCode))))
    socket.on('error', reject)
  })
  const stream = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      socket.send(bytes, { binary: true }, done)
    },
  })
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return void stream.push(data)
    const message = JSON.parse(data.toString()) as { kind: string; sentence: string }
    if (message.kind === 'ended') ended.resolve(message.sentence)
    opened.resolve()
  })
  socket.send(JSON.stringify({ machine, ticket }))
  await opened.promise
  return { socket, stream, ended: ended.promise }
}
const withKey = (key: string) => ({ authorization: `Bearer ${key}` })
async function opened(key = learnerKey): Promise<Connection> {
  const { body } = await connect(key)
  return open(withKey(key), (body as { ticket: string }).ticket)
}

/** Runs a command by SSH inside the connection, with the machine's password. */
async function run({ stream: sock }: Connection, command: string, hostKey: string): Promise<string> {
  const password = (await at.learner('GET', `/azure/machines?trainingName=${encodeURIComponent(TRAINING)}`)).body[0]
    .adminPass as string
  const client = new ssh2.Client()
  let shown = ''
  try {
    await new Promise<void>((resolve, reject) => {
      client.on('ready', resolve)
      client.on('error', reject)
      client.connect({
        sock,
        username: 'learner',
        password,
        hostVerifier: (key: Buffer) => (shown = key.toString('base64')) === hostKey.split(' ')[1],
      })
    })
    return await new Promise<string>((resolve, reject) => {
      client.exec(command, (error, channel) => {
        if (error !== undefined) return reject(error)
        let text = ''
        channel.on('data', (bytes: Buffer) => (text += bytes.toString()))
        channel.on('close', () => resolve(text.trim()))
      })
    })
  } finally {
    expect(shown).toBe(hostKey.split(' ')[1])
    client.destroy()
  }
}

test('a program runs a command with a key, the recorded host key and the password of the machine', async () => {
  const { body } = await connect(learnerKey)
  expect(body).toMatchObject({ account: 'learner', path: `/api${SSH_SOCKET}`, expiresIn: 60 })
  const connection = await open(withKey(learnerKey), body.ticket)
  expect(await run(connection, 'whoami', body.hostKey)).toBe('learner')
  connection.socket.close()
  await until('its row is closed', at.rows, (rows) => rows.open === 0)
  const { rows } = await sql<{ call: string; detail: { as?: string; ended?: string } }>`
    select call, detail from audit where call like 'remote.%' order by id desc limit 3`.execute(at.env.db)
  expect(rows.map(({ call }) => call)).toEqual(['remote.close', 'remote.open', 'remote.connect'])
  expect([rows[1]!.detail.as, rows[0]!.detail.ended]).toEqual(['ssh', REMOTE_MESSAGES.connectionClosed])
})

test('accepts a ticket once, only from the key that requested it', async () => {
  const { ticket } = (await connect(learnerKey)).body as { ticket: string }
  const other = await keyOf('one@acme.test')
  expect(await (await open(withKey(other), ticket)).ended).toBe(REMOTE_MESSAGES.ticketRefused)
  const first = await open(withKey(learnerKey), ticket)
  expect(await (await open(withKey(learnerKey), ticket)).ended).toBe(REMOTE_MESSAGES.ticketRefused)
  first.socket.close()
  // A session cannot use the ticket in the browser's terminal either.
  const forBrowser = (await connect(learnerKey)).body as { ticket: string }
  expect(await at.refusal('one@acme.test', machine, forBrowser.ticket)).toBe(REMOTE_MESSAGES.ticketRefused)
})

test('the socket refuses sessions, unknown keys and keys without the scope', async () => {
  const cookie = `${sessionCookie(at.url.startsWith('https:'))}=${at.tokens.get('one@acme.test')}`
  await expect(open({ cookie }, 'x')).rejects.toThrow('401')
  await expect(open(withKey(at.tokens.get('one@acme.test')!), 'x')).rejects.toThrow('401')
  await expect(open(withKey(`try_live_${'0'.repeat(49)}`), 'x')).rejects.toThrow('401')
  await expect(open(withKey(await keyOf('one@acme.test', ['machine:power'])), 'x')).rejects.toThrow('401')
  await expect(open(withKey(learnerKey), 'x', REMOTE_SOCKET)).rejects.toThrow('403')
})

test('refuses tickets to learners, admins of other organisations, and sessions', async () => {
  expect((await connect(await keyOf('two@acme.test'))).status).toBe(404)
  expect((await connect(await keyOf('admin@globex.test'))).status).toBe(404)
  expect((await connect(await keyOf('admin@acme.test'))).status).toBe(200)
  const session = await at.learner('POST', '/remote/ssh', { vmName: machine })
  expect([session.status, session.body.message]).toEqual([400, REMOTE_MESSAGES.keysOnly])
})

test('ends a connection if its key is revoked or file transfers are forbidden', async () => {
  const key = await keyOf('one@acme.test')
  const revoked = await opened(key)
  await sql`delete from api_key where token_hash = sha256(${key}::bytea)`.execute(at.env.db)
  expect(await revoked.ended).toBe(REMOTE_MESSAGES.signedOut)

  const forbidden = await opened()
  const allow = (allowed: boolean) => at.admin('POST', '/azure/files', { trainingName: TRAINING, allowed })
  await allow(false)
  try {
    expect(await forbidden.ended).toContain('not allowed')
    const refused = await connect(learnerKey)
    expect([refused.status, refused.body.message]).toEqual([409, REMOTE_MESSAGES.sshNotAllowed(TRAINING)])
  } finally {
    await allow(true)
  }
})

test('ends a connection if the owner of its key must set up a second factor', async () => {
  const connection = await opened(await keyOf('admin@acme.test'))
  const require = (rule: 'required' | null, ago: string) =>
    sql`
      with aged as (update portal_user set password_hash = 'none', role_since = portal_now() - ${ago}::interval
        where email = 'admin@acme.test' returning organisation_id)
      update organisation set second_factor = ${rule}::text, second_factor_since = case when ${rule}::text is not null
        then portal_now() - ${ago}::interval end
      where id = (select organisation_id from aged)`.execute(at.env.db)
  await require('required', '1 year')
  try {
    expect(await connection.ended).toBe(REMOTE_MESSAGES.signedOut)
  } finally {
    await require(null, '0')
  }
})

test('at most five connections are open per machine', async () => {
  const all = []
  for (let i = 0; i < 5; i += 1) all.push(await opened())
  const { body } = await connect(learnerKey)
  expect(await (await open(withKey(learnerKey), body.ticket)).ended).toBe(REMOTE_MESSAGES.fullOfConnections(machine))
  expect(all).toHaveLength(5)
})

test('an SSH connection is no screen that an instructor can watch', async () => {
  await opened()
  const { status, body } = await at.admin('POST', '/remote/watch', { vmName: machine })
  expect([status, body.message]).toEqual([409, WATCHING.notConnected('one@acme.test')])
})

test('leaves no errors in the background', () => {
  expect(at.env.bugs).toEqual([])
})
