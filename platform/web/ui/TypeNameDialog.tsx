import { TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { controlledText } from './typed-fields.tsx'

interface TypeNameDialogProps {
  title: string
  kind: 'machine' | 'training'
  name: string
  confirm: string
  busy: boolean
  remove: () => void
  close: () => void
  children: ReactNode
}

export function TypeNameDialog({ title, kind, name, confirm, busy, remove, close, children }: TypeNameDialogProps) {
  const [entered, setEntered] = useState('')
  const [tried, setTried] = useState(false)
  const isNamed = entered.trim() === name
  const removeIfNamed = () => {
    setTried(true)
    if (isNamed && !busy) remove()
  }
  return (
    <ConfirmDialog
      title={title}
      confirm={confirm}
      busy={busy && 'Deleting...'}
      destroys
      onConfirm={removeIfNamed}
      close={close}
    >
      {children}
      <TextInput
        data-autofocus
        label={`Type the ${kind}’s name to confirm`}
        placeholder={name}
        autoComplete="off"
        error={tried && !isNamed && <span role="alert">Type {name} to confirm.</span>}
        {...controlledText(entered, setEntered)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') removeIfNamed()
        }}
      />
    </ConfirmDialog>
  )
}
