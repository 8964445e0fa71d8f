import { Button, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import type { GuideOfClass } from '../contract/guide.ts'
import { NOTE_MAX } from '../contract/guide-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { CloseButton, Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Class.module.css'

interface StepsDialogProps {
  training: TrainingQuery
  guide: GuideOfClass
  close: () => void
}

/** The steps of a guide for one training: an instructor hides them, and adds notes above their texts. */
export default function StepsDialog({ training, guide, close }: StepsDialogProps) {
  return (
    <Dialog title={`Steps of ${guide.title}`} wide close={close} foot={<CloseButton close={close} />}>
      <p>
        For this training only. Learners do not see a hidden step, and its points do not count: neither those that
        learners have, nor in the maximum. Results are kept and count again when the step is shown.
      </p>
      <ol className={styles.steps}>
        {guide.steps.map((step) => (
          <li key={step.step}>
            <Step training={training} guide={guide.guide} step={step} />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

interface StepProps {
  training: TrainingQuery
  guide: string
  step: GuideOfClass['steps'][number]
}

function Step({ training, guide, step: { step, title, isHidden, note } }: StepProps) {
  /** The note that is being written; null while none is. */
  const [draft, setDraft] = useState<string | null>(null)
  const noteButton = useRef<HTMLButtonElement>(null)
  const endDraft = () => {
    setDraft(null)
    // The pressed button has gone.
    requestAnimationFrame(() => noteButton.current?.focus())
  }
  const changing = useAction(
    (change: { isHidden?: boolean; note?: string }) =>
      // Another instructor may change the rest.
      api.guide.changeStep({ ...training, guide, step, ...change }),
    { invalidates: ['guide'], onDone: (_reply, { note: saved }) => saved !== undefined && endDraft() },
  )
  const of = <span className="visually-hidden"> {title}</span>
  return (
    <>
      <div className="ends">
        <span>
          <strong>{title}</strong>
          {isHidden && <span className="dim"> · Hidden</span>}
        </span>
        <span className="row">
          <Button
            variant="default"
            disabled={changing.isPending}
            onClick={() => changing.mutate({ isHidden: !isHidden })}
          >
            {isHidden ? 'Show' : 'Hide'}
            {of}
          </Button>
          <Button ref={noteButton} variant="default" disabled={draft !== null} onClick={() => setDraft(note)}>
            {note === '' ? 'Add a note' : 'Edit the note'}
            <span className="visually-hidden"> to {title}</span>
          </Button>
        </span>
      </div>
      {draft === null ? (
        note !== '' && <p className={styles.stepNote}>{note}</p>
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            changing.mutate({ note: draft })
          }}
        >
          <Textarea
            label={`Note to ${title}`}
            description="Markdown. Learners see it in a box above the text of the step. Empty it to remove the note."
            rows={3}
            maxLength={NOTE_MAX}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for the field
            autoFocus
            {...controlledText(draft, setDraft)}
          />
          <div className="row">
            <Button type="submit" disabled={changing.isPending}>
              Save the note
            </Button>
            <Button variant="default" onClick={endDraft}>
              Cancel
            </Button>
          </div>
        </form>
      )}
    </>
  )
}
