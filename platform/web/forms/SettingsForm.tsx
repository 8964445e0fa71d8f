import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { type CachedCalls, invalidate } from '../api/queries.ts'
import { useDedupedMutation } from '../api/useDedupedMutation.ts'
import { notify } from '../ui/notices.ts'
import { useUnsaved } from '../ui/unsaved.tsx'
import styles from './SettingsForm.module.css'

interface SettingsFormProps<Changes extends object> {
  submit: string
  /** The changed fields as the call takes them; empty if nothing changed, null if a field is invalid. */
  changes: Changes | null
  send: (changes: Changes) => Promise<{ message: string }>
  /** Cached calls to refetch after saving; by default, the calls of the organisation's settings. */
  invalidates?: readonly CachedCalls[]
  saved: () => void
  /** Handles a refused change; by default, the reason is shown as a notification. */
  onFailed?: (error: Error) => void
  /** Renders the fields. `tried` is true after the first attempt to save; problems are shown only then. */
  children: (tried: boolean) => ReactNode
}

const showFailure = (error: Error) => notify.alert(error.message, error)

const OF_ORGANISATION: readonly CachedCalls[] = ['organisation', 'session']

export function SettingsForm<Changes extends object>({
  submit,
  changes,
  send,
  invalidates = OF_ORGANISATION,
  saved,
  onFailed = showFailure,
  children,
}: SettingsFormProps<Changes>) {
  const [tried, setTried] = useState(false)
  const isChanged = changes === null || Object.keys(changes).length > 0
  const saving = useDedupedMutation({
    mutationFn: send,
    async onSuccess(reply) {
      await invalidate(...invalidates)
      saved()
      setTried(false)
      notify.status(reply.message)
    },
    onError: onFailed,
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
