import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { type Call, isRead, methodOf, pathOf, type WireCall } from '@trainyard/platform/contract/call.ts'
import type { Contract } from '@trainyard/platform/contract/contract.ts'

export function wireCall(name: string, call: Call): WireCall {
  if (call.query && call.body) throw new Error(`${name} takes both a query and a body: the client knows only one input`)
  const input = call.query ? 'query' : call.body ? 'body' : null
  return {
    method: methodOf(call),
    path: pathOf(call),
    input,
    creates: call.once ?? false,
    reads: isRead(call),
    isOpen: call.for === 'anyone',
  }
}

const CALLS = 'virtual:calls'
const LABELS = 'virtual:audit-labels'
const EVENTS = 'virtual:published-events'

type Calls = Readonly<Record<string, Readonly<Record<string, Call>>>>

/**
 * Provides the methods, paths, audit texts and events of all modules as plain data, so that zod is not in the bundle.
 * @param list file of the joined contract
 * @param labels file of the audit labels
 */
export function contractCalls(list: string, labels: string): Plugin {
  return {
    name: 'contract-calls',
    resolveId: (source) => ([CALLS, LABELS, EVENTS].includes(source) ? `\0${source}` : undefined),
    async load(source) {
      const load = (file: string): Promise<unknown> => import(pathToFileURL(file).href)
      if (source === `\0${EVENTS}`) {
        const { PUBLISHED } = (await load(list)) as { PUBLISHED: Readonly<Record<string, { does: string }>> }
        const texts = Object.entries(PUBLISHED).map(([type, { does }]) => [type, does])
        return `export const publishedEvents = ${JSON.stringify(Object.fromEntries(texts))}`
      }
      if (source !== `\0${CALLS}` && source !== `\0${LABELS}`) return undefined
      const { contract, AUDITED } = (await load(list)) as {
        contract: Calls & Contract
        AUDITED: Readonly<Record<string, string>>
      }
      if (source === `\0${CALLS}`) return sourceOf(contract)
      const { auditLabelsOf } = (await load(labels)) as typeof import('@trainyard/platform/contract/audit-labels.ts')
      return `export const auditLabels = ${JSON.stringify(auditLabelsOf(contract, AUDITED))}`
    },
  }
}

/**
 * Returns the source of the module: a line per contract module, in which a call is for example `order+POST/order`, or
 * `login+post/login` if it needs no session. The text is smaller than the objects, also when compressed.
 */
export function sourceOf(contract: Calls): string {
  const lines = Object.entries(contract).map(([module, calls]) =>
    [module, ...Object.entries(calls).map(([name, call]) => name + textOf(wireCall(`${module}.${name}`, call)))].join(
      ' ',
    ),
  )
  return `const text = ${JSON.stringify(lines.join('\n'))}
const callOf = (each) => {
  const [, name, mark, method, path] = /(\\w+)([-?+!~])(\\w+)(.+)/.exec(each)
  const input = mark === '-' ? null : mark === '?' ? 'query' : 'body'
  return [name, { method: method.toUpperCase(), path, input, creates: mark === '!', reads: mark === '~' || method.toUpperCase() === 'GET', isOpen: /[a-z]/.test(method) }]
}
export const calls = Object.fromEntries(text.split('\\n').map((line) => {
  const [module, ...names] = line.split(' ')
  return [module, Object.fromEntries(names.map(callOf))]
}))`
}

function textOf({ method, path, input, creates, reads, isOpen }: WireCall): string {
  if (creates && input !== 'body') throw new Error(`${path} creates something without a body`)
  const mark = creates ? '!' : reads && input === 'body' ? '~' : input === null ? '-' : input === 'query' ? '?' : '+'
  return mark + (isOpen ? method.toLowerCase() : method) + path
}
