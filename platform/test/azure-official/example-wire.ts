import { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline'
import type { OfficialOperation, Specification } from './specification.ts'

/** Response from Azure's published examples: the example's name and the status of its response. */
export type ExampleAnswer = { readonly example: string; readonly status: number } | 'absent'

export interface ExampleRequest {
  readonly operation: string
  readonly body: unknown
}

/** Returns an HTTP client on which each operation returns its examples in turn, the last one repeatedly. */
export function exampleClient(
  specification: Specification,
  answers: Readonly<Record<string, readonly ExampleAnswer[]>>,
  date: Date,
): { readonly wire: HttpClient; readonly requests: ExampleRequest[] } {
  const requests: ExampleRequest[] = []
  const turns = new Map<string, number>()
  const wire: HttpClient = {
    async sendRequest(request) {
      const operation = operationOf(specification, request.method, request.url)
      requests.push({
        operation: operation.id,
        body: typeof request.body === 'string' ? JSON.parse(request.body) : null,
      })
      const given = answers[operation.id] ?? []
      const turn = turns.get(operation.id) ?? 0
      turns.set(operation.id, turn + 1)
      const answer = given[Math.min(turn, given.length - 1)]
      if (answer === undefined) throw new Error(`No example is chosen for ${operation.id}.`)
      const { status, body, headers } = answer === 'absent' ? ABSENT : replyOf(operation, answer)
      return {
        request,
        status,
        headers: createHttpHeaders({ 'content-type': 'application/json', ...headers, date: date.toUTCString() }),
        bodyAsText: body === undefined ? '' : JSON.stringify(body),
      }
    },
  }
  return { wire, requests }
}

const ABSENT = {
  status: 404,
  headers: {},
  body: { error: { code: 'ResourceNotFound', message: 'The resource was not found.' } },
}

function replyOf(operation: OfficialOperation, { example, status }: { example: string; status: number }) {
  const reply = operation.examples.get(example)?.responses[status]
  if (reply === undefined) throw new Error(`${operation.id} has no example '${example}' with status ${status}.`)
  return { status, headers: reply.headers ?? {}, body: reply.body }
}

function operationOf({ operations }: Specification, method: string, url: string): OfficialOperation {
  const { pathname } = new URL(url)
  for (const operation of operations.values()) {
    const shape = operation.path.replace('{scope}', '.+').replace(/\{\w+\}/g, '[^/]+')
    if (operation.method === method && new RegExp(`^${shape}$`, 'i').test(pathname)) return operation
  }
  throw new Error(`Azure has no ${method} ${pathname}.`)
}
