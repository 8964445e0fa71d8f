import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Network } from '../contract/network.ts'
import type { NetworkRoute } from '@trainyard/platform/contract/words/network.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { rangesIn } from './network-form.ts'

const ROUTES: readonly { readonly value: NetworkRoute; readonly label: string }[] = [
  { value: 'gateway', label: 'Through a gateway inside the network' },
  { value: 'peering', label: 'Directly, because the portal’s network is peered with it' },
]

export function CreateNetwork({ close }: { close: () => void }) {
  const [name, setName] = useState('')
  const [route, setRoute] = useState<NetworkRoute>('gateway')
  const [entered, setEntered] = useState('')
  const [tried, setTried] = useState(false)
  const creation = useDialogSubmit(api.network.create, ['network'], close)
  const read = rangesIn(entered)
  return (
    <FormDialog
      title="Create Network"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (name.trim() !== '' && 'ranges' in read) creation.mutate({ name: name.trim(), route, ranges: read.ranges })
      }}
    >
      <TextInput
        data-autofocus
        label="Network Name"
        autoComplete="off"
        maxLength={100}
        error={tried && name.trim() === '' && 'Must not be empty.'}
        {...controlledText(name, setName)}
      />
      <NativeSelect label="How the portal reaches it" data={[...ROUTES]} {...controlledText(route, setRoute)} />
      <Ranges entered={entered} change={setEntered} problem={tried && 'problem' in read ? read.problem : null} />
    </FormDialog>
  )
}

export function EditRanges({ network: { name, ranges }, close }: { network: Network; close: () => void }) {
  const [entered, setEntered] = useState(ranges.join('\n'))
  const [tried, setTried] = useState(false)
  const change = useDialogSubmit(api.network.change, ['network'], close)
  const read = rangesIn(entered)
  return (
    <FormDialog
      title={`Edit ${name}`}
      submit="Save"
      busy={change.isPending && 'Saving...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if ('ranges' in read) change.mutate({ network: name, ranges: read.ranges })
      }}
    >
      <Ranges entered={entered} change={setEntered} problem={tried && 'problem' in read ? read.problem : null} />
    </FormDialog>
  )
}

interface RangesProps {
  entered: string
  change: (to: string) => void
  problem: string | null
}

const Ranges = ({ entered, change, problem }: RangesProps) => (
  <Textarea
    label="Address Ranges"
    description="The subnets of the machines, one per line. The portal connects to no other private address."
    placeholder="10.20.0.0/16"
    rows={4}
    maxLength={1_000}
    spellCheck={false}
    error={problem !== null && <span role="alert">{problem}</span>}
    {...controlledText(entered, change)}
  />
)
