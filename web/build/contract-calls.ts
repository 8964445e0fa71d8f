import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { Call } from '@trainyard/contract/call.ts'

export interface WireCall {
  readonly method: Call['method']
  readonly path: string
  readonly input: 'query' | 'body' | null
  readonly creates: boolean
}

export function wireCall(name: string, call: Call): WireCall {
  if (call.query && call.body) throw new Error(`${name} takes both a query and a body: the client knows only one input`)
  const input = call.query ? 'query' : call.body ? 'body' : null
  return { method: call.method, path: call.path, input, creates: call.creates ?? false }
}

const id = 'virtual:calls'

type Calls = Readonly<Record<string, Readonly<Record<string, Call>>>>

/** Provides the contract's methods and paths as plain data, so that zod is not in the bundle. */
export function contractCalls(contractFile: string): Plugin {
  return {
    name: 'contract-calls',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(source) {
      if (source !== `\0${id}`) return undefined
      const loaded = (await import(pathToFileURL(contractFile).href)) as { contract: Calls }
      return sourceOf(loaded.contract)
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
