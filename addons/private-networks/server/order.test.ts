/** @module-tag full */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { TEMPLATE, order, people } from '@trainyard/platform/test/orders.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme'))
await env.worker()

test('machines of a private network need no public addresses', async () => {
  await env.control('POST', '/_quotas', { publicAddresses: 2 })
  const limit = () => env.db.selectFrom('cloud_place').selectAll().executeTakeFirst()
  await until('the offers were read', limit, (place) => place !== undefined)
  const orderOf = (training: string) => admin('POST', '/azure/machines', order(training, people(3)))
  expect((await orderOf('Addressless')).body.message).toMatch(
    /^The cloud allows 2 public addresses in southindia, of which 2 are free\. Order fewer VMs, choose a template with a private network, or ask/,
  )
  const { rows } = await sql<{ id: string }>`insert into private_network (name, route, ranges)
    values ('Campus', 'peering', '{10.1.0.0/16}') returning id`.execute(env.db)
  await sql`update template set private_network_id = ${rows[0]!.id}, address_kind = 'private address'
    where name = ${TEMPLATE}`.execute(env.db)
  expect((await orderOf('Private')).status).toBe(200)
})
