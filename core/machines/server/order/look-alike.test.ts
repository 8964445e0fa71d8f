import { expect, test } from 'vitest'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex Academy')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreign = await env.signIn('admin', 'admin@globex.test', globex)

const EXISTING = 'Docker Basics Caf\u00E9'
await admin('POST', '/azure/machines', order(EXISTING, ['one@acme.test']))

const trainings = async () => {
  const { body } = await admin('GET', '/azure/trainingName?organization=Acme%20Learning')
  return body.trainingNames as string[]
}

test.each([
  ['two spaces', 'Docker  Basics Caf\u00E9', 400],
  ['a no-break space', 'Docker\u00A0Basics Caf\u00E9', 400],
  ['a zero-width space', 'Docker\u200B Basics Caf\u00E9', 400],
  ['a direction character', '\u202ADocker Basics Caf\u00E9', 400],
  ['another case', 'docker BASICS caf\u00E9', 409],
  ['full-width letters', '\uFF24ocker Basics Caf\u00E9', 409],
  ['a ligature', 'Docker Ba\u017Fics Caf\u00E9', 409],
])('rejects an order for a training that differs from an existing one by %s', async (_what, variant, status) => {
  const reply = await admin('POST', '/azure/machines', order(variant, ['two@acme.test']))
  const sentence =
    status === 400
      ? /^trainingName must /
      : `There is already a training named ${EXISTING}. Use exactly this name, or choose another.`
  expect(reply.status).toBe(status)
  expect(reply.body.message).toMatch(sentence)
  expect(await trainings()).toEqual([EXISTING])
})

test('adds machines to the same training if the name has another normal form', async () => {
  const reply = await admin('POST', '/azure/machines', order('Docker Basics Cafe\u0301', ['three@acme.test']))
  expect(reply.status).toBe(200)
  expect(await trainings()).toEqual([EXISTING])
})

test('creates only one of two trainings ordered concurrently under names that look the same', async () => {
  const both = await Promise.all(
    ['Twin', 'TWIN'].map((name, i) => admin('POST', '/azure/machines', order(name, [`twin${i}@acme.test`]))),
  )
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})

test('lets another organisation use the same name', async () => {
  expect((await foreign('POST', '/azure/machines', order(EXISTING, ['one@globex.test']))).status).toBe(200)
})
