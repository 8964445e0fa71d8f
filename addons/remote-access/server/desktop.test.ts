/** @module-tag full */
import { X509Certificate } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import { cleanPathRequest, type DesktopPage, openDesktopPage, readAnswer } from '../test/desktop-page.ts'
import { sharedTerminals } from '../test/terminals.ts'
import { until } from '@trainyard/platform/test/until.ts'

const at = await sharedTerminals({ os: 'Windows' })
const open: DesktopPage[] = []
afterEach(() => {
  for (const page of open.splice(0)) page.close()
})

/** Pages that never send anything. They are opened before the tests start. */
const silent = await Promise.all(Array.from({ length: 3 }, () => pageOf('admin@acme.test')))
open.splice(0)

async function pageOf(email: string): Promise<DesktopPage> {
  const page = await openDesktopPage({ url: at.url, token: at.tokens.get(email)! })
  open.push(page)
  return page
}

/** Sends a ticket for a destination and returns the gateway's answer. */
async function callApi(email: string, destination: string, ticket: string) {
  const page = await pageOf(email)
  page.send(cleanPathRequest(destination, ticket))
  return { page, answer: readAnswer(await page.receive(1)) }
}

async function desktop(email = 'one@acme.test', of = email) {
  const machine = await at.machineOf(of)
  const { page, answer } = await callApi(email, machine.name, await at.ticketFor(email, machine.name))
  expect(answer.status).toBeNull()
  return { page, answer, machine }
}

const endingOf = async (email: string, machine: string): Promise<string | null> => {
  const response = await fetch(`${at.url}/remote/ending?vmName=${machine}`, {
    headers: { authorization: `Bearer ${at.tokens.get(email)}` },
  })
  return ((await response.json()) as { sentence: string | null }).sentence
}

const OUTSIDE = new RegExp(ALERTS.outsideWindow('TIME', 'TIME', null).replaceAll('TIME', '\\d\\d:\\d\\d'))

/** MCS Connect Initial that contains only the screen size, the only field that the emulated desktop reads. */
const CONNECT_INITIAL = Buffer.concat([
  Buffer.from('0300001c02f0807f6500', 'hex'),
  Buffer.from('Duca'),
  Buffer.from('0d01c00c000400080000030002', 'hex'),
  Buffer.alloc(1),
])

