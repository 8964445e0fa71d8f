import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { isSafePath, isSafePathPart } from '@trainyard/platform/server/providers/safe-path.ts'

/** Checks names before they become part of a URL. The SDKs parse the URL, which silently resolves `..`. */
export function withCheckedNames<Client extends object>(client: Client): Client {
  return mapProperties(client, (group) =>
    isObject(group) ? mapProperties(group, (operation) => checking(operation, group)) : group,
  )
}

function checking(operation: unknown, group: object): unknown {
  if (typeof operation !== 'function') return operation
  return (...given: unknown[]): unknown => {
    for (const text of given) if (typeof text === 'string') checkedText(text)
    return Reflect.apply(operation, group, given)
  }
}

const checkedText = (text: string): string =>
  /^\/?(?:subscriptions|providers)\//i.test(text) && isSafePath(text) ? text : checkedName(text)

/** Returns the name if it is a single path segment. Throws CloudError otherwise. */
export function checkedName(text: string): string {
  if (isSafePathPart(text)) return text
  throw new CloudError('refused', `${JSON.stringify(text)} is not a name of an Azure resource. No request was sent.`)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function mapProperties<T extends object>(target: T, change: (value: unknown) => unknown): T {
  return new Proxy(target, { get: (it, name): unknown => change(Reflect.get(it, name)) })
}
