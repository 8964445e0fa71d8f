/** @module-tag full */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  FILE_BYTES_MAX,
  FILE_PIECE_BYTES,
  FILE_MESSAGES,
  TRANSFERS_PER_USER_MAX,
} from '@trainyard/platform/contract/words/file.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import { targetOf } from './transfer.ts'
import { sftpFiles } from './ssh-files.ts'
import { cleanUp } from '@trainyard/platform/server/run/clean-up.ts'
import { fileTransfers, sha256 } from '../test/file-transfers.ts'
import { startPortalOn } from '@trainyard/platform/test/portal.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { sharedTerminals, TRAINING } from '../test/terminals.ts'
import { until } from '@trainyard/platform/test/until.ts'

const at = await sharedTerminals()
const transfersOf = (email: string) =>
  fileTransfers({
    url: at.url,
    get token() {
      return at.tokens.get(email)!
    },
  })
const transfers = transfersOf('one@acme.test')
const large = randomBytes(3 * FILE_PIECE_BYTES + 12_345)
let vmName = ''
let created = 0
const newName = (name = 'sent') => `${name}-${(created += 1)}.bin`

beforeAll(async () => {
  vmName = (await at.machineOf('one@acme.test')).name
})

const upload = (path: string, size: number, overrides: object = {}) =>
  transfers.begin({ vmName, direction: 'upload', path, size, ...overrides })
const download = (path: string) => transfers.begin({ vmName, direction: 'download', path })

async function sent(bytes: Buffer, name = newName()): Promise<string> {
  const { transfer } = await upload(name, bytes.length)
  expect(await transfers.putAll(transfer.id, bytes)).toMatchObject({ status: 200, ended: true })
  return name
}

async function shell(command: string, expected: string): Promise<string> {
  const { page } = await at.terminal()
  page.type(`${command}\r`)
  return at.prints(page, expected)
}

