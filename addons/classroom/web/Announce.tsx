import { NativeSelect, Textarea } from '@mantine/core'
import { useState } from 'react'
import { ANNOUNCEMENT_LENGTH, ANNOUNCEMENT_MINUTES } from '../contract/classroom-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useClassAction } from './useClassAction.ts'

const LENGTHS = ANNOUNCEMENT_MINUTES.map((minutes) => ({
  value: String(minutes),
  label: minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`,
}))

export default function Announce({ training, close }: { training: TrainingQuery; close: () => void }) {
  const [text, setText] = useState('')
  const [minutes, setMinutes] = useState('15')
  const [tried, setTried] = useState(false)
  const [idempotencyKey] = useState(newId)
  const announcement = text.trim()
  const announce = useClassAction(
    () =>
      api.classroom.announce(
        { ...training, text: announcement, minutes: Number(minutes) as (typeof ANNOUNCEMENT_MINUTES)[number] },
        { idempotencyKey: `${idempotencyKey} ${minutes} ${announcement.length}` },
      ),
    close,
  )
  return (
    <FormDialog
      title="Announce"
      submit="Announce to the class"
      busy={announce.isPending && 'Announcing...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (announcement !== '') announce.mutate()
      }}
    >
      <Textarea
        label="Text"
        description="Shown immediately to all learners, on all pages and in terminals."
        rows={4}
        maxLength={ANNOUNCEMENT_LENGTH}
        data-autofocus
        {...controlledText(text, setText)}
        error={tried && announcement === '' && <span role="alert">Enter an announcement.</span>}
      />
      <NativeSelect label="Shown for" {...controlledText(minutes, setMinutes)} data={LENGTHS} />
    </FormDialog>
  )
}
