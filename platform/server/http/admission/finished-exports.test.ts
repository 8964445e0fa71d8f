import { expect, test } from 'vitest'
import { sharedEnvironment } from '../../../test/shared.ts'

const env = await sharedEnvironment()
await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))

/** Number of exports, more than may run at once. */
const EXPORTS = 10

test('a finished export frees its slot', async () => {
  const { token, url } = await env.credentials('admin@acme.test')
  for (let number = 1; number <= EXPORTS; number++) {
    const reply = await fetch(`${url}/admin/ledger/statement/pdf`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ period: '2026-10' }),
    })
    await reply.arrayBuffer()
    expect([number, reply.status]).toEqual([number, 200])
  }
})
