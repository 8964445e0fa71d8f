export interface Field {
  readonly name: string
  readonly was: string
  readonly is: string
}

const NOTHING = '–'

const fieldsIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const write = (value: unknown): string => {
  if (value === undefined || value === null) return NOTHING
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the fields whose values differ. */
export function fieldsOf(before: unknown, after: unknown): Field[] {
  const [oldFields, newFields] = [fieldsIn(before), fieldsIn(after)]
  const names = [...new Set([...Object.keys(oldFields), ...Object.keys(newFields)])]
  return names
    .map((name) => ({ name, was: write(oldFields[name]), is: write(newFields[name]) }))
    .filter((field) => field.was !== field.is)
}
