import { z } from 'zod'
import { Refusal } from './refusal.ts'
import type { Call } from './operation.ts'

export const tags = z.record(z.string().max(512), z.string().max(256))

export const reference = z.looseObject({ id: z.string() })

export const envelope = { location: z.string().min(1), tags: tags.optional() }

/**
 * Returns the request body, checked against the shape. Loose shapes retain unknown fields.
 * @throws Refusal if the body does not match the shape
 */
export function readBody<Shape extends z.ZodType>(call: Call, shape: Shape): z.infer<Shape> {
  if (typeof call.body !== 'object' || call.body === null) {
    throw new Refusal(400, 'InvalidRequestContent', 'The request content was invalid and could not be deserialized.')
  }
  const read = shape.safeParse(call.body)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const path = issue?.path.join('.') ?? ''
  if (path === 'location') {
    throw new Refusal(400, 'LocationRequired', 'The location property is required for this definition.')
  }
  throw new Refusal(
    400,
    'InvalidRequestFormat',
    `Cannot parse the request: ${path === '' ? 'the body' : `'${path}'`} is not valid (${issue?.message ?? 'unknown'}).`,
    path === '' ? {} : { target: path },
  )
}

export function without<T extends Record<string, unknown>>(value: T, ...names: string[]): T {
  const copy = { ...value }
  for (const name of names) delete (copy as Record<string, unknown>)[name]
  return copy
}
