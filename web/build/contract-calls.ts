import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { type Call, methodOf, pathOf } from '@trainyard/contract/call.ts'

export interface WireCall {
  readonly method: string
  readonly path: string
  readonly input: 'query' | 'body' | null
  readonly creates: boolean
}

export function wireCall(name: string, call: Call): WireCall {
  if (call.query && call.body) throw new Error(`${name} takes both a query and a body: the client knows only one input`)
  const input = call.query ? 'query' : call.body ? 'body' : null
  return { method: methodOf(call), path: pathOf(call), input, creates: call.once ?? false }
}

const CALLS = 'virtual:calls'
const LABELS = 'virtual:audit-labels'
const EVENTS = 'virtual:published-events'

type Calls = Readonly<Record<string, Readonly<Record<string, Call>>>>

/** Provides the contract's methods, paths, audit texts and events as plain data, so that zod is not in the bundle. */
export function contractCalls(contractFolder: string): Plugin {
  return {
    name: 'contract-calls',
    resolveId: (source) => ([CALLS, LABELS, EVENTS].includes(source) ? `\0${source}` : undefined),
    async load(source) {
      const load = (file: string): Promise<unknown> => import(pathToFileURL(`${contractFolder}/${file}`).href)
      if (source === `\0${CALLS}`) return sourceOf(((await load('contract.ts')) as { contract: Calls }).contract)
      if (source === `\0${EVENTS}`) {
        const { PUBLISHED } = (await load('contract.ts')) as { PUBLISHED: Readonly<Record<string, { does: string }>> }
        const texts = Object.entries(PUBLISHED).map(([type, { does }]) => [type, does])
        return `export const publishedEvents = ${JSON.stringify(Object.fromEntries(texts))}`
      }
      if (source !== `\0${LABELS}`) return undefined
      const { auditLabels } = (await load('audit-labels.ts')) as { auditLabels: object }
      return `export const auditLabels = ${JSON.stringify(auditLabels)}`
    },
  }
}

/**
 * Returns the source of the module: a line per contract module, in which a call is for example `login+POST/login`. The
 * text is smaller than the objects, also when compressed.
 */
export function sourceOf(contract: Calls): string {
  const lines = Object.entries(contract).map(([module, calls]) =>
    [module, ...Object.entries(calls).map(([name, call]) => name + textOf(wireCall(`${module}.${name}`, call)))].join(
      ' ',
    ),
  )
  return `const text = ${JSON.stringify(lines.join('\n'))}
const callOf = (each) => {
  const [, name, mark, method, path] = /(\\w+)([-?+!])(\\w+)(.+)/.exec(each)
  return [name, { method, path, input: mark === '-' ? null : mark === '?' ? 'query' : 'body', creates: mark === '!' }]
}
export const calls = Object.fromEntries(text.split('\\n').map((line) => {
  const [module, ...names] = line.split(' ')
  return [module, Object.fromEntries(names.map(callOf))]
}))`
}

function textOf({ method, path, input, creates }: WireCall): string {
  if (creates && input !== 'body') throw new Error(`${path} creates something without a body`)
  return (creates ? '!' : input === null ? '-' : input === 'query' ? '?' : '+') + method + path
}
