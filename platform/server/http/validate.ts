import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import '@trainyard/platform/contract/messages.ts'
import { Problem } from '../core/errors.ts'

export const validate: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (given) => {
    const read = schema.safeParse(given)
    if (read.success) return { value: read.data }
    const [issue] = read.error.issues
    return {
      error: new Problem('malformed', issue === undefined ? 'The request is invalid.' : sentenceOf(issue)),
    }
  }

function sentenceOf(issue: z.core.$ZodIssue): string {
  const field = fieldOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => key.slice(0, 60)).join(', ')
    return `${unknown} is not a known field${field === '' ? '' : ` of ${field}`}.`
  }
  // Messages of a schema that begin with a capital letter are complete sentences. Others continue after the field name.
  if (/^[A-Z]/.test(issue.message))
    return isFormSentence(issue.message, field) ? `${field}: ${issue.message}` : issue.message
  const sentence = `${field || 'The request'} ${issue.message}`
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

/** True for what a form says below its field, such as "Enter a name.": a caller of the API does not see the field. */
const isFormSentence = (message: string, field: string): boolean =>
  field !== '' && /^(?:Choose|Enter|Select)\b/.test(message) && !message.toLowerCase().includes(field.toLowerCase())

/** Formats ['email', 0] as 'email (item 1)' and the root as ''. */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step, index) =>
      typeof step === 'number'
        ? `${index === 0 ? '' : ' '}(item ${step + 1})`
        : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('')
