import { schemaResolver } from '@mantine/form'
import { numberProblem } from '../../contract/words/money.ts'
import { ALERTS } from '../../contract/words/problems.ts'

/** A shape of the contract. */
export type Shape = Parameters<typeof schemaResolver>[0]

/**
 * Returns a sentence for each field of a body that its shape refuses, by the path of the field; of a list also for the
 * list itself. Leaves out what concerns no field: the reply of the call says it.
 * @param entered texts from which the body was read, by the same names: NaN in the body is a text that is no number
 */
export function problemsIn(shape: Shape, body: object, entered: object = {}): Readonly<Record<string, string>> {
  const found = Object.entries(schemaResolver(shape, { sync: true })(body)).toReversed()
  return Object.fromEntries(
    found
      .filter(([path]) => path !== '')
      .flatMap(([path, message]) => {
        const sentence = sentenceOf(message as string)
        const text = Number.isNaN(valueAt(body, path)) ? String(valueAt(entered, path)) : ''
        const isAmbiguous = sentence !== ALERTS.amountInvalid && /^[-\d₹, ]*\.\d{3,} *$/.test(text)
        const problem = numberProblem(text, isAmbiguous ? DECIMALS : sentence)
        return [
          [path.split(/\.\d/, 1)[0]!, problem],
          [path, problem],
        ]
      }),
  )
}

/** Error for an amount such as '2.500', which may mean 2.50 or 2,500. */
const DECIMALS = 'Enter rupees with at most two decimals.'

/** Undefined within a text: a list that was entered as one text has no text of its items. */
const valueAt = (values: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce(
      (value, name) => (value === Object(value) ? (value as Readonly<Record<string, unknown>>)[name] : undefined),
      values,
    )

/**
 * Messages of the contract are sentences, or follow the name of their field: 'must be at least 5'. At the field, 'must be
 * an address' becomes 'Enter an address.'
 */
function sentenceOf(message: string): string {
  if (/^[A-Z]/.test(message)) return message
  const text = message.replace(/^must be (?=an? |rupees |[\w ]*\b(?:digits|letters)\b)/, 'Enter ')
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}
