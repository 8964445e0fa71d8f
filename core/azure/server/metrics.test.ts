import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { HttpClient } from '@azure/core-rest-pipeline'
import { LiveValidator } from 'oav/dist/lib/liveValidation/liveValidator.js'
import { afterEach, describe, expect, test } from 'vitest'
import { machineSpec } from '@trainyard/platform/test/emulated-azure.ts'
import { sharedEmulatedAzure } from '@trainyard/platform/test/shared.ts'
import { emulatorCredential } from './credentials.ts'
import type { AzureMachineSpec } from './azure-spec.ts'
import { azureMetrics } from './metrics.ts'

/** File of the published specification. If the file is available, every message is validated against it. */

const FILE = 'monitor/data-plane/Microsoft.Insights/stable/2024-02-01/metricBatch.json'
// oxlint-disable-next-line node/no-process-env -- only tests read it; config.ts reads the program's own settings
const root = [process.env['AZURE_MONITOR_OPENAPI'], '../../../../shared/references/azure-monitor']
  .flatMap((folder) =>
    folder === undefined ? [] : [fileURLToPath(new URL(`${folder}/specification`, import.meta.url))],
  )
  .find((folder) => existsSync(`${folder}/${FILE}`))

const azure = await sharedEmulatedAzure()
const SUBSCRIPTION = '00000000-0000-4000-8000-000000000001'
const sent: { url: string; body: unknown; reply: { status: number; body: unknown } }[] = []
const watching = (wire: HttpClient): HttpClient => ({
  async sendRequest(request) {
    const response = await wire.sendRequest(request)
    const { url, body } = request
    const reply = { status: response.status, body: JSON.parse(response.bodyAsText ?? 'null') as unknown }
    sent.push({ url, body: JSON.parse(body as string) as unknown, reply })
    return response
  },
})
const metrics = azureMetrics({
  subscriptionId: SUBSCRIPTION,
  credential: emulatorCredential(),
  emulatorUrl: azure.url,
  http: watching,
})
const signal = () => AbortSignal.timeout(20_000)
const now = async () => Date.parse((await azure.control('GET', '/_clock')).body.now as string)
const span = async (minutes: number) => {
  const to = await now()
  return { from: new Date(Math.floor(to / 60_000) * 60_000 - minutes * 60_000), to: new Date(to) }
}

const cloud = azure.machines()
const measuredOf = ({ id, name, resourceGroup: group }: AzureMachineSpec) => ({
  id,
  name,
  place: { group, location: 'southindia' },
})
const one = machineSpec(1)
const two = machineSpec(2)
for (const spec of [one, two]) await cloud.createMachine(spec, signal())
await azure.control('POST', '/_clock', { advanceSeconds: 600 })
afterEach(async () => {
  await azure.clearFaults()
  await azure.control('POST', '/_permissions', { permissions: null })
})

describe('processor usage', () => {
  test('follows shells and injected load, without the newest minutes', async () => {
    await azure.control('POST', `/_machines/${two.name}/processor`, { percent: 61.5 })
    await azure.control('POST', '/_clock', { advanceSeconds: 300 })
    const seen = await metrics.processorUsage([one, two].map(measuredOf), 'southindia', await span(20), signal())
    const [idle, busy] = [seen.get(one.id)!, seen.get(two.id)!]
    expect(idle.length).toBeGreaterThanOrEqual(20)
    // The machine has no data before its creation, then boots for two minutes, then is idle.
    expect(idle[0]!.percent).toBeNull()
    const measured = idle.flatMap(({ percent }) => (percent === null ? [] : [percent]))
    expect(measured.filter((percent) => percent >= 5)).toHaveLength(2)
    expect(Math.min(...measured)).toBeGreaterThan(0)
    expect(idle.slice(-2).map(({ percent }) => percent)).toEqual([null, null])
    expect(busy.findLast(({ percent }) => percent !== null)!.percent).toBe(61.5)
    expect(idle.map(({ at }) => at.getTime())).toEqual(idle.map((_, i) => idle[0]!.at.getTime() + i * 60_000))
  })

  test('is requested fifty machines at a time, and omits only the missing machine', async () => {
    const many = Array.from({ length: 60 }, (_, i) => machineSpec(100 + i))
    const before = sent.length
    const seen = await metrics.processorUsage(
      [one, ...many, two].map(measuredOf),
      'southindia',
      await span(5),
      signal(),
    )
    expect([...seen.keys()].toSorted()).toEqual([one.id, two.id])
    const sizes = sent.slice(before).map(({ body }) => (body as { resourceids: string[] }).resourceids.length)
    expect(Math.max(...sizes)).toBe(50)
  })

  test('is refused without the role at the subscription or when throttled', async () => {
    await azure.control('POST', '/_permissions', { permissions: [{ actions: ['Microsoft.Compute/*'] }] })
    await expect(metrics.processorUsage([measuredOf(one)], 'southindia', await span(5), signal())).rejects.toThrow(
      'lacks Microsoft.Insights/metrics/read at the subscription (AuthorizationFailed)',
    )
    await azure.control('POST', '/_permissions', { permissions: null })
    await azure.fault({ kind: 'throttle', operation: 'MetricsBatch_Batch', retryAfter: 40, times: 1 })
    await expect(
      metrics.processorUsage([measuredOf(one)], 'southindia', await span(5), signal()),
    ).rejects.toMatchObject({
      kind: 'throttled',
      retryAfter: 40,
    })
  })

  test('is not requested for an invalid location name', async () => {
    const asked = metrics.processorUsage([measuredOf(one)], 'evil.test/x?', await span(5), signal())
    await expect(asked).rejects.toThrow('No request was sent')
  })
})

test.skipIf(root === undefined)(
  "passes Azure's own validator (AZURE_MONITOR_OPENAPI, or shared/references beside the checkout)",
  async () => {
    const validator = new LiveValidator(
      {
        directory: root!,
        swaggerPathsPattern: [FILE],
        git: { shouldClone: false },
        loadValidatorInBackground: false,
        isArmCall: false,
      },
      () => {},
    )
    await validator.initialize()
    expect(validator.swaggerList).toHaveLength(1)
    expect(sent.length).toBeGreaterThan(5)
    const violations: string[] = []
    for (const { url, body, reply } of sent) {
      const { requestValidationResult: asked, responseValidationResult: answered } =
        await validator.validateLiveRequestResponse({
          liveRequest: {
            url,
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: body as Record<string, unknown>,
          },
          liveResponse: {
            statusCode: String(reply.status),
            headers: { 'content-type': 'application/json' },
            body: reply.body as Record<string, unknown>,
          },
        })
      expect(asked.operationInfo.operationId).toBe('MetricsBatch_Batch')
      for (const error of [...asked.errors, ...answered.errors])
        violations.push(`${error.code} ${error.message} ${url}`)
    }
    expect(violations).toEqual([])
  },
)
