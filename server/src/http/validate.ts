import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { Problem } from '../core/errors.ts'

/** Checks a body or a query by its shape; the refusal says in one sentence which field is not as expected, and how. */
export const validate: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (given) => {
    const read = schema.safeParse(given, { error: wordsOf })
    if (read.success) return { value: read.data }
    const [issue] = read.error.issues
    return {
      error: new Problem('malformed', issue === undefined ? 'The request is not as expected.' : sentenceOf(issue)),
    }
  }

/** Says: 'email (item 1) must be an e-mail address such as name@example.com.' */
function sentenceOf(issue: z.core.$ZodIssue): string {
  const field = fieldOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => key.slice(0, 60)).join(', ')
    return `${unknown} is not a known field${field === '' ? '' : ` of ${field}`}.`
  }
  // Words of a shape that begin with a capital letter are a sentence by themselves; all others read on after the field.
  if (/^[A-Z]/.test(issue.message)) return issue.message
  const sentence = `${field || 'The request'} ${issue.message}`
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object of fields',
  null: 'null',
}

/** Words for each of zod's issues; those that a shape brings itself go before them. */
function wordsOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing'
      return `must be ${KINDS[issue.expected] ?? 'as described'}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`
    default:
      return 'is not as expected'
  }
}

const unitOf = (origin: string): string =>
  origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : ''

/** Writes ['email', 0] as 'email (item 1)'; '' is the whole request. */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step, index) =>
      typeof step === 'number'
        ? `${index === 0 ? '' : ' '}(item ${step + 1})`
        : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('')
