import { createInterface } from 'node:readline/promises'
import type { Console } from './live.ts'

/** The terminal: asks there, unless it was agreed to beforehand; Ctrl-C calls off what is going on, once. */
export function terminal(agreed: boolean): Console {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  return {
    say: (text) => void process.stdout.write(text),
    interrupted: interruption.signal,
    async ask(question) {
      if (agreed) return true
      if (!process.stdin.isTTY) {
        process.stdout.write(`${question} Nobody is there to answer; --yes agrees.\n`)
        return false
      }
      const asking = createInterface({ input: process.stdin, output: process.stdout })
      try {
        return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `, { signal: interruption.signal })).trim())
      } finally {
        asking.close()
      }
    },
  }
}
