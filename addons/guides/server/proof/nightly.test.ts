import { expect, test } from 'vitest'
import { order, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import type { Proofs } from '../../contract/proof.ts'
import { exampleFiles } from '../../test/example-guides.ts'
import { zipOfFiles } from '../format/zip-of.ts'
import { proveBeforeClasses } from './nightly.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const TRAINING = 'Linux basics'
const DAY = 24 * 3600

test('guides of classes within 14 days are proven at night, on a new image, and before the machines must be ready', async () => {
  // 1:00 to 5:00 in Asia/Kolkata is 19:30 to 23:30 UTC.
  await env.stepToHour(12)
  await admin('POST', '/azure/machines', order(TRAINING, ['one@acme.test']))
  await admin('POST', '/guides', { bytes: zipOfFiles(exampleFiles('first-steps')).toString('base64') })
  await admin('POST', '/guides/publish', { guide: 'first-steps', number: 1, reason: 'A test.' })
  await admin('POST', '/guides/attach', {
    trainingName: TRAINING,
    guide: 'first-steps',
    number: 1,
    templateName: null,
  })
  const date = new Date(env.now().getTime() + 16 * DAY * 1_000).toISOString().slice(0, 10)
  const session = await admin('POST', '/azure/sessions', {
    trainingName: TRAINING,
    start: '09:00',
    stop: '12:00',
    from: date,
    until: date,
    weekdays: null,
    limitAccess: false,
    skipHolidays: false,
  })
  expect(session.status).toBe(200)
  const started = async (): Promise<Proofs['proofs']> => {
    await proveBeforeClasses(env.parts.db, new AbortController().signal)
    return (await admin('GET', '/guides/proofs?guide=first-steps')).body.proofs
  }
  const end = () =>
    env.db
      .updateTable('proof')
      .set({ state: 'proven', phase: 'ended', reconcile_at: null, ended_at: env.now() })
      .where('state', '=', 'running')
      .execute()
  const changeTemplate = () =>
    env.db
      .updateTable('template')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .where('name', '=', TEMPLATE)
      .execute()
  const states = async () =>
    (await admin('GET', `/guides/attached?trainingName=${encodeURIComponent(TRAINING)}`)).body.proofs
  expect(await states()).toMatchObject([
    { guide: 'first-steps', number: 1, templateName: TEMPLATE, state: null, at: null },
  ])
  await env.stepToHour(21)
  // The class is more than 14 days away.
  expect(await started()).toEqual([])
  await env.step(2 * DAY - 9 * 3600)
  // It is day.
  expect(await started()).toEqual([])
  await env.stepToHour(21)
  expect(await started()).toMatchObject([{ state: 'running', templateName: TEMPLATE, askedBy: null }])
  expect(await states()).toMatchObject([{ state: 'running' }])
  await end()
  expect(await states()).toMatchObject([{ state: 'proven', at: expect.stringMatching(/T21:00:/) }])
  // Once a night, unless the template changes.
  await env.step(3600)
  expect(await started()).toHaveLength(1)
  await changeTemplate()
  expect(await states()).toMatchObject([{ state: null, at: null }])
  expect(await started()).toMatchObject([{ state: 'running' }, { state: 'proven', isStale: true }])
  await end()
  await env.step(DAY)
  expect(await started()).toHaveLength(3)
  await end()
  // By day: at once on a new image.
  await env.stepToHour(9)
  expect(await started()).toHaveLength(3)
  await changeTemplate()
  expect(await started()).toHaveLength(4)
  await end()
  expect(await started()).toHaveLength(4)
  // Before the machines must be ready: twice the usual duration, which is 10 minutes without a measurement, and 30 minutes.
  const untilReady = () => (Date.parse(`${date}T03:30:00Z`) - env.now().getTime()) / 1_000
  await env.step(untilReady() - 60 * 60)
  expect(await started()).toHaveLength(4)
  await env.step(untilReady() - 45 * 60)
  expect(await started()).toHaveLength(5)
  await end()
  expect(await started()).toHaveLength(5)
})
