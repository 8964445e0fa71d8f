import { useForm } from '@mantine/form'
import type { z } from 'zod'
import { problemsIn } from './problems.ts'

interface ShapedForm<Entered, Body> {
  /** Shape of the body of the call. */
  readonly shape: z.ZodType<Body>
  readonly initialValues: Entered
  /** Converts the entries to the body of the call, whose fields have the same names. */
  readonly bodyOf: (entered: Entered) => NoInfer<Body>
}

/** Returns the state of a form whose entries the shape of a call validates. Dialogs load it with their first shape. */
export function useShapedForm<Entered extends Record<string, unknown>, Body extends object>({
  shape,
  initialValues,
  bodyOf,
}: ShapedForm<Entered, Body>) {
  return useForm<Entered, Body>({
    initialValues,
    transformValues: bodyOf,
    validate: (entered) => alertsIn(shape, bodyOf(entered), entered),
  })
}

/** Returns the problems of a body as the errors of a form: see `problemsIn`. */
export const alertsIn = (...checked: Parameters<typeof problemsIn>) =>
  Object.fromEntries(
    Object.entries(problemsIn(...checked)).map(([path, problem]) => [
      path,
      <span key={path} role="alert">
        {problem}
      </span>,
    ]),
  )
