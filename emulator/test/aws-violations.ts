import { validateAws } from '#test/aws-validator.ts'
import type { AwsExchange } from '#test/aws-wire.ts'

export function successfulExchanges(seen: readonly AwsExchange[]): ReadonlyMap<string, Done> {
  const done = seen.filter((exchange): exchange is Done => exchange.reply !== null && exchange.reply.status < 300)
  return new Map(done.map((exchange) => [validateAws(exchange).operation, exchange]))
}

type Done = AwsExchange & { readonly reply: NonNullable<AwsExchange['reply']> }

/** Corrupts an exchange in three ways and returns those that validateAws does not detect. */
export function undetectedViolations({ headers, body, reply }: Done): string[] {
  const json = body.startsWith('{')
  const withMore = json
    ? body.replace(/^\{(\s*")?/, (_, rest: string) => `{"Colour":"blue"${rest ? `,${rest}` : ''}`)
    : `${body}&Colour=blue`
  const otherReply = json ? '{"Colour":1}' : reply.body.replace(/<(\w+)Response /, '<OtherResponse ')
  const violations = (changed: Partial<Done>) => validateAws({ headers, body, reply, ...changed }).violations
  return [
    violations({ body: withMore }).join().includes('Colour') ? [] : ['an unknown member'],
    violations({ headers: { ...headers, authorization: '' } }).length === 1 ? [] : ['a missing signature'],
    violations({ reply: { ...reply, body: otherReply } }).length > 0 ? [] : ['the reply to another operation'],
  ].flat()
}
