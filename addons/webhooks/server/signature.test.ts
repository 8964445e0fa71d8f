import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import vectors from './test-vectors.json' with { type: 'json' }
import { selectLanes } from './deliver.ts'
import { ATTEMPTS, delayBefore } from './retry.ts'
import { newWebhookSecret, signatureOf } from './signature.ts'

describe('vectors of Standard Webhooks', () => {
  test.each(vectors.vectors)('$name', ({ secret, headers, body, valid }) => {
    const own = signatureOf([secret], {
      id: headers['webhook-id'],
      timestamp: Number(headers['webhook-timestamp']),
      body,
    })
    expect(headers['webhook-signature'].split(' ').includes(own)).toBe(valid)
  })
})

test('a delivery signed with two secrets is accepted with either, by the official library', () => {
  const [old, current] = [newWebhookSecret(), newWebhookSecret()]
  const message = { id: 'evt', timestamp: Math.floor(Date.now() / 1000), body: '{"name":"अनिता"}' }
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': signatureOf([current, old], message),
  }
  for (const secret of [old, current])
    expect(new Webhook(secret).verify(message.body, headers)).toEqual({ name: 'अनिता' })
  expect(() => new Webhook(newWebhookSecret()).verify(message.body, headers)).toThrow('No matching signature')
})

describe('retries', () => {
  const failed = { status: 500, retryAfter: undefined }
  test('spread ten attempts over three days', () => {
    const pauses = Array.from({ length: ATTEMPTS - 1 }, (_, made) => delayBefore(made + 1, failed, 0)!)
    const days = pauses.reduce((sum, seconds) => sum + seconds, 0) / 86_400
    expect([pauses.length, days > 2.9 && days < 3.1, delayBefore(ATTEMPTS, failed, 0)]).toEqual([9, true, null])
    expect(delayBefore(2, failed, 1)).toBe(270)
  })

  test.each([
    ['a busy receiver', 429, '600', 600],
    ['a date', 503, new Date(Date.now() + 900_000).toUTCString(), 900],
    ['a shorter pause than ours', 429, '1', 300],
    ['an endless pause', 503, '999999999', 86_400],
    ['nonsense', 429, 'soon', 300],
    ['a failure that is not about load', 500, '600', 300],
  ])('follow the Retry-After header %s', (_what, status, retryAfter, seconds) => {
    expect(Math.abs(delayBefore(2, { status, retryAfter }, 0)! - seconds)).toBeLessThan(3)
  })
})

test('failing endpoints do not use all slots', () => {
  const lane = (organisation: number, endpoint: number, resource: number, isFailing: boolean) =>
    ({
      organisation: `o${organisation}`,
      endpoint: `o${organisation}e${endpoint}`,
      resource: `r${resource}`,
      isFailing,
    }) as never
  const failedLanes = Array.from({ length: 100 }, (_, i) => lane(i % 50, i, 0, true))
  const healthy = Array.from({ length: 10 }, (_, i) => lane(60, 0, i, false))
  const chosen = selectLanes([], [...failedLanes, ...healthy], { all: 32, failing: 12 })
  expect(chosen.filter(({ isFailing }) => isFailing)).toHaveLength(12)
  expect(chosen.filter(({ isFailing }) => !isFailing)).toHaveLength(4)
  // The limits apply within an organisation, and include what other workers have leased.
  const own = [lane(1, 1, 0, true), lane(1, 1, 1, true), lane(1, 2, 0, true), lane(1, 3, 0, true), lane(1, 4, 0, false)]
  expect(selectLanes([], own, { all: 32, failing: 12 })).toEqual([own[0], own[2], own[4]])
  expect(selectLanes([lane(1, 1, 2, true)], own, { all: 32, failing: 12 })).toEqual([own[2], own[4]])
})

test('the next request goes to an organisation without requests, despite slow receivers with large backlogs', () => {
  const lane = (organisation: number, resource: number) =>
    ({
      organisation: `o${organisation}`,
      endpoint: `o${organisation}`,
      resource: `r${resource}`,
      isFailing: false,
    }) as never
  const slow = [0, 1, 2, 3, 4, 5, 6, 7]
  const leased = slow.flatMap((organisation) => [0, 1, 2].map((resource) => lane(organisation, resource)))
  const backlog = slow.flatMap((organisation) => [3, 4, 5, 6].map((resource) => lane(organisation, resource)))
  expect(selectLanes(leased, [...backlog, lane(9, 0)], { all: 1, failing: 12 })).toEqual([lane(9, 0)])
})
