import { expect, test } from 'vitest'
import { freePort } from '../../test/ports.ts'
import { sharedEnvironment } from '../../test/shared.ts'
import { until } from '../../test/until.ts'

const port = await freePort()
const env = await sharedEnvironment({ settings: { SMTP_URL: `smtp://127.0.0.1:${port}` } })

test('reports an unreachable mail server to the operator, not as a bug', async () => {
  await env.signIn('superadmin', 'root@portal.test', null)
  await env.worker()
  expect((await env.portal.request('POST', '/user/forgot', { body: { email: 'root@portal.test' } })).status).toBe(200)
  const said = await until(
    'the operator is told',
    async () => env.messages,
    (all) => all.length > 0,
  )
  expect(said[0]).toBe(
    `An e-mail is delayed because the mail server did not accept it: connect ECONNREFUSED 127.0.0.1:${port}`,
  )
  expect(env.bugs).toEqual([])
})
