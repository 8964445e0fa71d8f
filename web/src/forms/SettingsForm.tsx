import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { type Answers, invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { notify } from '#src/ui/notices.ts'
import { useUnsaved } from '#src/ui/unsaved.tsx'
import styles from './SettingsForm.module.css'

interface SettingsFormProps<Changes extends object> {
  /** The label of its button: 'Save Profile'. */
  submit: string
  /** The changes as the call takes them; null: a field can't be sent as it is. Without changes there is nothing to save. */
  changes: Changes | null
  send: (changes: Changes) => Promise<{ message: string }>
  /** The answers that a change changes; by default those of an organisation's settings. */
  renews?: readonly Answers[]
  /** Forgets what was typed: what was saved is shown instead. */
  saved: () => void
  /** The fields, told to show their problems once somebody tried to save. */
  children: (tried: boolean) => ReactNode
}

const OF_ORGANISATION: readonly Answers[] = ['organisation', 'session']

/** A form in a section: it sends what was changed and nothing else, and asks before changes are lost. */
export function SettingsForm<Changes extends object>({
  submit,
  changes,
  send,
  renews = OF_ORGANISATION,
  saved,
  children,
}: SettingsFormProps<Changes>) {
  const [tried, setTried] = useState(false)
  const isChanged = changes === null || Object.keys(changes).length > 0
  const saving = useMutation({
    mutationFn: send,
    async onSuccess(reply) {
      await invalidate(...renews)
      saved()
      setTried(false)
      notify.status(reply.message)
    },
    onError: (error) => notify.alert(error.message, error),
  })
  const { question } = useUnsaved(isChanged && !saving.isPending)
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (changes !== null && isChanged && !saving.isPending) saving.mutate(changes)
      }}
    >
      <div className={styles.fields}>{children(tried)}</div>
      <div className="row">
        <Button type="submit" disabled={!isChanged || saving.isPending}>
          {saving.isPending ? 'Saving...' : submit}
        </Button>
      </div>
      {question}
    </form>
  )
}
