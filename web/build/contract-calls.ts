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

/** Provides the contract's methods and paths as plain data, so that zod is not in the bundle. */
export function contractCalls(contractFile: string): Plugin {
  return {
    name: 'contract-calls',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(source) {
      if (source !== `\0${id}`) return undefined
      const loaded = (await import(pathToFileURL(contractFile).href)) as {
        contract: Record<string, Record<string, Call>>
      }
      const modules = Object.entries(loaded.contract).map(([module, calls]) => {
        const entries = Object.entries(calls).map(
          ([name, call]) => `${name}: call(${argumentsOf(wireCall(`${module}.${name}`, call))})`,
        )
        return `${module}: { ${entries.join(', ')} }`
      })
      // Calls of a function are smaller than objects, also when compressed.
      return `const call = (method, path, input = null, creates = false) => ({ method, path, input, creates })
export const calls = { ${modules.join(',\n')} }`
    },
  }
}

/** Returns the arguments as source text, without those that have their default value. */
function argumentsOf({ method, path, input, creates }: WireCall): string {
  const given = creates ? [method, path, input, creates] : input === null ? [method, path] : [method, path, input]
  return given.map((value) => JSON.stringify(value)).join(', ')
}
