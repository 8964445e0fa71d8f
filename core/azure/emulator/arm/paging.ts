import type { AzureCloud } from '../cloud.ts'
import { groupId, keyOf } from './ids.ts'
import { param, type Answer, type Call } from './operation.ts'
import { host } from './poll-addresses.ts'
import { Refusal } from './refusal.ts'
import type { Resource } from './resources.ts'

const pageSize = 200

export function listOf(cloud: AzureCloud, call: Call, type: string, view: (resource: Resource) => unknown): Answer {
  const subscription = param(call, 'subscription')
  const group = call.params.group
  const scope = group === undefined ? { subscription } : { subscription, group: keyOf(groupId(subscription, group)) }
  if (isEmptyPage(call)) return emptyPage(call)
  const found = cloud.resources.page(type, scope, afterToken(call), pageSize + 1)
  const page = found.slice(0, pageSize)
  const last = page.at(-1)
  return {
    status: 200,
    body: {
      value: page.map(view),
      ...(found.length > pageSize && last !== undefined ? { nextLink: nextLink(call, last.key) } : {}),
    },
  }
}

/** A page may be empty and still link to the next, as recorded. */
export const isEmptyPage = ({ faultKind, query }: Call): boolean =>
  faultKind === 'emptyPage' && query.$skiptoken === undefined

export const emptyPage = (call: Call): Answer => ({
  status: 200,
  body: { value: [], nextLink: nextLink(call, '/subscriptions/') },
})

export function afterToken(call: Call): string {
  const token = call.query.$skiptoken
  if (token === undefined) return ''
  const key = Buffer.from(token, 'base64url').toString()
  if (!key.startsWith('/subscriptions/')) {
    throw new Refusal(400, 'InvalidSkipToken', `The skip token '${token}' is not valid.`)
  }
  return key
}

export function nextLink(call: Call, key: string): string {
  const query = new URLSearchParams(call.query)
  query.set('$skiptoken', Buffer.from(key).toString('base64url'))
  return `${host}${call.path}?${query.toString()}`
}
