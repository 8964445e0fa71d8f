import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { type Caller, send } from '@trainyard/platform/test/caller.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { openMessage, openPage } from '../test/terminal-page.ts'
import { sharedTerminals } from '../test/terminals.ts'

const at = await sharedTerminals()

describe('a ticket', () => {
  test('opens once, even if presented twice concurrently', async () => {
    const { name } = await at.machineOf('one@acme.test')
    const ticket = await at.ticketFor('one@acme.test', name)
    const both = await Promise.all([at.pageOf('one@acme.test'), at.pageOf('one@acme.test')])
    for (const page of both) page.send(openMessage(name, ticket))
    const replies = await Promise.all(
      both.map((page) => Promise.race([page.firstMessage('opened'), page.firstMessage('ended')])),
    )
    expect(replies.map(({ kind }) => kind).sort()).toEqual(['ended', 'opened'])
    expect(replies).toContainEqual({ kind: 'ended', sentence: REMOTE_MESSAGES.ticketRefused })
    expect(await at.refusal('one@acme.test', name, ticket)).toBe(REMOTE_MESSAGES.ticketRefused)
  })

  test('is audited when refused, with user, machine and address', async () => {
    const machine = await at.machineOf('two@acme.test')
    await at.refusal('one@acme.test', machine.name, await at.ticketFor('two@acme.test', machine.name))
    const { rows } = await sql`
      select call, actor_email, address, refused, detail from audit where refused is not null order by id desc limit 1`.execute(
      at.env.db,
    )
    expect(rows).toEqual([
      {
        call: 'remote.open',
        actor_email: 'one@acme.test',
        address: '127.0.0.1',
        refused: 'forbidden',
        detail: { machine: machine.name },
      },
    ])
  })

  test('is refused after 60 s, in another session, for another user or machine, and if forged', async () => {
    const { name } = await at.machineOf('one@acme.test')
    const otherMachine = await at.machineOf('two@acme.test')
    const ownTicket = await at.ticketFor('one@acme.test', name)
    expect(await at.refusal('two@acme.test', name, ownTicket)).toBe(REMOTE_MESSAGES.ticketRefused)
    const { token } = await at.env.credentials('one@acme.test')
    const otherPage = await openPage({ url: at.url, token })
    at.pages.push(otherPage)
    otherPage.send(openMessage(name, ownTicket))
    expect((await otherPage.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.ticketRefused)
    const admins = await at.ticketFor('admin@acme.test', name)
    expect(await at.refusal('admin@acme.test', otherMachine.name, admins)).toBe(REMOTE_MESSAGES.ticketRefused)
    expect(await at.refusal('one@acme.test', name, 'x'.repeat(43))).toBe(REMOTE_MESSAGES.ticketRefused)
    await at.env.step(61)
    expect(await at.refusal('one@acme.test', name, ownTicket)).toBe(REMOTE_MESSAGES.ticketRefused)
    // The failed attempts of other users did not consume the admin's ticket. It has expired only now.
    expect(await at.refusal('admin@acme.test', name, admins)).toBe(REMOTE_MESSAGES.ticketRefused)
  })

  test('is refused on a socket that was opened before the session ended', async () => {
    const { name } = await at.machineOf('one@acme.test')
    const { token } = await at.env.credentials('one@acme.test')
    const { body } = await send(
      'POST',
      `${at.url}/remote/ticket`,
      { vmName: name },
      { authorization: `Bearer ${token}` },
    )
    const page = await openPage({ url: at.url, token })
    at.pages.push(page)
    await at.env.db.deleteFrom('session').where('token_hash', '=', hashToken(token)).execute()
    page.send(openMessage(name, body.password))
    expect((await page.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.ticketRefused)
  })

  test('is stored as a hash and never audited', async () => {
    const { name } = await at.machineOf('one@acme.test')
    const ticket = await at.ticketFor('one@acme.test', name)
    const { rows: found } = await sql<{ n: number }>`
      select (select count(*) from remote_ticket t where t::text like ${`%${ticket}%`})
        + (select count(*) from audit a where a::text like ${`%${ticket}%`})
        + (select count(*) from stored_reply k where k::text like ${`%${ticket}%`}) as n`.execute(at.env.db)
    expect(found).toEqual([{ n: 0 }])
  })

  test('is issued only to users who may access the machine', async () => {
    const { name } = await at.machineOf('one@acme.test')
    const callApi = async (caller: Caller, vmName = name) => {
      const { status, body } = await caller('POST', '/remote/ticket', { vmName })
      return { status, message: body.message as string }
    }
    expect((await callApi(at.learner)).status).toBe(200)
    expect((await callApi(at.admin)).status).toBe(200)
    const absent = await callApi(at.other, 'nobody-1')
    expect(absent.status).toBe(404)
    expect(await callApi(at.other)).toEqual(absent)
    expect(await callApi(at.stranger)).toEqual(absent)
    const superadmin = await at.env.signIn('superadmin', 'super@portal.test', null)
    expect((await callApi(superadmin)).status).toBe(200)
    const { body } = await at.learner('POST', '/remote/ticket', { vmName: name })
    expect(body.url).toBe(`/remote/#/?username=${name}&password=${body.password}`)
  })
})

test('leaves no errors in the background and no open rows', async () => {
  expect(at.env.bugs).toEqual([])
  for (const page of at.pages) page.close()
  await until('all rows are closed', at.rows, ({ open }) => open === 0)
})
