import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { LMS } from '@trainyard/contract/words/lms.ts'
import { connectEmulatedLms } from '#test/emulated-lms.ts'
import { order } from '#test/orders.ts'
import { sharedEnvironment } from '#test/shared.ts'

const env = await sharedEnvironment()
const campus = await env.organisation('Campus')
const admin = await env.signIn('admin', 'admin@campus.test', campus)
await admin('POST', '/azure/machines', order('Networks', ['learner@campus.test']))
const lms = await connectEmulatedLms(env, admin)
const link = await lms.addLink('Lab', { maximum: 100 })

const connectCourse = async (trainingName: string) => {
  const { body } = await admin('GET', '/admin/lms')
  const { id } = body.platforms[0].courses[0]
  expect((await admin('POST', '/admin/lms/courses', { id, trainingName })).status).toBe(200)
}

test('connects an LMS by dynamic registration, once per link', async () => {
  const { body } = await admin('GET', '/admin/lms')
  expect(body.platforms[0]).toMatchObject({
    state: 'ready',
    registrationExpires: null,
    settings: { issuer: expect.stringMatching(/\/lms$/), clientId: lms.clientId },
    deployments: [{ id: expect.stringMatching(/^\d+$/), isAccepted: true, seenAt: null }],
  })
  const { status } = await admin('POST', '/admin/lms/link', { id: lms.id })
  expect(status).toBe(409)
})

test('launches a student and a teacher of a connected course, with the key that the LMS has now', async () => {
  expect((await lms.launch('5', link.id)).body['message']).toBe(LMS.notConnected('Computer Science 101'))
  await connectCourse('Networks')
  expect(await lms.enter('5', link.id)).toMatchObject({ session: 'user', target: '/vm/vmdetails?training=Networks' })
  expect(await lms.enter('3', link.id)).toMatchObject({ session: 'user', target: '/vm/class?training=Networks' })
  const { rows } = await sql<{ name: string | null }>`
    select name from portal_user where email like '%no-mailbox.invalid' order by name`.execute(env.db)
  expect(rows.map(({ name }) => name)).toEqual(['Asha Verma', 'Ravi Menon'])
})

test('is removed only after its courses were disconnected', async () => {
  const { status, body } = await admin('DELETE', '/admin/lms', { id: lms.id })
  expect([status, body.message]).toEqual([409, expect.stringContaining('Computer Science 101 is connected')])
})

test('the test of the connection states what works, and what the LMS refuses', async () => {
  const run = async () => (await admin('POST', '/admin/lms/test', { id: lms.id })).body
  expect(await run()).toEqual({
    found: ['The LMS publishes 1 key.', expect.stringContaining('accepts the portal’s key')],
    problem: null,
  })
  // Moodle answers with a web page if it cannot fetch the portal's key set.
  await env.emulator.fault({ kind: 'malformed', operation: 'Lti_Token', times: 1 })
  expect(await run()).toEqual({
    found: ['The LMS publishes 1 key.'],
    problem: expect.stringMatching(/web page \(404\)\. Most often the LMS cannot fetch the portal's key set at http/),
  })
  await env.emulator.fault({ kind: 'serverError', operation: 'Lti_Token', times: 1 })
  expect((await run()).problem).toMatch(/issues no access token \(500, server_error\)/)
})