describe('a file', () => {
  test('is uploaded and downloaded unchanged, is visible in the shell, and is audited', async () => {
    const name = await sent(large)
    const hash = sha256(large).toString('hex')
    expect(await shell(`sha256sum ${name}`, `  ${name}`)).toContain(hash)
    const { transfer } = await download(name)
    const reply = await transfers.get(transfer.id)
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename=${name}`)
    expect(reply.headers.get('content-type')).toBe('application/octet-stream')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(sha256(Buffer.from(await reply.arrayBuffer())).toString('hex')).toBe(hash)
    const ended = () =>
      sql<{ actor_email: string; detail: object }>`
        select actor_email, detail from audit where call = 'remote.transferEnd' order by id desc limit 2`.execute(
        at.env.db,
      )
    const { rows } = await until('both are written down', ended, ({ rows: [last] }) =>
      JSON.stringify(last).includes('download'),
    )
    const machine = vmName
    const path = `/home/learner/${name}`
    const each = {
      machine,
      email: 'one@acme.test',
      path,
      size: large.length,
      moved: large.length,
      result: FILE_MESSAGES.done,
    }
    expect(rows).toEqual([
      { actor_email: 'one@acme.test', detail: { ...each, direction: 'download' } },
      { actor_email: 'one@acme.test', detail: { ...each, direction: 'upload' } },
    ])
  })

  test('resumes an interrupted upload, and starts again if the machine lost the data', async () => {
    const name = newName()
    const { transfer } = await upload(name, large.length)
    await transfers.putAll(transfer.id, large, 0, 2 * FILE_PIECE_BYTES)
    const abort = new AbortController()
    const asked: RequestInit & { duplex: 'half' } = {
      duplex: 'half',
      method: 'PUT',
      headers: {
        authorization: `Bearer ${at.tokens.get('one@acme.test')}`,
        'content-type': 'application/octet-stream',
      },
      body: new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(large.subarray(2 * FILE_PIECE_BYTES, 2 * FILE_PIECE_BYTES + 1_000)))
          abort.abort()
        },
      }),
      signal: abort.signal,
    }
    const interrupted = fetch(`${at.url}/remote/transfers/${transfer.id}/${2 * FILE_PIECE_BYTES}`, asked)
    await expect(interrupted).rejects.toThrow(/abort/i)
    const [now] = (await transfers.list(vmName)).transfers
    expect(now).toMatchObject({ id: transfer.id, done: 2 * FILE_PIECE_BYTES, result: null })
    // The digest lets a page that resumes verify that it has the same file.
    const pieces = [0, 1].map((i) => sha256(large.subarray(i * FILE_PIECE_BYTES, (i + 1) * FILE_PIECE_BYTES)))
    const chain = pieces.reduce((before, piece) => sha256(Buffer.concat([before, piece])), Buffer.alloc(0))
    expect(now!.digest).toBe(chain.toString('hex'))
    expect(await transfers.put(transfer.id, FILE_PIECE_BYTES, Buffer.from('x'))).toMatchObject({
      status: 409,
      done: 2 * FILE_PIECE_BYTES,
    })
    expect(await transfers.putAll(transfer.id, large, 2 * FILE_PIECE_BYTES)).toMatchObject({ ended: true })
    expect(await shell(`sha256sum ${name}`, `  ${name}`)).toContain(sha256(large).toString('hex'))
  })

  test('resumes an interrupted download, unless the file has changed', async () => {
    const name = await sent(large)
    const { transfer } = await download(name)
    const abort = new AbortController()
    const first = await transfers.get(transfer.id, {}, abort.signal)
    const tag = first.headers.get('etag')!
    const reader = first.body!.getReader()
    const before: Buffer[] = []
    while (Buffer.concat(before).length < FILE_PIECE_BYTES) before.push(Buffer.from((await reader.read()).value ?? []))
    abort.abort()
    const from = Buffer.concat(before).length
    const rest = await transfers.get(transfer.id, { range: `bytes=${from}-`, 'if-range': tag })
    expect(rest.status).toBe(206)
    expect(rest.headers.get('content-range')).toBe(`bytes ${from}-${large.length - 1}/${large.length}`)
    const all = Buffer.concat([...before, Buffer.from(await rest.arrayBuffer())])
    expect(sha256(all).equals(sha256(large))).toBe(true)
    const other = await download(name)
    const anew = await transfers.get(other.transfer.id, { range: 'bytes=10-', 'if-range': '"another"' })
    expect([anew.status, anew.headers.get('content-length')]).toEqual([200, String(large.length)])
    await anew.arrayBuffer()
  })

  test('may be empty, and replaces an existing file only on request', async () => {
    const name = await sent(Buffer.alloc(0))
    const again = await upload(name, 3)
    expect(await transfers.put(again.transfer.id, 0, Buffer.from('new'))).toMatchObject({
      status: 409,
      message: FILE_MESSAGES.exists(name),
    })
    const replacing = await upload(name, 3, { replace: true })
    expect(await transfers.put(replacing.transfer.id, 0, Buffer.from('new'))).toMatchObject({ ended: true })
    const { transfer } = await download(name)
    expect(await (await transfers.get(transfer.id)).text()).toBe('new')
  })

  test('is downloaded under a safe name and listed under its full name', async () => {
    const nasty = 'a"b\r\nSet-Cookie: x=1;\u202Etxt.exe'
    const name = await sent(Buffer.from('x'), nasty)
    const { transfer } = await download(name)
    const reply = await transfers.get(transfer.id)
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^\r\n\u202E]+"; filename\*=UTF-8''[\w%.~-]+$/,
    )
    await reply.arrayBuffer()
    const { body } = await at.learner('GET', `/remote/folder?vmName=${vmName}`)
    expect(body.path).toBe('/home/learner')
    expect((body.entries as { name: string }[]).map((entry) => entry.name)).toContain(nasty)
  })

  test('is listed after folders, each kind sorted by name, without . and ..', async () => {
    await shell('mkdir mixed mixed/b mixed/d && touch mixed/a mixed/c mixed/e && echo made $USER', 'made learner')
    const { body } = await at.learner('GET', `/remote/folder?vmName=${vmName}&path=mixed`)
    const entries = body.entries as { name: string; kind: string }[]
    expect(entries.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'folder b',
      'folder d',
      'file a',
      'file c',
      'file e',
    ])
  })
})

test('rejects an upload to a path below a file', async () => {
  const path = `${await sent(Buffer.from('no folder'))}/x`
  const { transfer } = await upload(path, 1)
  expect(await transfers.put(transfer.id, 0, Buffer.from('x'))).toMatchObject({ message: FILE_MESSAGES.failed(path) })
})

test('lists many folders with one connection without leaving handles open', async () => {
  const { db, seal, config } = at.env.portal.app
  const machine = await db.selectFrom('machine').selectAll().where('name', '=', vmName).executeTakeFirstOrThrow()
  const connector = sftpFiles({ proxy: config.remote.sshProxy })
  const files = await connector.open(await targetOf(db, machine, seal), new AbortController().signal)
  try {
    // This is one more than the server's limit of open handles.
    for (let time = 0; time <= 100; time++) expect((await files.list('/tmp', 0)).entries).toEqual([])
  } finally {
    files.close()
  }
})

describe("applies the permissions of the machine's account", () => {
  test.each([
    ['/etc/hosts', FILE_MESSAGES.denied('/etc/hosts')],
    ['../other/x', FILE_MESSAGES.denied('../other/x')],
    ['/home/learner/../../etc/x', FILE_MESSAGES.denied('/home/learner/../../etc/x')],
    ['none/such/x', FILE_MESSAGES.absent('none/such/x')],
  ])('rejects an upload to %s', async (path, message) => {
    const { transfer } = await upload(path, 1, { replace: true })
    expect(await transfers.put(transfer.id, 0, Buffer.from('x'))).toMatchObject({ message })
  })

  test.each([
    ['/tmp', FILE_MESSAGES.noFile('/tmp')],
    ['none', FILE_MESSAGES.absent('none')],
  ])('rejects a download of %s', async (path, message) => {
    const { transfer } = await download(path)
    expect(((await (await transfers.get(transfer.id)).json()) as { message: string }).message).toBe(message)
  })
})

describe('a transfer is refused', () => {
  test.each(['two@acme.test', 'admin@acme.test', 'admin@globex.test'])('to %s, who does not own it', async (email) => {
    const name = await sent(Buffer.from('mine'))
    const [up, down] = [await upload(newName(), 4), await download(name)]
    const theirs = transfersOf(email)
    const absent = await theirs.get('00000000-0000-4000-8000-000000000000')
    const message = 'There is no such transfer.'
    expect([absent.status, ((await absent.json()) as { message: string }).message]).toEqual([404, message])
    expect(await theirs.put(up.transfer.id, 0, Buffer.from('mine'))).toMatchObject({ status: 404, message })
    const refused = await theirs.get(down.transfer.id)
    expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([404, message])
    const { status } = await at.learner('DELETE', `/remote/transfers?id=${down.transfer.id}`)
    expect(status).toBe(200)
  })

  test('for machines of other organisations, without a session, and from other sites', async () => {
    expect((await transfersOf('admin@globex.test').begin({ vmName, direction: 'download', path: 'x' })).status).toBe(
      404,
    )
    const { transfer } = await upload(newName(), 4)
    const uploadPart = (headers: Record<string, string>) =>
      fetch(`${at.url}/remote/transfers/${transfer.id}/0`, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream', ...headers },
        body: 'mine',
      })
    expect((await uploadPart({})).status).toBe(401)
    const cookie = `trainyard_session=${at.tokens.get('one@acme.test')}`
    const names = [cookie, `__Host-${cookie}`].join('; ')
    expect((await uploadPart({ cookie: names, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  test('before its body is read: without a session, for an unknown transfer, and for one of another user', async () => {
    const { transfer } = await upload(newName(), FILE_PIECE_BYTES)
    const absent = '00000000-0000-4000-8000-000000000000'
    const cases = [
      [null, transfer.id, 401],
      ['one@acme.test', absent, 404],
      ['two@acme.test', transfer.id, 404],
    ] as const
    const { hostname, port, host } = new URL(at.url)
    for (const [email, id, status] of cases) {
      const socket = connect(Number(port), hostname)
      const head = [
        `PUT /api/remote/transfers/${id}/0 HTTP/1.1`,
        `Host: ${host}`,
        ...(email === null ? [] : [`Authorization: Bearer ${at.tokens.get(email)}`]),
        'Content-Type: application/octet-stream',
        `Content-Length: ${FILE_PIECE_BYTES}`,
      ]
      // The rest of the body never arrives.
      socket.write(`${head.join('\r\n')}\r\n\r\nx`)
      expect(String((await once(socket, 'data'))[0])).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      socket.destroy()
    }
  })

  test('above a gigabyte, above its declared size, and with a wrong digest', async () => {
    expect(await upload(newName(), FILE_BYTES_MAX + 1)).toMatchObject({ status: 400 })
    const { transfer } = await upload(newName(), 4)
    expect((await transfers.put(transfer.id, 0, Buffer.from('more than it'))).status).toBe(400)
    expect((await transfers.put(transfer.id, 0, Buffer.alloc(FILE_PIECE_BYTES + 1))).status).toBe(413)
    expect(await transfers.put(transfer.id, 0, Buffer.from('mine'), sha256('yours'))).toMatchObject({
      status: 409,
      message: FILE_MESSAGES.chunkDamaged,
    })
    expect(await transfers.put(transfer.id, 0, Buffer.from('mine'))).toMatchObject({ ended: true })
    expect(await transfers.put(transfer.id, 4, Buffer.alloc(0))).toMatchObject({
      status: 409,
      message: FILE_MESSAGES.ended,
    })
  })

  test('when a user has too many transfers at once', async () => {
    const begun = []
    for (let i = 0; i <= TRANSFERS_PER_USER_MAX; i += 1) begun.push(await upload(newName(), 2 * FILE_PIECE_BYTES))
    const replies = []
    for (const { transfer } of begun) {
      replies.push(await transfers.put(transfer.id, 0, large.subarray(0, FILE_PIECE_BYTES)))
    }
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(replies.at(-1)!.message).toBe(FILE_MESSAGES.busy)
    for (const { transfer } of begun) await at.learner('DELETE', `/remote/transfers?id=${transfer.id}`)
    const { transfer: next } = await upload(newName(), 1)
    await until(
      'their connections are let go',
      () => transfers.put(next.id, 0, Buffer.from('x')),
      ({ status }) => status === 200,
    )
  })
})

describe('a transfer ends', () => {
  const allow = (allowed: boolean) => at.admin('POST', '/azure/files', { trainingName: TRAINING, allowed })
  afterEach(async () => {
    await allow(true)
    at.tokens.set('one@acme.test', (await at.env.credentials('one@acme.test')).token)
  })

  let name = ''
  /**
   * Starts a download whose data is never read, so that it lasts until it is ended. Returns a function that waits for
   * the failure.
   */
  async function unclaimedTransfer(): Promise<() => Promise<unknown>> {
    // The file is larger than all buffers together: Linux buffers up to 36 MB per connection.
    name ||= await sent(Buffer.alloc(FILE_PIECE_BYTES * 48, 'x'))
    const { transfer } = await download(name)
    const reply = await transfers.get(transfer.id)
    expect(reply.status).toBe(200)
    const moved = async () =>
      (await at.env.db.selectFrom('file_transfer').select('moved_at').where('id', '=', transfer.id).execute())[0]!
    const before = await moved()
    return async () => {
      // The portal stores the progress when the transfer ends.
      await until('it is let go', moved, ({ moved_at }) => moved_at > before.moved_at)
      return reply.arrayBuffer().then(
        () => 'whole',
        (error: Error) => error.message,
      )
    }
  }

  test('when its training no longer allows files; new transfers are refused', { tags: ['storm'] }, async () => {
    const ends = await unclaimedTransfer()
    const { transfer } = await upload(newName(), 4)
    expect((await allow(false)).status).toBe(200)
    const refused = FILE_MESSAGES.notAllowed(TRAINING)
    expect(await transfers.put(transfer.id, 0, Buffer.from('mine'))).toMatchObject({ status: 409, message: refused })
    expect(await upload(newName(), 4)).toMatchObject({ status: 409, message: refused })
    expect((await at.learner('GET', `/remote/folder?vmName=${vmName}`)).body.message).toBe(refused)
    expect((await transfers.list(vmName)).allowed).toBe(false)
    expect(await ends()).toBe('terminated')
  })

  test('when its user logs out', async () => {
    const ends = await unclaimedTransfer()
    const token = at.tokens.get('one@acme.test')!
    await fetch(`${at.url}/user/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    expect(await ends()).toBe('terminated')
  })

  test('a day after its last progress, and is deleted a month later', async () => {
    const otherTransfers = transfersOf('two@acme.test')
    const { name } = await at.machineOf('two@acme.test')
    const { transfer } = await otherTransfers.begin({ vmName: name, direction: 'upload', path: 'left.bin', size: 4 })
    await sql`update file_transfer set moved_at = portal_now() - interval '25 hours' where id = ${transfer.id}`.execute(
      at.env.db,
    )
    await cleanUp(at.env.parts.db)
    const row = () => at.env.db.selectFrom('file_transfer').select('result').where('id', '=', transfer.id).execute()
    expect(await row()).toEqual([{ result: FILE_MESSAGES.expired }])
    await sql`update file_transfer set ended_at = portal_now() - interval '31 days' where id = ${transfer.id}`.execute(
      at.env.db,
    )
    await cleanUp(at.env.parts.db)
    expect(await row()).toEqual([])
  })
})

