import { validateAws } from './aws-validator.ts'
import type { AwsExchange } from './aws-wire.ts'

export interface AwsRecorder {
  record(exchange: AwsExchange): void
  readonly exchanges: readonly AwsExchange[]
  /**
   * Prints a summary of all exchanges. Call it after the tests.
   * @throws Error that lists every violation of AWS's models
   */
  validate(): { readonly operations: ReadonlyMap<string, number>; readonly messages: number }
}

/**
 * Returns a recorder. While `ignoresReplies` is true, successful replies are not validated because a fault makes them
 * unreadable.
 */
export function recordAws(): AwsRecorder & { ignoresReplies: boolean } {
  const exchanges: AwsExchange[] = []
  return {
    ignoresReplies: false,
    exchanges: exchanges,
    record(exchange) {
      exchanges.push(
        this.ignoresReplies && exchange.reply !== null && exchange.reply.status < 300
          ? { ...exchange, reply: null }
          : exchange,
      )
    },
    validate() {
      const operations = new Map<string, number>()
      const violations = new Set<string>()
      let messages = 0
      for (const exchange of exchanges) {
        const verdict = validateAws(exchange)
        messages += exchange.reply === null ? 1 : 2
        operations.set(verdict.operation, (operations.get(verdict.operation) ?? 0) + 1)
        for (const violation of verdict.violations) violations.add(violation)
      }
      process.stdout.write(
        `AWS's models: ${operations.size} operations, ${messages} messages, ${violations.size} violations\n`,
      )
      if (violations.size > 0) throw new Error(`Violations of AWS's models:\n${[...violations].join('\n')}`)
      return { operations, messages }
    },
  }
}
