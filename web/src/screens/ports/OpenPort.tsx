import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import type { OfTraining } from '#src/navigation/selection.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { notify } from '#src/ui/notices.ts'
import { portOf, priorityOf, serviceAt } from './openPorts.ts'

interface OpenPortProps {
  of: OfTraining
  open: readonly number[]
  close: () => void
}

/** Open Port: a number, saved for every machine of the training. Saving nothing does nothing. */
export default function OpenPort({ of, open, close }: OpenPortProps) {
  // One idempotency key for a port and dialog: a second click or a repeat after a lost answer opens nothing twice.
  const [wish] = useState(() => crypto.randomUUID())
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const opening = useMutation({
    mutationFn: (port: number) =>
      api.port.open({ ...of, port, priority: priorityOf(open.length) }, { idempotencyKey: `${wish} ${port}` }),
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      return invalidate('port')
    },
    onError: (error) => setProblem(error.message),
  })
  const save = () => {
    if (typed.trim() === '') return
    const wanted = portOf(typed, open)
    if ('problem' in wanted) setProblem(wanted.problem)
    else opening.mutate(wanted.port)
  }
  const service = serviceAt(Number(typed))
  return (
    <FormDialog
      title="Open Port"
      submit="Save Port"
      busy={opening.isPending && 'Saving...'}
      onSubmit={save}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Port Number"
        description={service === null ? 'From 1 to 65535.' : `Usually ${service}.`}
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        value={typed}
        error={problem && <span role="alert">{problem}</span>}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setProblem(null)
        }}
      />
      <p className="dim">
        It opens to the internet on every machine of <strong>{of.trainingName}</strong>, those ordered later too.
      </p>
    </FormDialog>
  )
}
