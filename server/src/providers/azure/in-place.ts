import { CloudError } from '../errors.ts'
import { isPath, isPathPart } from '../path-part.ts'

/**
 * Wraps a client so that every name and id passed to its operations is checked before it becomes part of a URL. A check
 * in the HTTP client would be too late: the SDKs parse the URL, which silently resolves `..`.
 */
export function inPlace<Client extends object>(client: Client): Client {
  return through(client, (group) =>
    isObject(group) ? through(group, (operation) => looking(operation, group)) : group,
  )
}

function looking(operation: unknown, group: object): unknown {
  if (typeof operation !== 'function') return operation
  return (...given: unknown[]): unknown => {
    for (const text of given) if (typeof text === 'string') textInPlace(text)
    return Reflect.apply(operation, group, given)
  }
}

// Only scopes and resource ids contain slashes.
const textInPlace = (text: string): string =>
  /^\/?(?:subscriptions|providers)\//i.test(text) && isPath(text) ? text : nameInPlace(text)

/** Returns the name if it is a single path segment. Throws CloudError otherwise. */
export function nameInPlace(text: string): string {
  if (isPathPart(text)) return text
  throw new CloudError('refused', `${JSON.stringify(text)} is not a name of an Azure resource. No request was sent.`)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function through<T extends object>(target: T, change: (value: unknown) => unknown): T {
  return new Proxy(target, { get: (it, name): unknown => change(Reflect.get(it, name)) })
}
