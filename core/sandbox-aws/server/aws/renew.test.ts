import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AwsLabs, startAwsLabs } from '@trainyard/platform/test/aws-environment.ts'

let labs: AwsLabs
beforeAll(async () => {
  labs = await startAwsLabs()
})
afterAll(() => labs.stop())

const DAY = 24 * 60 * 60
const user = async (name: string) => (await labs.truth()).users.find((each) => each.name === name && each.exists)

test('a user renewed in time has access after the original end, but not after the new end', async () => {
  await labs.add('extended')
  await labs.advance(60)
  const { end_at } = await labs.row('extended')
  expect(await labs.renew('extended', 2)).toMatch(/^User extended@aws\.labs\.test now ends on \d+ \w+ \d{4}\.$/)
  await labs.advance(60)
  expect(await labs.row('extended')).toMatchObject({
    days: 3,
    end_at: new Date(end_at.getTime() + 2 * DAY * 1000),
    last_error: null,
  })
  await labs.skipTo(end_at.getTime() + 60_000)
  await labs.advance(60)
  expect(await user('extended')).toMatchObject({ hasAccess: true })
  await labs.skipTo(end_at.getTime() + 2 * DAY * 1000 + 1_000)
  expect(await user('extended')).toMatchObject({ hasAccess: false })
  await labs.advance(5 * 60)
  expect(await user('extended')).toBeUndefined()
})

test('an ended user is created again and has access again', async () => {
  await labs.add('returning')
  await labs.advance(60)
  await labs.remove(['returning'])
  await expect(labs.renew('returning', 1)).rejects.toThrow('still being deleted')
  await labs.advance(5 * 60)
  expect(await user('returning')).toBeUndefined()
  expect(await labs.renew('returning', 1)).toBe(
    'User returning@aws.labs.test had expired. A new AWS account is being created, and the user is invited by mail.',
  )
  await labs.advance(60)
  expect(await user('returning')).toMatchObject({ hasAccess: true, hasLogin: true })
  expect(await labs.broken()).toEqual([])
})

test('a renewal beyond a year, or of an unknown user, is rejected', async () => {
  await labs.add('longest', { days: 300 })
  await expect(labs.renew('longest', 67)).rejects.toThrow('duration must leave the end within 366 days from now.')
  expect(await labs.row('longest')).toMatchObject({ days: 300 })
  await expect(labs.renew('nobody', 1)).rejects.toThrow('There is no such user.')
})

test('an expired user that is renewed concurrently is either ended or renewed, not both', async () => {
  await labs.add('last-minute')
  await labs.advance(60)
  const { end_at } = await labs.row('last-minute')
  await labs.skipTo(end_at.getTime() + 1_000)
  await Promise.all([labs.advance(10), labs.renew('last-minute', 1).catch(() => 'too late')])
  const { desired, end_at: later } = await labs.row('last-minute')
  expect([desired, later > end_at]).toEqual(desired === 'gone' ? ['gone', false] : ['ready', true])
})
