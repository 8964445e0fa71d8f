import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import { numberIn } from '@trainyard/platform/contract/words/money.ts'
import { port as portCalls, portNumber } from '../contract/port.ts'
import { PORT_PROTOCOLS, type PortProtocol } from '@trainyard/platform/contract/words/network.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { priorityOf, serviceAt } from './openPorts.ts'

type PortForm = { port: string; protocol: PortProtocol; source: string }

interface OpenPortProps {
  training: TrainingQuery
  open: readonly number[]
  close: () => void
}

export default function OpenPort({ training, open, close }: OpenPortProps) {
  // Key of the dialog. Each port has a key, so that a second click or a retry after a lost reply opens nothing twice.
  const [dialogKey] = useState(newId)
  const form = useShapedForm<PortForm, BodyOf<typeof portCalls.open>>({
    shape: portCalls.open.body.extend({
      port: portNumber.refine((port) => !open.includes(port), {
        error: ({ input }) => `Port ${String(input)} is already open.`,
      }),
    }),
    initialValues: { port: '', protocol: 'TCP and UDP', source: '' },
    bodyOf: ({ port, protocol, source }) => ({
      ...training,
      port: numberIn(port),
      priority: priorityOf(open.length),
      protocol,
      ...(source.trim() !== '' && { source: source.trim() }),
    }),
  })
  const opening = useAction(
    (body: BodyOf<typeof portCalls.open>) =>
      api.port.open(body, { idempotencyKey: `${dialogKey} ${body.port} ${body.protocol} ${body.source}` }),
    {
      invalidates: ['port'],
      onDone: close,
      onFailed: (error) => form.setFieldError('port', <span role="alert">{error.message}</span>),
    },
  )
  const { port, source } = form.values
  const save = form.onSubmit((body) => opening.mutate(body))
  const service = serviceAt(Number(port))
  return (
    <FormDialog
      title="Open Port"
      submit="Save Port"
      busy={opening.isPending && 'Saving...'}
      onSubmit={() => port.trim() !== '' && save()}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Port Number"
        description={service === null ? 'From 1 to 65535.' : `Usually ${service}.`}
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('port')}
      />
      <NativeSelect label="Protocol" data={PORT_PROTOCOLS} {...form.getInputProps('protocol')} />
      <TextInput
        label="From"
        description="Address range that may connect. Leave empty for any address."
        placeholder="203.0.113.0/24"
        autoComplete="off"
        {...form.getInputProps('source')}
      />
      <p className="dim">
        It opens to {source.trim() === '' ? 'the internet' : 'this address range'} on every machine of{' '}
        <strong>{training.trainingName}</strong>, including those ordered later.
      </p>
    </FormDialog>
  )
}
