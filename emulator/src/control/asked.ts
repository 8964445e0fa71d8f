import { z } from 'zod'

/**
 * Returns the body of a call on the emulator itself, in its shape. Any other shape is answered 400, with the field.
 */
export function asked<Shape extends z.ZodType>(shape: Shape, body: unknown): z.infer<Shape> {
  const read = shape.safeParse(body)
  if (read.success) return read.data
  throw Object.assign(new Error(z.prettifyError(read.error)), { statusCode: 400 })
}
