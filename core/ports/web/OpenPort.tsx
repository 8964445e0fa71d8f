import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isPrefix, PORT_PROTOCOLS, type PortProtocol } from '@trainyard/platform/contract/words/network.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { portOf, priorityOf, serviceAt } from './openPorts.ts'

interface OpenPortProps {
  training: TrainingQuery
  open: readonly number[]
  close: () => void
}

export default function OpenPort({ training, open, close }: OpenPortProps) {
  // Key of the dialog. Each port has a key, so that a second click or a retry after a lost reply opens nothing twice.
  const [dialogKey] = useState(newId)
  const [entered, setEntered] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [protocol, setProtocol] = useState<PortProtocol>('TCP and UDP')
  const [source, setSource] = useState('')
  const [sourceProblem, setSourceProblem] = useState<string | null>(null)
  const opening = useAction(
    (port: number) =>
      api.port.open(
        {
          ...training,
          port,
          priority: priorityOf(open.length),
          protocol,
          ...(source.trim() !== '' && { source: source.trim() }),
        },
        { idempotencyKey: `${dialogKey} ${port} ${protocol} ${source}` },
      ),
    { invalidates: ['port'], onDone: close, onFailed: (error) => setProblem(error.message) },
  )
  const save = () => {
    if (entered.trim() === '') return
    const wanted = portOf(entered, open)
    if ('problem' in wanted) setProblem(wanted.problem)
    else if (source.trim() !== '' && !isPrefix(source.trim())) {
      setSourceProblem('Enter an address range such as 203.0.113.0/24, or leave this empty.')
    } else opening.mutate(wanted.port)
  }
  const service = serviceAt(Number(entered))
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
        error={problem && <span role="alert">{problem}</span>}
        {...controlledText(entered, (text) => {
          setEntered(text)
          setProblem(null)
        })}
      />
      <NativeSelect label="Protocol" data={PORT_PROTOCOLS} {...controlledText(protocol, setProtocol)} />
      <TextInput
        label="From"
        description="Address range that may connect. Leave empty for any address."
        placeholder="203.0.113.0/24"
        autoComplete="off"
        maxLength={18}
        error={sourceProblem && <span role="alert">{sourceProblem}</span>}
        {...controlledText(source, (text) => {
          setSource(text)
          setSourceProblem(null)
        })}
      />
      <p className="dim">
        It opens to {source.trim() === '' ? 'the internet' : 'this address range'} on every machine of{' '}
        <strong>{training.trainingName}</strong>, including those ordered later.
      </p>
    </FormDialog>
  )
}
