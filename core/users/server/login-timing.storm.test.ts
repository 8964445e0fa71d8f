import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { hashPassword } from './passwords.ts'

/** The long form detects a difference of 2 %. The short form detects a missing lookup or hash. */
const LONG = process.env['STORM'] === 'long'
const TRIES = LONG ? 2_000 : 200
const MAX_DIFFERENCE = LONG ? 0.02 : 0.5
const ACCOUNTS = TRIES / 2
let portal: TestPortal

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'), { TRUSTED_PROXIES: '127.0.0.1' })
  const password_hash = await hashPassword('a good long password')
  const accounts = Array.from({ length: ACCOUNTS }, (_, i) => `known${i}@portal.test`)
  await portal.app.db
    .insertInto('portal_user')
    .values(accounts.map((email) => ({ email, role: 'superadmin' as const, organisation_id: null, password_hash })))
    .execute()
})
afterAll(() => portal.close())

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!

/** Alternates between existing and unknown addresses, so that other load on the machine affects both equally. */
async function measure(
  path: string,
  bodyOf: (email: string) => object,
  tries = TRIES,
): Promise<{ known: number; unknown: number }> {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let i = 0; i < tries; i += 1) {
    // Each pair has a known and an unknown address, in alternating order.
    const userKind = (i + Math.floor(i / 2)) % 2 === 0 ? 'known' : 'unknown'
    const email = `${userKind}${Math.floor(i / 2)}@portal.test`
    const headers = { 'x-forwarded-for': `10.${i % 7}.${i % 200}.1` }
    const began = performance.now()
    const reply = await portal.request('POST', path, { body: bodyOf(email), headers })
    await reply.text()
    times[userKind].push(performance.now() - began)
    expect([200, 401]).toContain(reply.status)
  }
  return { known: median(times.known), unknown: median(times.unknown) }
}

test.each([
  ['signing in', '/user/login', (email: string) => ({ email, password: 'wrong' })],
  ['a forgotten password', '/user/forgot', (email: string) => ({ email })],
] as const)(
  '%s takes as long for an unknown address as for an existing one',
  async (what, path, bodyOf) => {
    await measure(path, (email) => bodyOf(`warm.${email}`), 50)
    const { known, unknown } = await measure(path, bodyOf)
    const difference = Math.abs(known - unknown) / Math.max(known, unknown)
    process.stdout.write(
      `${what}, ${TRIES} tries: ${known.toFixed(2)} ms known, ${unknown.toFixed(2)} ms unknown, ${(difference * 100).toFixed(1)} % apart\n`,
    )
    expect(difference).toBeLessThan(MAX_DIFFERENCE)
  },
  LONG ? 3_600_000 : 120_000,
)
