import type { HttpClient, PipelineRequest, PipelineResponse } from '@azure/core-rest-pipeline'
import type { Exchange, OfficialContract } from './contract.ts'
import { validateInThread } from './validator.ts'
import { specificationRoot, WHERE_TO_FIND } from './specification.ts'

/**
 * Records and validates the messages of one adapter in a test. `settle` throws if one of them violated the contract.
 */
export interface ContractWatch {
  /** HTTP client for `azureCloud({ http })`, which records the messages unchanged. */
  http(wire: HttpClient): HttpClient
  /** Waits for the last verdict, prints a summary, and throws with every violation. Call it after the tests. */
  settle(): Promise<ContractReport>
}

interface ContractReport {
  readonly operations: ReadonlyMap<string, number>
  readonly messages: number
}

let shared: OfficialContract | undefined

/** Returns a watch. If the official files are missing, it accepts everything and prints a warning. */
export function watchContract(): ContractWatch {
  const root = specificationRoot()
  if (root === null) return noWatch()
  const contract = (shared ??= validateInThread(root))
  const operations = new Map<string, number>()
  const violations: string[] = []
  const pending = new Set<Promise<void>>()
  let messages = 0

  async function validate(exchange: Exchange) {
    messages += exchange.reply === null ? 1 : 2
    try {
      const verdict = await contract.validate(exchange)
      operations.set(verdict.operation, (operations.get(verdict.operation) ?? 0) + 1)
      violations.push(...verdict.violations)
    } catch (problem) {
      violations.push(`${exchange.method} ${exchange.url}: ${String(problem)}`)
    }
  }

  // Validates in the background, so that the response is not delayed.
  function record(exchange: Exchange) {
    const work = validate(exchange)
    pending.add(work)
    void work.finally(() => pending.delete(work))
  }

  return {
    http: (wire) => ({
      async sendRequest(request) {
        try {
          const response = await wire.sendRequest(request)
          record(exchangeOf(request, response))
          return response
        } catch (problem) {
          record(exchangeOf(request, null))
          throw problem
        }
      },
    }),
    async settle() {
      while (pending.size > 0) await Promise.all(pending)
      const counts = `${operations.size} operations, ${messages} messages, ${violations.length} violations`
      process.stdout.write(`Azure's contract: ${counts}\n`)
      if (violations.length > 0) throw new Error(`Azure's contract was broken:\n${[...new Set(violations)].join('\n')}`)
      return { operations, messages }
    },
  }
}

function noWatch(): ContractWatch {
  process.stdout.write(`Azure's contract is not checked. ${WHERE_TO_FIND}.\n`)
  return { http: (wire) => wire, settle: async () => ({ operations: new Map(), messages: 0 }) }
}

function exchangeOf(request: PipelineRequest, response: PipelineResponse | null): Exchange {
  return {
    method: request.method,
    url: request.url,
    requestHeaders: request.headers.toJSON(),
    requestBody: typeof request.body === 'string' ? request.body : null,
    reply: response && {
      status: response.status,
      headers: response.headers.toJSON(),
      body: response.bodyAsText ?? null,
    },
  }
}
