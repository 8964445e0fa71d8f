import { z } from 'zod'
import { keyOf, parseResourceId } from '../arm/ids.ts'
import { param, versions, type Call, type Operation } from '../arm/operation.ts'
import { readBody } from '../arm/read-body.ts'
import { Refusal } from '../arm/refusal.ts'
import type { AzureCloud } from '../cloud.ts'
import type { Machine } from '../compute/machines.ts'
import { MINUTE, cpuAverages } from './cpu-load.ts'

/** Delay until a minute's average is available. The documentation says up to three minutes. */
const LAG = 2 * MINUTE
const MAX_RESOURCES = 50
const HOUR = 60 * MINUTE
const RETENTION_MS = 93 * 24 * HOUR
const TYPE = 'microsoft.compute/virtualmachines'
const METRIC = 'Percentage CPU'

const shape = z.object({ resourceids: z.array(z.string()).min(1) })

/** Azure Monitor serves it on a separate host per region, at this path. */
export const metricsBatchOperations = (cloud: AzureCloud): Operation[] => [
  {
    name: 'MetricsBatch_Batch',
    method: 'POST',
    // The router reads two colons as one. A single colon would start a parameter.
    path: '/subscriptions/:subscription/metrics::getBatch',
    versions: versions.metrics,
    action: 'Microsoft.Insights/metrics/read',
    handle(call) {
      const { resourceids } = readBody(call, shape)
      if (resourceids.length > MAX_RESOURCES)
        throw badRequest(`At most ${MAX_RESOURCES} resource ids may be queried in one batch.`)
      const { from, to } = spanOf(call)
      refuseOther(call)
      const machines = resourceids.map((id) => machineNamed(cloud, param(call, 'subscription'), id))
      if (new Set(machines.map(({ location }) => location)).size > 1) {
        throw badRequest('All resources of one batch must be in the same region.')
      }
      return {
        status: 200,
        body: { values: machines.map((machine) => valuesOf(cloud, machine, { from, to, now: call.now })) },
      }
    },
  },
]

interface Span {
  readonly from: number
  readonly to: number
  readonly now: number
}

function spanOf({ query, now }: Call): { from: number; to: number } {
  const { starttime, endtime } = query
  if (starttime === undefined && endtime !== undefined) throw badRequest('endtime needs a starttime.')
  const to = endtime === undefined ? now : Date.parse(endtime)
  const from = starttime === undefined ? to - HOUR : Date.parse(starttime)
  if (Number.isNaN(from) || Number.isNaN(to) || from >= to) {
    throw badRequest('Detected invalid time range parameters for API version 2024-02-01.')
  }
  if (from < now - RETENTION_MS)
    throw badRequest(`Query startTime is out of the Max metrics retention period: 93.00:00:00`)
  return { from, to }
}

/** The emulator supports a single metric, Percentage CPU, at one-minute granularity. */
function refuseOther({ query }: Call): void {
  if (query['metricnamespace']?.toLowerCase() !== TYPE)
    throw badRequest(`The namespace ${query['metricnamespace']} is not emulated.`)
  if (query['metricnames']?.toLowerCase() !== METRIC.toLowerCase()) {
    throw badRequest(
      `Failed to find metric configuration for provider: Microsoft.Compute, resource Type: virtualMachines, metric: ${query['metricnames']}, Valid metrics: ${METRIC}`,
    )
  }
  if ((query['interval'] ?? 'PT1M') !== 'PT1M') throw badRequest('The emulator supports only the interval PT1M.')
  if (query['aggregation']?.toLowerCase() !== 'average')
    throw badRequest('The emulator supports only the aggregation average.')
}

function machineNamed({ machines }: AzureCloud, subscription: string, id: string): Machine {
  const parsedId = parseResourceId(id)
  const found =
    parsedId === undefined ? undefined : machines.existingByName(parsedId.name).find(({ key }) => key === keyOf(id))
  if (found !== undefined && found.subscription === subscription.toLowerCase()) return found
  throw new Refusal(404, 'ResourceNotFound', `The resource ${id} could not be found.`)
}

function valuesOf(cloud: AzureCloud, machine: Machine, { from, to, now }: Span): object {
  const begin = Math.floor(from / MINUTE) * MINUTE
  const averages = cpuAverages(cloud, machine.uid, begin, to)
  return {
    starttime: new Date(from).toISOString(),
    endtime: new Date(to).toISOString(),
    interval: 'PT1M',
    namespace: TYPE,
    resourceregion: machine.location,
    resourceid: machine.id,
    value: [
      {
        id: `${machine.id}/providers/Microsoft.Insights/metrics/${METRIC}`,
        type: 'Microsoft.Insights/metrics',
        name: { value: METRIC, localizedValue: METRIC },
        displayDescription:
          'The percentage of allocated compute units that are currently in use by the Virtual Machine(s)',
        unit: 'Percent',
        timeseries: [
          {
            metadatavalues: [],
            data: averages.map((average, index) => {
              const at = begin + index * MINUTE
              const measured = average !== undefined && at + MINUTE + LAG <= now
              return { timeStamp: new Date(at).toISOString().replace('.000Z', 'Z'), ...(measured ? { average } : {}) }
            }),
          },
        ],
        errorCode: 'Success',
      },
    ],
  }
}

const badRequest = (message: string): Refusal => new Refusal(400, 'BadRequest', message)
