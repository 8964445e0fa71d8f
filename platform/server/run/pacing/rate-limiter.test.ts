import { createHttpHeaders, createPipelineRequest, type HttpClient } from '@azure/core-rest-pipeline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { connect } from '../../db/client.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import type { Db } from '../../db/schema.ts'
import { setPortalClock } from '../../../test/clock.ts'
import { rateLimited } from '@trainyard/azure/server/rate-limited.ts'
import { type EmulatedAzure, machineSpec, startEmulatedAzure } from '../../../test/emulated-azure.ts'
import { RequestDeferred } from '../../providers/errors.ts'
import { databaseRateLimiter } from './rate-limiter.ts'
import { AZURE_LIMITS, AZURE_MACHINE_LIMIT } from './limits.ts'

let database: TestDatabase
let owner: Db
/** Two connection pools, which the database sees as two processes. */
let here: Db
let otherDb: Db

beforeAll(async () => {
  database = await createTestDatabase(inject('testCluster'))
  const connection = { connectionString: database.appUrl }
  owner = connect({ connectionString: database.url }, { size: 1, as: 'owner' })
  here = connect(connection, { size: 4, as: 'app' })
  otherDb = connect(connection, { size: 4, as: 'app' })
})
afterAll(async () => {
  await Promise.all([owner.destroy(), here.destroy(), otherDb.destroy()])
  await database.drop()
})

/** The database clock is stopped so that the counts are exact. */
const setClock = (second: number) => setPortalClock(owner, new Date(Date.parse('2026-01-01T00:00:00Z') + second * 1000))
beforeEach(async () => {
  await setClock(0)
  await owner.deleteFrom('call_bucket').execute()
})
afterEach(() => vi.useRealTimers())

describe('tokens', () => {
  test('lets a burst pass, delays further calls, and shares the bucket between processes', async () => {
    const { burst, perSecond } = AZURE_LIMITS.write
    const gates = [databaseRateLimiter(here, 's'), databaseRateLimiter(otherDb, 's')]
    const asked = await Promise.all(Array.from({ length: burst + 30 }, (_, i) => gates[i % 2]!.acquire('write', null)))
    expect(asked.filter((seconds) => seconds === 0)).toHaveLength(burst)
    expect(asked.filter((seconds) => seconds > 0)).toEqual(Array.from({ length: 30 }, () => 1 / perSecond))
    expect(await gates[0]!.acquire('read', null)).toBe(0)

    await setClock(3)
    const later = await Promise.all(Array.from({ length: 50 }, (_, i) => gates[i % 2]!.acquire('write', null)))
    expect(later.filter((seconds) => seconds === 0)).toHaveLength(3 * perSecond)
  })

  test('has a separate bucket for the changes of one machine', async () => {
    const gate = databaseRateLimiter(here, 's')
    for (let i = 0; i < AZURE_MACHINE_LIMIT.burst; i++) expect(await gate.acquire('write', 'vm-1')).toBe(0)
    expect(await gate.acquire('write', 'vm-1')).toBeCloseTo(15)
    expect(await gate.acquire('write', 'vm-2')).toBe(0)
  })

  test('applies a requested pause to one kind of call in every process, until it ends', async () => {
    await databaseRateLimiter(here, 's').pause('write', 30)
    await databaseRateLimiter(here, 's').pause('write', 5)
    expect(await databaseRateLimiter(otherDb, 's').acquire('write', null)).toBe(30)
    expect(await databaseRateLimiter(otherDb, 's').acquire('read', null)).toBe(0)
    expect(await databaseRateLimiter(otherDb, 'other').acquire('write', null)).toBe(0)
    await setClock(30)
    expect(await databaseRateLimiter(otherDb, 's').acquire('write', null)).toBe(0)
  })
})

describe('requests to Azure', () => {
  let otherAzure: EmulatedAzure
  beforeAll(async () => {
    otherAzure = await startEmulatedAzure()
  })
  afterAll(() => otherAzure.stop())

  const counted = () => {
    const sent: string[] = []
    const http = (wire: HttpClient): HttpClient => ({
      sendRequest: (request) => {
        sent.push(request.method)
        return wire.sendRequest(request)
      },
    })
    return { sent, http }
  }

  test('no process sends a request before Retry-After has passed', async () => {
    await otherAzure.fault({ kind: 'throttle', operation: 'VirtualMachines_Start', retryAfter: 40, times: 1 })
    const spec = machineSpec(1)
    const ownCloud = otherAzure.machines(undefined, databaseRateLimiter(here, 's'))
    await ownCloud.createMachine(spec, AbortSignal.timeout(20_000))
    await expect(ownCloud.startMachine(spec, AbortSignal.timeout(20_000))).rejects.toMatchObject({ retryAfter: 40 })

    const { sent, http } = counted()
    const others = otherAzure.machines(http, databaseRateLimiter(otherDb, 's'))
    const refused = others.startMachine(spec, AbortSignal.timeout(20_000))
    await expect(refused).rejects.toBeInstanceOf(RequestDeferred)
    await expect(refused).rejects.toMatchObject({ retryAfter: 40 })
    expect(sent).toEqual([])
    // The pause applies to changes only.
    expect((await others.getMachine(spec, AbortSignal.timeout(20_000))).seen.state).toBe('running')

    await setClock(40)
    await others.startMachine(spec, AbortSignal.timeout(20_000))
    expect(sent).toContain('POST')
  })

  test('stops calling after repeated failures, then sends a single probe', async () => {
    let status = 503
    let asked = 0
    const wire: HttpClient = {
      sendRequest: async (request) => {
        asked += 1
        return { status, headers: createHttpHeaders(), request }
      },
    }
    // The circuit breaker uses this process's clock, which is stopped here so that the pause is independent of the
    // test's speed.
    vi.useFakeTimers({ toFake: ['Date'] })
    const rest = 5_000
    const client = rateLimited(wire, databaseRateLimiter(here, 'breaking'))
    const send = () => client.sendRequest(createPipelineRequest({ url: 'https://management.azure.com/x' }))
    for (let i = 0; i < 10; i++) expect((await send()).status).toBe(503)
    await expect(send()).rejects.toBeInstanceOf(RequestDeferred)
    await expect(send()).rejects.toBeInstanceOf(RequestDeferred)
    expect(asked).toBe(10)

    status = 200
    vi.advanceTimersByTime(rest - 1)
    await expect(send()).rejects.toBeInstanceOf(RequestDeferred)
    expect(asked).toBe(10)
    vi.advanceTimersByTime(1)
    expect((await send()).status).toBe(200)
    expect(asked).toBe(11)
  })
})
