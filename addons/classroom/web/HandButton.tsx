import IconHandStop from '@tabler/icons-react/icons/IconHandStop'
import { useRef, useState } from 'react'
import { HAND_REASONS, type HandReason } from '../contract/classroom-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { messageOf } from '@trainyard/platform/web/api/error.ts'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import styles from './HandButton.module.css'
import { refreshOwnClasses, useOwnClasses } from './own-class.ts'

interface HandButtonProps {
  /** The training, or a machine of the learner in it. */
  target: { readonly trainingName: string } | { readonly vmName: string }
}

export default function HandButton({ target }: HandButtonProps) {
  const [busy, setBusy] = useState(false)
  const last = useRef(Promise.resolve())
  const own = useOwnClasses().find(({ trainingName, machines }) =>
    'trainingName' in target
      ? trainingName === target.trainingName
      : machines.some(({ vmName }) => vmName === target.vmName),
  )
  if (own === undefined) return null
  const { trainingName, handRaisedAt, handReason, handPlace } = own
  const isRaised = handRaisedAt !== null
  const send = async (call: () => Promise<{ message: string }>) => {
    setBusy(true)
    try {
      notify.status((await call()).message)
      await refreshOwnClasses()
    } catch (error) {
      notify.alert(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const change = () => {
    // A double click raises the hand once.
    if (busy) return
    last.current = send(() =>
      isRaised ? api.classroom.lowerHand({ trainingName }) : api.classroom.raiseHand({ trainingName }),
    )
  }
  /** Follows the call that raises the hand: its reply may be on the way when the reasons appear. */
  const explain = (reason: HandReason) => {
    last.current = last.current.then(() => send(() => api.classroom.raiseHand({ trainingName, reason })))
  }
  return (
    <span className={styles.group}>
      <button type="button" className={styles.hand} data-raised={isRaised || undefined} onClick={change}>
        <IconHandStop size={18} aria-hidden />
        {isRaised ? 'Lower hand' : 'Raise hand'}
        <span className="visually-hidden"> in {trainingName}</span>
      </button>
      {isRaised && (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset cannot be laid out inline
        <span role="group" aria-label="Why you raised your hand" className={styles.reasons}>
          {handPlace !== null && (
            <span className="dim">{handPlace === 1 ? 'You are next.' : `Place ${handPlace}.`}</span>
          )}
          {Object.entries(HAND_REASONS).map(([reason, label]) => (
            <button
              key={reason}
              type="button"
              className={styles.reason}
              aria-pressed={reason === handReason}
              onClick={() => explain(reason as HandReason)}
            >
              {label}
            </button>
          ))}
        </span>
      )}
    </span>
  )
}
