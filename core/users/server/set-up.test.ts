import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { createSuperadmin } from './create-superadmin.ts'
import { SET_UP_WAITS, setUpAdvice, setUpCode } from './set-up.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())

const body = { name: 'Asha Rao', email: 'Asha@Labs.test', password: 'a good long password', timeZone: 'Asia/Kolkata' }
const setUp = (change: object) =>
  portal.request('POST', '/user/set-up', { body: { ...body, code: setUpCode(portal.app.seal), ...change } })
const isOpen = async () => (await portal.request('GET', '/user/set-up')).json()
const advice = () => setUpAdvice(portal.app.db, portal.app.seal, 'https://labs.test')
const users = () => portal.owner.selectFrom('portal_user').select(['email', 'name', 'role', 'time_zone']).execute()

test('the code of the log creates one superadmin, also of concurrent calls, and never another', async () => {
  expect(await isOpen()).toEqual({ open: true, message: SET_UP_WAITS })
  const code = setUpCode(portal.app.seal)
  expect(code).toMatch(/^(?:[2-9A-Z]{4}-){3}[2-9A-Z]{4}$/)
  expect(await advice()).toEqual([
    `There is no superadmin yet. Set up the portal, once: https://labs.test/set-up#${code}`,
  ])
  for (const wrong of ['', 'AAAA-AAAA-AAAA-AAAA', `${code}A`]) {
    const refused = await setUp({ code: wrong })
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ message: 'The code is wrong. The log of the portal shows it at each start.' }),
    ])
  }
  expect((await setUp({ password: 'short' })).status).toBe(400)
  const early = await portal.request('POST', '/user/login', { body: { email: body.email, password: body.password } })
  expect([early.status, await early.json()]).toEqual([401, expect.objectContaining({ message: SET_UP_WAITS })])
  expect(await users()).toEqual([])

  const replies = await Promise.all(
    ['one', 'two', 'three'].map((each) =>
      // A code may be typed without its dashes.
      setUp({ email: `${each}@labs.test`, code: ` ${code.toLowerCase().replaceAll('-', ' ')}` }),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403])
  const signedIn = (await replies.find(({ ok }) => ok)!.json()) as { uid: string; email: string; session: string }
  expect(signedIn).toMatchObject({ session: 'superadmin', message: 'The portal is set up.' })
  expect(await users()).toEqual([
    { email: signedIn.email, name: 'Asha Rao', role: 'superadmin', time_zone: 'Asia/Kolkata' },
  ])
  expect((await portal.request('GET', '/user/me', { uid: signedIn.uid })).status).toBe(200)
  const login = { email: signedIn.email, password: body.password }
  expect((await portal.request('POST', '/user/login', { body: login })).status).toBe(200)

  expect(await isOpen()).toEqual({ open: false, message: null })
  expect(await advice()).toEqual([])
  const late = await setUp({ email: 'late@labs.test' })
  expect([late.status, await late.json()]).toEqual([
    403,
    expect.objectContaining({ message: 'This portal is set up already. Please log in.' }),
  ])
  const rows = await portal.owner.selectFrom('audit').selectAll().where('call', '=', 'session.setUp').execute()
  expect(rows.filter(({ refused }) => refused === null)).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(code)
})

test('a superadmin of the command line ends the set-up', async () => {
  const other = await startTestPortal(inject('testCluster'))
  try {
    const { db, seal } = other.app
    await createSuperadmin(db, seal, { email: 'root@labs.test', publicUrl: 'https://labs.test' })
    expect(await setUpAdvice(db, seal, 'https://labs.test')).toEqual([])
    const reply = await other.request('POST', '/user/set-up', { body: { ...body, code: setUpCode(seal) } })
    expect(reply.status).toBe(403)
  } finally {
    await other.close()
  }
})
