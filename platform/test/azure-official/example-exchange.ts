import type { Exchange } from './contract.ts'
import type { OfficialExample, OfficialOperation } from './specification.ts'

export function exampleExchange(operation: OfficialOperation, example: OfficialExample, status: string): Exchange {
  const value = (name: string) => String(example.parameters[name]).replace(/[{}]/g, '')
  // A scope is itself a path and must not be escaped.
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'scope' ? value(name).replace(/^\//, '') : encodeURIComponent(value(name)),
  )
  const query = new URLSearchParams({ 'api-version': operation.apiVersion })
  for (const parameter of operation.parameters) {
    if (parameter.in === 'query' && example.parameters[parameter.name] !== undefined) {
      query.set(parameter.name, value(parameter.name))
    }
  }
  const body = operation.parameters.find((parameter) => parameter.in === 'body')
  const reply = example.responses[status]
  return {
    method: operation.method,
    url: `https://management.azure.com${path}?${query.toString()}`,
    requestHeaders: { 'content-type': 'application/json' },
    requestBody: body === undefined ? null : JSON.stringify(example.parameters[body.name]),
    reply: {
      status: Number(status),
      headers: { 'content-type': 'application/json', ...reply?.headers },
      body: reply?.body === undefined ? null : JSON.stringify(reply.body),
    },
  }
}
