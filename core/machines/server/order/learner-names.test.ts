import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex Academy')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreign = await env.signIn('admin', 'admin@globex.test', globex)
const ravi = await env.signIn('user', 'ravi@acme.test', acme)
await env.signIn('user', 'unnamed@acme.test', acme)
await sql`update portal_user set signed_in_at = portal_now() where role = 'user'`.execute(env.db)

const namesIn = async (training: string) =>
  Object.fromEntries((await machinesOf(admin, training)).map(({ email, learnerName }) => [email, learnerName]))

test('shows the names of an order with its machines, in the bill and in the invitation', async () => {
  expect((await ravi('PATCH', '/user/name', { name: 'Ravi himself' })).status).toBe(200)
  const names = [
    { email: 'Asha@acme.test', name: 'Rao, Asha' },
    { email: 'ravi@acme.test', name: 'Ravi of the list' },
    { email: 'unnamed@acme.test', name: 'Uma' },
    { email: 'admin@acme.test', name: 'Admin of the list' },
  ]
  const emails = ['asha@acme.test', 'b@acme.test', 'ravi@acme.test', 'unnamed@acme.test', 'admin@acme.test']
  const { status } = await admin('POST', '/azure/machines', order('Named', emails, { names }))
  expect(status).toBe(200)
  const expected = {
    'asha@acme.test': 'Rao, Asha',
    'b@acme.test': null,
    'ravi@acme.test': 'Ravi himself',
    'unnamed@acme.test': 'Uma',
    'admin@acme.test': null,
  }
  expect(await namesIn('Named')).toEqual(expected)
  const { lines } = (await admin('GET', '/azure/billing?trainingName=Named&lines=yes')).body as {
    lines: { email: string; learnerName: string | null }[]
  }
  expect(Object.fromEntries(lines.map(({ email, learnerName }) => [email, learnerName]))).toEqual(expected)
  await env.worker()
  const mailed = async () => {
    const { mails } = (await (await fetch(`${env.emulator.url}/_truth`)).json()) as {
      mails: { to: string[]; text: string }[]
    }
    return mails.find(({ to }) => to.includes('asha@acme.test'))
  }
  const mail = await until('the invitation is mailed', mailed, (found) => found !== undefined)
  expect(mail!.text).toMatch(/^Hello Asha Rao,/)
})

test('lets a later order correct a name until the learner signs in', async () => {
  const again = (email: string, name: string) =>
    admin('POST', '/azure/machines', order('Again', [email], { names: [{ email, name }] }))
  await again('asha@acme.test', 'Asha Rao')
  await again('unnamed@acme.test', 'Other')
  expect(await namesIn('Again')).toEqual({ 'asha@acme.test': 'Asha Rao', 'unnamed@acme.test': 'Uma' })
})

test('rejects misleading names and names of other people, and hides those of other organisations', async () => {
  for (const name of ['Asha\u202Eoar', 'Asha\r\nBcc: x@evil.test', ' ', 'x'.repeat(101)]) {
    const names = [{ email: 'new@acme.test', name }]
    expect((await admin('POST', '/azure/machines', order('Bad', ['new@acme.test'], { names }))).status).toBe(400)
  }
  const names = [{ email: 'ravi@acme.test', name: 'Other' }]
  const { status, body } = await admin('POST', '/azure/machines', order('Bad', ['new@acme.test'], { names }))
  expect([status, body.message]).toEqual([400, 'names has ravi@acme.test, which email does not have.'])
  const renamed = [{ email: 'asha@acme.test', name: 'Stolen' }]
  expect(
    (await foreign('POST', '/azure/machines', order('Theirs', ['asha@acme.test'], { names: renamed }))).status,
  ).toBe(409)
  await sql`update portal_user set organisation_id = ${globex} where email = 'asha@acme.test'`.execute(env.db)
  expect((await namesIn('Named'))['asha@acme.test']).toBeNull()
})
