import type { Structure, Value } from './operation.ts'
import { AwsRefusal } from './refusal.ts'

const organizationsTarget = 'AWSOrganizationsV20161128'

export function readJson(target: string, body: string): { action: string; input: Structure } {
  const [service, action] = target.split('.')
  if (service !== organizationsTarget || action === undefined) {
    throw new AwsRefusal(400, 'UnknownOperationException', 'The operation is not known.')
  }
  try {
    return { action, input: JSON.parse(body === '' ? '{}' : body) as Structure }
  } catch {
    throw new AwsRefusal(400, 'SerializationException', 'The request could not be read.')
  }
}

export function jsonReply(output: Structure | undefined): string {
  return output === undefined ? '' : JSON.stringify(jsonValue(output))
}

export function jsonRefusal(refusal: AwsRefusal): string {
  return JSON.stringify({ __type: refusal.code, Message: refusal.message })
}

function jsonValue(value: Value): unknown {
  if (value instanceof Date) return value.getTime() / 1000
  if (Array.isArray(value)) return value.map(jsonValue)
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value as Structure).map(([name, each]) => [name, jsonValue(each)]))
}
