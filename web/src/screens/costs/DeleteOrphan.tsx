import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Orphan } from '@trainyard/contract/calls/cost.ts'
import { api } from '#src/api/client.ts'
import { useAction } from '#src/api/useAction.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { controlledText } from '#src/ui/typed-fields.tsx'
import { moneyWords } from './adoptable.ts'

/** Deletes an orphan at the provider after its name was typed as confirmation. */
export default function DeleteOrphan({ orphan, close }: { orphan: Orphan; close: () => void }) {
  const { name, resourceGroup, costADay } = orphan
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const isNamed = typed.trim() === name
  const removal = useAction(() => api.cost.deleteOrphan({ name, resourceGroup, confirm: typed.trim() }), {
    invalidates: ['cost', 'home'],
    onDone: close,
  })
  const confirm = () => {
    setTried(true)
    if (isNamed && !removal.isPending) removal.mutate()
  }
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      confirm="Delete at the Provider"
      busy={removal.isPending && 'Deleting...'}
      destroys
      onConfirm={confirm}
      close={close}
    >
      <p>
        The machine <strong>{name}</strong> in {resourceGroup} will be deleted at the provider, with its disk, its
        address and its network interface if they carry the portal’s tag. Its data is lost. Cost per day:{' '}
        {moneyWords(costADay, 'not billed yet')}. This can’t be undone.
      </p>
      <TextInput
        data-autofocus
        label="Type the machine’s name to confirm"
        placeholder={name}
        autoComplete="off"
        {...controlledText(typed, setTyped)}
        error={tried && !isNamed && <span role="alert">Type {name} to confirm.</span>}
        onKeyDown={(event) => {
          if (event.key === 'Enter') confirm()
        }}
      />
    </ConfirmDialog>
  )
}
