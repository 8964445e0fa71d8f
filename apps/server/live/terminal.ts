import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import type { Console } from './live.ts'

interface Streams {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
}

const THIS_PROCESS: Streams = { input: process.stdin, output: process.stdout }

export function terminal(agreed: boolean, { input, output }: Streams = THIS_PROCESS): Console {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  return {
    logMessage: (text) => void output.write(text),
    interrupted: interruption.signal,
    async ask(question) {
      if (agreed) return true
      if (input.isTTY !== true) {
        output.write(`${question} This is not a terminal. Use --yes to agree.\n`)
        return false
      }
      const asking = createInterface({ input, output, terminal: true })
      try {
        return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `, { signal: interruption.signal })).trim())
      } catch (error) {
        if ((error as Error).name !== 'AbortError') throw error
        output.write('\n')
        return false
      } finally {
        asking.close()
      }
    },
  }
}
