import { schemaResolver } from '@mantine/form'

/** A shape of the contract. */
export type Shape = Parameters<typeof schemaResolver>[0]

/** Returns a sentence for each field of a body that its shape refuses; of a list, for its first wrong item. */
export function problemsIn(shape: Shape, body: object): Readonly<Record<string, string>> {
  const found = Object.entries(schemaResolver(shape, { sync: true })(body)).toReversed()
  return Object.fromEntries(found.map(([path, message]) => [path.split('.', 1)[0]!, sentenceOf(message as string)]))
}

/** Messages of the contract follow the name of their field: 'must be at least 5'. */
const sentenceOf = (message: string): string => `${message[0]!.toUpperCase()}${message.slice(1)}.`
