import { z } from 'zod'

/** @throws an error with status 400 that names the invalid field */
export function parseInput<Shape extends z.ZodType>(shape: Shape, body: unknown): z.infer<Shape> {
  const read = shape.safeParse(body)
  if (read.success) return read.data
  throw Object.assign(new Error(z.prettifyError(read.error)), { statusCode: 400 })
}
