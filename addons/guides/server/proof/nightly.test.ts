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

test('guides of classes within 14 days are proven every night on the templates of their machines', async () => {
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
  await env.stepToHour(21)
  // The class is more than 14 days away.
  expect(await started()).toEqual([])
  await env.step(2 * DAY - 9 * 3600)
  // It is day.
  expect(await started()).toEqual([])
  await env.stepToHour(21)
  expect(await started()).toMatchObject([{ state: 'running', templateName: TEMPLATE, askedBy: null }])
  await env.db
    .updateTable('proof')
    .set({ state: 'proven', phase: 'ended', reconcile_at: null, ended_at: env.now() })
    .execute()
  // Once a night, unless the template changes.
  await env.step(3600)
  expect(await started()).toHaveLength(1)
  await env.db
    .updateTable('template')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('name', '=', TEMPLATE)
    .execute()
  expect(await started()).toMatchObject([{ state: 'running' }, { state: 'proven', isStale: true }])
  await env.db
    .updateTable('proof')
    .set({ state: 'proven', phase: 'ended', reconcile_at: null, ended_at: env.now() })
    .execute()
  await env.step(DAY)
  expect(await started()).toHaveLength(3)
})
