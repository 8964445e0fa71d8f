import { judgeAws } from '#test/aws-judge.ts'
import type { AwsExchange } from '#test/aws-wire.ts'

/** The last exchange of each operation that was done. */
export function doneOf(seen: readonly AwsExchange[]): ReadonlyMap<string, Done> {
  const done = seen.filter((exchange): exchange is Done => exchange.reply !== null && exchange.reply.status < 300)
  return new Map(done.map((exchange) => [judgeAws(exchange).operation, exchange]))
}

type Done = AwsExchange & { readonly reply: NonNullable<AwsExchange['reply']> }

/** Spoils an exchange in three ways, and answers with those that the judge of AWS's messages does not see. */
export function unseenSpoils({ headers, body, reply }: Done): string[] {
  const json = body.startsWith('{')
  const withMore = json
    ? body.replace(/^\{(\s*")?/, (_, rest: string) => `{"Colour":"blue"${rest ? `,${rest}` : ''}`)
    : `${body}&Colour=blue`
  const otherReply = json ? '{"Colour":1}' : reply.body.replace(/<(\w+)Response /, '<OtherResponse ')
  const violations = (spoilt: Partial<Done>) => judgeAws({ headers, body, reply, ...spoilt }).violations
  return [
    violations({ body: withMore }).join().includes('Colour') ? [] : ['a member that is in no model'],
    violations({ headers: { ...headers, authorization: '' } }).length === 1 ? [] : ['no signature'],
    violations({ reply: { ...reply, body: otherReply } }).length > 0 ? [] : ['the reply to something else'],
  ].flat()
}
