import { createHash, type Hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { FILE_BYTES_MAX, FILE_PIECE_BYTES, FILE_MESSAGES } from '@trainyard/platform/contract/words/file.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { startEnvironment, type TestEnvironment } from '@trainyard/platform/test/environment.ts'
import { fileTransfers } from '../test/file-transfers.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { type OpenSsh, startOpenSsh, startProxy, whyNoOpenSsh } from '../test/openssh.ts'
import { openMessage, openPage, type TestPage } from '../test/terminal-page.ts'

const reason = whyNoOpenSsh()

const LONG = process.env['STORM'] === 'long'
const SIZE = LONG ? FILE_BYTES_MAX : 5 * FILE_PIECE_BYTES + 678
/** Maximum additional memory during a transfer of any size. Includes garbage of both sides in this process. */
const MEMORY_MOST = 300 * 1024 * 1024

/** Returns the piece at an offset. Pieces differ, and they are generated instead of stored. */
function pieceAt(offset: number): Buffer {
  const piece = Buffer.alloc(Math.min(FILE_PIECE_BYTES, SIZE - offset), String(offset))
  piece.writeUInt32BE(offset, 0)
  return piece
}

/** Reads a body into a hash until `maximum` bytes are exceeded, and returns the number of bytes read. */
async function readInto(hash: Hash, body: ReadableStream<Uint8Array>, maximum: number): Promise<number> {
  let read = 0
  for await (const bytes of body) {
    hash.update(bytes)
    read += bytes.length
    if (read > maximum) break
  }
  return read
}

describe.runIf(reason === null)(`against Debian's OpenSSH${reason === null ? '' : ` (not here: ${reason})`}`, () => {
  let env: TestEnvironment
  let learner: Caller
  let machine: Machine
  let openSsh: OpenSsh | undefined
  let proxy: Awaited<ReturnType<typeof startProxy>>
  let access: { token: string; url: string }

  beforeAll(async () => {
    proxy = await startProxy(() => openSsh?.port)
    env = await startEnvironment({ settings: { SSH_PROXY: proxy.url } })
    await env.worker()
    const acme = await env.organisation('Acme')
    const admin = await env.signIn('admin', 'admin@acme.test', acme)
    await admin('POST', '/azure/machines', order('Real shells', ['one@acme.test']))
    learner = await env.signIn('user', 'one@acme.test', acme)
    access = await env.credentials('one@acme.test')
    const [found] = await until(
      'it runs',
      () => machinesOf(learner, 'Real shells'),
      ([one]) => one?.status === 'Running' && one.publicIp !== null,
    )
    machine = found!
    openSsh = await startOpenSsh(machine.adminUsername, machine.adminPass!)
  })
  afterAll(async () => {
    await openSsh?.stop()
    await env.stop()
    proxy.stop()
  })

  const open = async (): Promise<TestPage> => {
    const page = await openPage(access)
    const { body } = await fetchTicket()
    page.send(openMessage(machine.name, body.password))
    return page
  }
  const fetchTicket = async () => {
    const response = await fetch(`${access.url}/remote/ticket`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ vmName: machine.name }),
    })
    return { body: (await response.json()) as { password: string } }
  }
  const prints = (page: TestPage, text: string) =>
    until(
      `it prints ${text}`,
      async () => page.printed(),
      (printed) => printed.includes(text),
    )

  test("opens a terminal with the machine's password, resizes, interrupts and closes it", async () => {
    const page = await open()
    expect(await page.firstMessage('opened')).toMatchObject({ account: machine.adminUsername })
    page.type('echo "shell of $(id -un)"; stty size\n')
    expect(await prints(page, `shell of ${machine.adminUsername}\r\n`)).toBeDefined()
    await prints(page, '24 80')
    page.send({ kind: 'resize', columns: 132, rows: 50 })
    page.type('stty size\n')
    await prints(page, '50 132')
    page.type('echo asleep; sleep 600\n')
    await prints(page, '\r\nasleep\r\n')
    page.type('\x03')
    page.type('seq 1 200000 | tail -n 1 | sed s/^/last:/\n')
    await prints(page, 'last:200000')
    page.type('exit\n')
    expect((await page.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.shellEnded)
  })

  test('delivers a large output completely although the page displays it slowly', async () => {
    const page = await open()
    await page.firstMessage('opened')
    page.acknowledges = false
    page.type('seq 1 400000; echo the"" end\n')
    await until(
      'it is held',
      async () => page.received(),
      (received) => received > 400_000,
    )
    page.acknowledges = true
    page.send({ kind: 'shown', bytes: page.received() })
    expect(await prints(page, '\r\n400000\r\nthe end')).toContain('\r\n199999\r\n200000\r\n200001\r\n')
    page.close()
  })

  test(
    `transfers a file of ${LONG ? 'the largest size' : 'some pieces'} up and down with an interruption each way, unchanged`,
    { timeout: LONG ? 900_000 : undefined },
    async () => {
      const files = fileTransfers(access)
      const { path: home } = (await learner('GET', `/remote/folder?vmName=${machine.name}`)).body
      const path = `${home as string}/large`
      const middle = Math.floor(SIZE / 2)
      const before = process.memoryUsage().rss
      let highest = before
      const sent = createHash('sha256')
      const { transfer } = await files.begin({ vmName: machine.name, direction: 'upload', path, size: SIZE })
      let isInterrupted = false
      const refused: string[] = []
      for (let at = 0; at < SIZE && refused.length < 2;) {
        const piece = pieceAt(at)
        const upload = files.put(transfer.id, at, piece)
        if (at > middle && !isInterrupted) {
          proxy.cut()
          isInterrupted = true
        }
        const { status, done, message } = await upload
        if (status !== 200) refused.push(`${status} ${message}`)
        highest = Math.max(highest, process.memoryUsage().rss)
        const uploadedBytes = status === 200 ? done : (await files.list(machine.name)).transfers[0]!.done
        if (uploadedBytes > at) sent.update(piece)
        at = uploadedBytes
      }
      expect(refused).toEqual([`503 ${FILE_MESSAGES.lost(path)}`])

      const { transfer: download } = await files.begin({ vmName: machine.name, direction: 'download', path })
      const receivedHash = createHash('sha256')
      const first = await files.get(download.id)
      const tag = first.headers.get('etag')!
      const from = await readInto(receivedHash, first.body!, middle)
      expect(from).toBeLessThan(SIZE)
      const rest = await files.get(download.id, { range: `bytes=${from}-`, 'if-range': tag })
      expect(rest.status).toBe(206)
      expect(from + (await readInto(receivedHash, rest.body!, SIZE))).toBe(SIZE)
      highest = Math.max(highest, process.memoryUsage().rss)
      expect(receivedHash.digest('hex')).toBe(sent.digest('hex'))
      if (LONG) console.log(`${SIZE} bytes: ${Math.round((highest - before) / 1024 / 1024)} MB more memory at most`)
      expect(highest - before).toBeLessThan(MEMORY_MOST)
    },
  )

  test('refuses another host key at the same address', async () => {
    const page = await open()
    await page.firstMessage('opened')
    await openSsh?.stop()
    openSsh = await startOpenSsh(machine.adminUsername, machine.adminPass!)
    const again = await open()
    expect((await again.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.keyChanged(machine.name))
    page.close()
  })
})
