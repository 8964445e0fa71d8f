import { CloudError } from '../errors.ts'
import { isPath, isPathPart } from '../path-part.ts'

/**
 * The same client, but every name and id that its operations are given is looked at before an address is made of it.
 * The wire would be too late: the SDKs parse the address, which takes `..` and the name before it away without a word.
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

// A scope or a resource id is the only thing with slashes.
const textInPlace = (text: string): string =>
  /^\/?(?:subscriptions|providers)\//i.test(text) && isPath(text) ? text : nameInPlace(text)

/** The same name, fit to stand in an id: with a slash in it, it would be two. */
export function nameInPlace(text: string): string {
  if (isPathPart(text)) return text
  throw new CloudError('refused', `${JSON.stringify(text)} is no name of anything at Azure: nothing was asked.`)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function through<T extends object>(target: T, change: (value: unknown) => unknown): T {
  return new Proxy(target, { get: (it, name): unknown => change(Reflect.get(it, name)) })
}
