import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { controlledText } from '#src/ui/typed-fields.tsx'

interface ConfirmRemovalProps {
  of: TrainingQuery
  /** Number of live machines; undefined while loading. */
  machines: number | undefined
  busy: boolean
  remove: () => void
  close: () => void
}

/** Deletes a training after its name was typed as confirmation. */
export default function ConfirmRemoval({ of, machines, busy, remove, close }: ConfirmRemovalProps) {
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const named = typed.trim() === of.trainingName
  const confirm = () => {
    setTried(true)
    if (named && !busy) remove()
  }
  return (
    <ConfirmDialog
      title={`Remove ${of.trainingName}`}
      confirm="Delete Training"
      busy={busy && 'Deleting...'}
      destroys
      onConfirm={confirm}
      close={close}
    >
      <p>
        The training <strong>{of.trainingName}</strong>
        {of.organization && ` of ${of.organization}`} will be removed, and{' '}
        {machines === undefined ? 'all its machines' : machines === 1 ? 'its 1 machine' : `its ${machines} machines`}{' '}
        deleted with all their data. This can’t be undone.
      </p>
      <TextInput
        data-autofocus
        label="Type the training’s name to confirm"
        placeholder={of.trainingName}
        autoComplete="off"
        {...controlledText(typed, setTyped)}
        error={tried && !named && `Type ${of.trainingName} to confirm.`}
        onKeyDown={(event) => {
          if (event.key === 'Enter') confirm()
        }}
      />
    </ConfirmDialog>
  )
}