describe('a desktop', () => {
  test("is confirmed with the machine's certificate, which is pinned, and forwards RDP in both directions", async () => {
    const { page, answer, machine } = await desktop()
    expect(answer.confirm?.toString('hex')).toBe('030000130ed000001234000200080001000000')
    expect(new X509Certificate(answer.chain[0]!).subject).toMatch(/^CN=/)
    const { rows } = await sql<{ kept: Buffer }>`
      select desktop_certificate as kept from machine where name = ${machine.name}`.execute(at.env.db)
    expect(rows[0]!.kept.equals(answer.chain[0]!)).toBe(true)
    const before = page.received().length
    page.send(CONNECT_INITIAL)
    const response = (await page.receive(before + 9)).subarray(before)
    expect(response.subarray(7, 9).toString('hex')).toBe('7f66')
    const again = await desktop('admin@acme.test', 'one@acme.test')
    expect(again.answer.chain).toEqual(answer.chain)
  })

  test('opens at most five times at once', { tags: ['storm'] }, async () => {
    await until('nothing is open', at.rows, (rows) => rows.open === 0)
    const { machine } = await desktop()
    for (let i = 0; i < 4; i += 1) await desktop()
    const { answer } = await callApi('one@acme.test', machine.name, await at.ticketFor('one@acme.test', machine.name))
    expect(answer.status).toBe(409)
  })

  test('closes when its machine is powered off, and states the reason', async () => {
    const { page, machine } = await desktop('two@acme.test')
    const { name, resourceGroup } = machine
    await at.admin('PATCH', '/azure/machines', [{ operation: 0 }, { name, resourceGroup }])
    await page.closed
    expect(await endingOf('two@acme.test', machine.name)).toBe(REMOTE_MESSAGES.poweredOff(machine.name))
    expect(await endingOf('admin@globex.test', machine.name)).toBeNull()
  })

  test("closes when the learner's access window closes", async () => {
    const { page, machine } = await desktop()
    await sql`update training set access_start = (portal_now() at time zone 'Asia/Kolkata' - interval '2 hours')::time,
      access_stop = (portal_now() at time zone 'Asia/Kolkata' - interval '1 hour')::time`.execute(at.env.db)
    await page.closed
    await sql`update training set access_start = null, access_stop = null`.execute(at.env.db)
    expect(await endingOf('one@acme.test', machine.name)).toMatch(OUTSIDE)
  })

  test('closes when its user logs out', { tags: ['storm'] }, async () => {
    const { token } = await at.env.credentials('one@acme.test')
    at.tokens.set('one@acme.test', token)
    const { page } = await desktop()
    await fetch(`${at.url}/user/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    await page.closed
    at.tokens.set('one@acme.test', (await at.env.credentials('one@acme.test')).token)
    expect((await at.rows()).ended).toContain(REMOTE_MESSAGES.signedOut)
  })
})

describe('the gateway refuses', () => {
  test("a destination other than the ticket's machine, and opens nothing", async () => {
    const ownMachine = await at.machineOf('one@acme.test')
    const otherMachine = await at.machineOf('two@acme.test')
    const before = await opened()
    for (const forged of [
      otherMachine.name,
      ownMachine.publicIp!,
      `${ownMachine.name}:22`,
      '127.0.0.1:5432',
      'localhost',
      '',
    ]) {
      const ticket = await at.ticketFor('one@acme.test', ownMachine.name)
      const { answer } = await callApi('one@acme.test', forged, ticket)
      expect({ forged, status: answer.status }).toEqual({ forged, status: 403 })
    }
    expect(await opened()).toBe(before)
    const { rows } = await sql`select actor_email, detail from audit where refused is not null
      and call = 'remote.open' order by id desc limit 1 offset 2`.execute(at.env.db)
    expect(rows).toEqual([{ actor_email: 'one@acme.test', detail: { machine: '127.0.0.1:5432' } }])
  })

  test('tickets of other users, used tickets and made-up tickets', async () => {
    const { name } = await at.machineOf('one@acme.test')
    const ticket = await at.ticketFor('admin@acme.test', name)
    expect((await callApi('one@acme.test', name, ticket)).answer.status).toBe(403)
    expect((await callApi('admin@acme.test', name, ticket)).answer.status).toBeNull()
    expect((await callApi('admin@acme.test', name, ticket)).answer.status).toBe(403)
    expect((await callApi('admin@acme.test', name, 'x'.repeat(43))).answer.status).toBe(403)
  })

  test('a machine whose certificate has changed, until the pinned certificate expires', async () => {
    const { page, machine, answer } = await desktop()
    page.close()
    await at.env.control('POST', `/_machines/${machine.name}/hostKey`)
    const open = async () =>
      (await callApi('one@acme.test', machine.name, await at.ticketFor('one@acme.test', machine.name))).answer
    expect((await open()).status).toBe(502)
    expect(await endingOf('one@acme.test', machine.name)).toBe(REMOTE_MESSAGES.certificateChanged(machine.name))
    await at.env.step(181 * 24 * 3600)
    const since = await open()
    expect(since.status).toBeNull()
    expect(since.chain[0]!.equals(answer.chain[0]!)).toBe(false)
  })

  test('malformed requests: text, trailing data, too long, not a connection request', async () => {
    const { name } = await at.machineOf('one@acme.test')
    const ticket = await at.ticketFor('one@acme.test', name)
    const request = cleanPathRequest(name, ticket)
    const forms = [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.concat([request, Buffer.from([0])]),
      cleanPathRequest(name, ticket, Buffer.alloc(9_000, 3)),
      cleanPathRequest(name, ticket, Buffer.from('0300000902f08021ff', 'hex')),
      request.subarray(0, 40),
    ]
    for (const form of forms) {
      const page = await pageOf('one@acme.test')
      page.send(form)
      await page.closed
      expect(page.received()).toHaveLength(0)
    }
    // None consumed the ticket.
    expect((await callApi('one@acme.test', name, ticket)).answer.status).toBeNull()
  })

  test('messages larger than any RDP client sends', async () => {
    const { page } = await desktop()
    page.send(Buffer.alloc(70_000))
    expect(await page.closed).toBe(1009)
  })

  test('a page that sends nothing within ten seconds', async () => {
    expect(await Promise.all(silent.map(({ closed }) => closed))).toEqual([1000, 1000, 1000])
  })

  test('a page without a valid session', async () => {
    await expect(openDesktopPage({ url: at.url, token: 'made-up' })).rejects.toThrow('401')
  })
})

const opened = async (): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n from remote_session`.execute(at.env.db)).rows[0]!.n

test('leaves no errors in the background and no open rows', async () => {
  expect(at.env.bugs).toEqual([])
  await until('all rows are closed', at.rows, (rows) => rows.open === 0)
})