test('sends nothing to a machine whose host key has changed', async () => {
  const { name } = await at.machineOf('two@acme.test')
  const otherTransfers = transfersOf('two@acme.test')
  const asked = { vmName: name, direction: 'download', path: 'README.txt' }
  const first = await otherTransfers.begin(asked)
  expect((await otherTransfers.get(first.transfer.id)).status).toBe(200)
  await at.env.control('POST', `/_machines/${name}/hostKey`)
  const second = await otherTransfers.begin(asked)
  const reply = await otherTransfers.get(second.transfer.id)
  expect([reply.status, ((await reply.json()) as { message: string }).message]).toEqual([
    409,
    REMOTE_MESSAGES.keyChanged(name),
  ])
})

test('a machine that does not answer delays no call of others, and a user waits for few at once', async () => {
  const silent = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { settings } = at.env.portal
  const portal = await startPortalOn(settings['DATABASE_URL']!, {
    ...settings,
    PORT: String(await freePort()),
    SSH_PROXY: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    DATABASE_CONNECTIONS: '4',
  })
  const left = new AbortController()
  try {
    const statuses: number[] = []
    const uid = at.tokens.get('one@acme.test')!
    const folders = Array.from({ length: 25 }, () =>
      portal
        .request('GET', '/remote/folder', { uid, query: { vmName }, signal: left.signal })
        .then(({ status }) => statuses.push(status))
        .catch(() => undefined),
    )
    await until(
      'the calls above the share are refused',
      async () => statuses.length,
      (count) => count >= 5,
    )
    const others = at.tokens.get('admin@globex.test')!
    expect(
      (await portal.request('GET', '/azure/templates', { uid: others, query: { organization: 'Globex' } })).status,
    ).toBe(200)
    expect(statuses).toEqual([429, 429, 429, 429, 429])
    left.abort()
    await Promise.all(folders)
  } finally {
    await portal.close()
    silent.close()
  }
})

test('leaves no errors in the background', () => {
  expect(at.env.bugs).toEqual([])
})
