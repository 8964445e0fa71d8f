import { validateAws } from './aws-validator.ts'
import type { AwsExchange } from './aws-wire.ts'

export function successfulExchanges(exchanges: readonly AwsExchange[]): ReadonlyMap<string, SuccessfulExchange> {
  const successful = exchanges.filter(
    (exchange): exchange is SuccessfulExchange => exchange.reply !== null && exchange.reply.status < 300,
  )
  return new Map(successful.map((exchange) => [validateAws(exchange).operation, exchange]))
}

type SuccessfulExchange = AwsExchange & { readonly reply: NonNullable<AwsExchange['reply']> }

/** Corrupts an exchange in three ways and returns those that validateAws does not detect. */
export function undetectedViolations({ headers, body, reply }: SuccessfulExchange): string[] {
  const json = body.startsWith('{')
  const withUnknownMember = json
    ? body.replace(/^\{(\s*")?/, (_, rest: string) => `{"Colour":"blue"${rest ? `,${rest}` : ''}`)
    : `${body}&Colour=blue`
  const otherReply = json ? '{"Colour":1}' : reply.body.replace(/<(\w+)Response /, '<OtherResponse ')
  const violations = (changed: Partial<SuccessfulExchange>) =>
    validateAws({ headers, body, reply, ...changed }).violations
  return [
    violations({ body: withUnknownMember }).join().includes('Colour') ? [] : ['an unknown member'],
    violations({ headers: { ...headers, authorization: '' } }).length === 1 ? [] : ['a missing signature'],
    violations({ reply: { ...reply, body: otherReply } }).length > 0 ? [] : ['the reply to another operation'],
  ].flat()
}
