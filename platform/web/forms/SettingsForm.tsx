import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { type CachedCalls, invalidate } from '../api/queries.ts'
import { useDedupedMutation } from '../api/useDedupedMutation.ts'
import { notify } from '../ui/notices.ts'
import { problemsIn, type Shape } from './problems.ts'
import { useUnsaved } from '../ui/unsaved.tsx'
import styles from './SettingsForm.module.css'

interface SettingsFormProps<Changes extends object> {
  submit: string
  /** The changed fields as the call takes them; empty if nothing changed, null if a field is invalid. */
  changes: Changes | null
  /** Loads the shape of the call's body, which validates the changes. */
  shape?: () => Promise<Shape>
  /** Texts from which the numbers of the changes were read, by the same names. */
  entered?: object
  send: (changes: Changes) => Promise<{ message: string }>
  /** Cached calls to refetch after saving; by default, the calls of the organisation's settings. */
  invalidates?: readonly CachedCalls[]
  saved: () => void
  /** Handles a refused change; by default, the reason is shown as a notification. */
  onFailed?: (error: Error) => void
  /**
   * Renders the fields. `tried` is true after the first attempt to save; problems are shown only then. `problemOf` returns
   * what is wrong with a field by the shape.
   */
  children: (tried: boolean, problemOf: (field: keyof Changes & string) => string | null) => ReactNode
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
  const [tried, setTried] = useState(false)
  /** Set at the first attempt to save. */
  const [shape, setShape] = useState<Shape | null>(null)
  const problems = shape === null || changes === null ? {} : problemsIn(shape, changes, entered)
  const isChanged = changes === null || Object.keys(changes).length > 0
  const saving = useDedupedMutation({
    mutationFn: send,
    async onSuccess(reply) {
      await invalidate(...invalidates)
      saved()
      setTried(false)
      setShape(null)
      notify.status(reply.message)
    },
    onError: onFailed,
  })
  const submitChanges = async () => {
    setTried(true)
    if (changes === null || !isChanged || saving.isPending) return
    const loaded = shape ?? (await loadShape?.()) ?? null
    setShape(loaded)
    if (loaded === null || Object.keys(problemsIn(loaded, changes)).length === 0) saving.mutate(changes)
  }
  const { question } = useUnsaved(isChanged && !saving.isPending)
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submitChanges().catch(showFailure)
      }}
    >
      <div className={styles.fields}>{children(tried, (field) => problems[field] ?? null)}</div>
      <div className="row">
        <Button type="submit" disabled={!isChanged || saving.isPending}>
          {saving.isPending ? 'Saving...' : submit}
        </Button>
      </div>
      {question}
    </form>
  )
}
