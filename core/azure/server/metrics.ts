import { isRestError, type PipelineResponse, RestError } from '@azure/core-rest-pipeline'
import { MetricsClient, type MetricsQueryResult } from '@azure/monitor-query-metrics'
import type { MachineMetrics, MeasuredMachine, ProcessorMinute } from '@trainyard/templates/server/machine-metrics.ts'
import { call } from './calls.ts'
import { azureErrorIn } from './errors.ts'
import { type AzureSettings, clientOptions } from './clients.ts'
import { checkedName } from './checked-names.ts'

/** Maximum number of machines per batch, all of one subscription, region and type (open-telemetry contrib#40078). */
const BATCH = 50
const TYPE = 'Microsoft.Compute/virtualMachines'
const METRIC = 'Percentage CPU'
/** Audience from the published specification. The client's default is the audience of Azure Resource Manager. */
const AUDIENCE = 'https://metrics.monitor.azure.com'

interface Span {
  readonly from: Date
  readonly to: Date
}

export function azureMetrics(settings: AzureSettings): MachineMetrics {
  const { subscriptionId, credential } = settings
  const clients = new Map<string, MetricsClient>()

  function clientAt(location: string): MetricsClient {
    const known = clients.get(location)
    if (known !== undefined) return known
    const endpoint = `https://${checkedName(location)}.metrics.monitor.azure.com`
    const options = { ...clientOptions(settings), endpoint, audience: AUDIENCE }
    const created = new MetricsClient(endpoint, credential, options)
    clients.set(location, created)
    return created
  }

  async function batch(ids: readonly string[], location: string, { from, to }: Span, signal: AbortSignal) {
    const { body } = await call('read the processor usage of machines', signal, async (options) => {
      let answered: PipelineResponse | undefined
      const onResponse = (response: PipelineResponse) => {
        answered = response
        options.onResponse(response, null)
      }
      const query = { ...options, onResponse, startTime: from, endTime: to, interval: 'PT1M', aggregation: 'average' }
      try {
        return await clientAt(location).queryResources([...ids], [METRIC], TYPE, query)
      } catch (problem) {
        throw isRestError(problem) && answered !== undefined ? withAnswer(problem, answered) : problem
      }
    })
    return body
  }

  /**
   * Returns the metrics of existing machines. Azure refuses a whole batch because of one missing resource. Halving the
   * batch finds it.
   */
  async function knownMetrics(
    ids: readonly string[],
    ...rest: [string, Span, AbortSignal]
  ): Promise<MetricsQueryResult[]> {
    try {
      return await batch(ids, ...rest)
    } catch (problem) {
      if (azureErrorIn(problem)?.status !== 404) throw problem
      if (ids.length === 1) return []
      const half = Math.ceil(ids.length / 2)
      return [...(await knownMetrics(ids.slice(0, half), ...rest)), ...(await knownMetrics(ids.slice(half), ...rest))]
    }
  }

  return {
    async processorUsage(machines, location, span, signal) {
      const machineByResourceId = new Map(
        machines.map((machine) => [idOf(subscriptionId, machine).toLowerCase(), machine.id]),
      )
      const ids = machines.map((machine) => idOf(subscriptionId, machine))
      const minutesByMachine = new Map<string, readonly ProcessorMinute[]>()
      for (let first = 0; first < ids.length; first += BATCH) {
        for (const result of await knownMetrics(ids.slice(first, first + BATCH), location, span, signal)) {
          const id = machineByResourceId.get(result.resourceId?.toLowerCase() ?? '')
          if (id !== undefined) minutesByMachine.set(id, minutesIn(result))
        }
      }
      return minutesByMachine
    },
  }
}

/** Adds the response to an error. The errors of this client lack the body, which states the reason. */
const withAnswer = ({ message, code }: RestError, response: PipelineResponse): RestError =>
  new RestError(message, {
    ...(code === undefined ? {} : { code }),
    statusCode: response.status,
    request: response.request,
    response,
  })

const idOf = (subscriptionId: string, { place, name }: MeasuredMachine): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${checkedName(place.group)}/providers/${TYPE}/${checkedName(name)}`

function minutesIn({ metrics }: MetricsQueryResult): ProcessorMinute[] {
  const data = metrics.flatMap((metric) => metric.timeseries.flatMap((series) => series.data ?? []))
  return data
    .map(({ timeStamp, average }) => ({ at: timeStamp, percent: average ?? null }))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}
