import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import type { classroom } from '../contract/classroom.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const ravi = await env.signIn('user', 'ravi@acme.test', acme)
await env.signIn('user', 'unnamed@acme.test', acme)
await sql`update portal_user set signed_in_at = portal_now() where role = 'user'`.execute(env.db)

test('shows the names of an order in the class', async () => {
  expect((await ravi('PATCH', '/user/name', { name: 'Ravi himself' })).status).toBe(200)
  const names = [
    { email: 'Asha@acme.test', name: 'Rao, Asha' },
    { email: 'ravi@acme.test', name: 'Ravi of the list' },
    { email: 'unnamed@acme.test', name: 'Uma' },
    { email: 'admin@acme.test', name: 'Admin of the list' },
  ]
  const emails = ['asha@acme.test', 'b@acme.test', 'ravi@acme.test', 'unnamed@acme.test', 'admin@acme.test']
  expect((await admin('POST', '/azure/machines', order('Named', emails, { names }))).status).toBe(200)
  const { seats } = (await admin('GET', '/azure/class?trainingName=Named')).body as ReplyOf<typeof classroom.list>
  expect(Object.fromEntries(seats.map(({ machine }) => [machine.email, machine.learnerName]))).toEqual({
    'asha@acme.test': 'Rao, Asha',
    'b@acme.test': null,
    'ravi@acme.test': 'Ravi himself',
    'unnamed@acme.test': 'Uma',
    'admin@acme.test': null,
  })
})
