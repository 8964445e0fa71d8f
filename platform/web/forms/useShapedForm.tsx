import { useForm } from '@mantine/form'
import type { ReactElement } from 'react'
import type { z } from 'zod'
import { notify } from '../ui/notices.ts'
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
  const form = useForm<Entered, Body>({
    initialValues,
    transformValues: bodyOf,
    validate: (entered) => alertsIn(shape, bodyOf(entered), entered),
  })
  return {
    ...form,
    onSubmit: (send: (body: Body) => void) => form.onSubmit(send, showFirst),
    /** Sends a body that another call takes, for a second button, or shows what its shape refuses. */
    sendAs<Other extends object>(otherShape: z.ZodType<Other>, body: NoInfer<Other>, send: (body: Other) => void) {
      const alerts = alertsIn(otherShape, body)
      form.setErrors(alerts)
      if (Object.keys(alerts).length === 0) send(body)
      else showFirst(alerts)
    },
  }
}

type Alert = ReactElement<{ readonly children: string }>

/** Focuses the first field on the page that has an error. Shows an error that no field has as a notification. */
function showFirst(errors: object) {
  const fields = `:is(${Object.keys(errors)
    .map((path) => `[data-path="${path}"]`)
    .join()})`
  const field = document.querySelector<HTMLElement>(`${fields}:is(input, select, textarea), ${fields} input`)
  if (field === null) notify.alert((Object.values(errors) as Alert[])[0]!.props.children)
  else field.focus()
}

/** Returns the problems of a body as the errors of a form: see `problemsIn`. */
const alertsIn = (...checked: Parameters<typeof problemsIn>) =>
  Object.fromEntries(
    Object.entries(problemsIn(...checked)).map(([path, problem]) => [
      path,
      <span key={path} role="alert">
        {problem}
      </span>,
    ]),
  )
