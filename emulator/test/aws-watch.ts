import { judgeAws } from '#test/aws-judge.ts'
import type { AwsExchange } from '#test/aws-wire.ts'

/** Looks at everything that goes over AWS's wire in a test. */
export interface AwsWatch {
  see(exchange: AwsExchange): void
  readonly seen: readonly AwsExchange[]
  /** Prints what was judged, and throws with every violation. To be called after the tests. */
  settle(): { readonly operations: ReadonlyMap<string, number>; readonly messages: number }
}

/** @param spoilt replies that were made unreadable on purpose are not judged */
export function watchAws(): AwsWatch & { spoilt: boolean } {
  const seen: AwsExchange[] = []
  return {
    spoilt: false,
    seen,
    see(exchange) {
      seen.push(
        this.spoilt && exchange.reply !== null && exchange.reply.status < 300 ? { ...exchange, reply: null } : exchange,
      )
    },
    settle() {
      const operations = new Map<string, number>()
      const violations = new Set<string>()
      let messages = 0
      for (const exchange of seen) {
        const verdict = judgeAws(exchange)
        messages += exchange.reply === null ? 1 : 2
        operations.set(verdict.operation, (operations.get(verdict.operation) ?? 0) + 1)
        for (const violation of verdict.violations) violations.add(violation)
      }
      process.stdout.write(
        `AWS's models: ${operations.size} operations, ${messages} messages, ${violations.size} violations\n`,
      )
      if (violations.size > 0) throw new Error(`AWS's models were not kept to:\n${[...violations].join('\n')}`)
      return { operations, messages }
    },
  }
}
