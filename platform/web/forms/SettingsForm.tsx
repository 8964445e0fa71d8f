import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { type CachedCalls, invalidate } from '../api/queries.ts'
import { useDedupedMutation } from '../api/useDedupedMutation.ts'
import { notify } from '../ui/notices.ts'
import { problemsIn, type Shape } from './problems.ts'
import { useUnsaved } from '../ui/unsaved.tsx'
import styles from './SettingsForm.module.css'

interface SettingsFormProps<Changes extends object> {
  submit: string
  /** The changed fields as the call takes them; empty if nothing changed. */
  changes: Changes
  /** Loads the shape of the call's body, which validates the changes. */
  shape: () => Promise<Shape>
  /** Texts from which the numbers of the changes were read, by the same names. */
  entered?: object
  send: (changes: Changes) => Promise<{ message: string }>
  /** Cached calls to refetch after saving; by default, the calls of the organisation's settings. */
  invalidates?: readonly CachedCalls[]
  saved: () => void
  /** Handles a refused change; by default, the reason is shown as a notification. */
  onFailed?: (error: Error) => void
  /** Renders the fields. `problemOf` returns what is wrong with a field, or null before the first attempt to save. */
  children: (problemOf: (field: string) => string | null) => ReactNode
}

const showFailure = (error: Error) => notify.alert(error.message, error)

const OF_ORGANISATION: readonly CachedCalls[] = ['organisation', 'session']

export function SettingsForm<Changes extends object>({
  submit,
  changes,
  shape: loadShape,
  entered,
  send,
  invalidates = OF_ORGANISATION,
  saved,
  onFailed = showFailure,
  children,
}: SettingsFormProps<Changes>) {
  /** Set at the first attempt to save. */
  const [shape, setShape] = useState<Shape | null>(null)
  const problems = shape === null ? {} : problemsIn(shape, changes, entered)
  const isChanged = Object.keys(changes).length > 0
  const saving = useDedupedMutation({
    mutationFn: send,
    async onSuccess(reply) {
      await invalidate(...invalidates)
      saved()
      setShape(null)
      notify.status(reply.message)
    },
    onError: onFailed,
  })
  const submitChanges = async (form: HTMLFormElement) => {
    if (!isChanged || saving.isPending) return
    const loaded = shape ?? (await loadShape())
    flushSync(() => setShape(loaded))
    const shown = form.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')
    // The reply of the call says a problem that nothing in the form shows.
    if (shown === null || Object.keys(problemsIn(loaded, changes)).length === 0) saving.mutate(changes)
    else shown.focus()
  }
  const { question } = useUnsaved(isChanged && !saving.isPending)
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submitChanges(event.currentTarget).catch(showFailure)
      }}
    >
      <div className={styles.fields}>{children((field) => problems[field] ?? null)}</div>
      <div className="row">
        <Button type="submit" disabled={!isChanged || saving.isPending}>
          {saving.isPending ? 'Saving...' : submit}
        </Button>
      </div>
      {question}
    </form>
  )
}
